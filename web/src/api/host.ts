import type { HistoryPage, SessionPage, TodoItem, TodosView } from './types';

const BASE = '/api/v1';

/** An answer of the host that is not a success. */
export class HostError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint?: string,
    /** The list as it stands, in the answer to an edit of an older revision. */
    readonly current?: TodosView,
  ) {
    super(message);
  }
}

interface ErrorBody {
  error?: { code?: string; message?: string; hint?: string };
  current?: TodosView;
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method, credentials: 'same-origin', cache: 'no-store' };
  if (body !== undefined) {
    init.headers = { 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(BASE + path, init);
  } catch {
    throw new HostError(0, 'unreachable', 'the host does not answer');
  }
  if (response.status === 204) return undefined as T;
  const text = await response.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HostError(response.status, 'not_json', `the host answered ${response.status} without JSON`);
  }
  if (response.ok) return value as T;
  const { error, current } = value as ErrorBody;
  throw new HostError(
    response.status,
    error?.code ?? 'unknown',
    error?.message ?? `the host answered ${response.status}`,
    error?.hint,
    current,
  );
}

const id = encodeURIComponent;

export interface HistoryQuery {
  /** Only events before this one; without it, the tail page. */
  before?: number;
  limit: number;
  types?: readonly string[];
}

export function sessions(limit: number): Promise<SessionPage> {
  return call('GET', `/sessions?limit=${limit}`);
}

export function history(session: string, query: HistoryQuery): Promise<HistoryPage> {
  const params = new URLSearchParams({ limit: String(query.limit) });
  if (query.before !== undefined) params.set('before', String(query.before));
  if (query.types) params.set('types', query.types.join(','));
  return call('GET', `/sessions/${id(session)}/history?${params}`);
}

export function putTodos(session: string, revision: number, todos: TodoItem[]): Promise<TodosView> {
  return call('PUT', `/sessions/${id(session)}/todos`, { revision, todos });
}

/** The session's own id, where it was named by a part of it or by its client's name for it. */
export function resolve(session: string): Promise<{ session: string }> {
  return call('GET', `/sessions/${id(session)}`);
}

/** Whether the host answers at all. */
export async function isUp(): Promise<boolean> {
  try {
    await call('GET', '/health');
    return true;
  } catch (error) {
    return error instanceof HostError && error.status !== 0;
  }
}

export function login(code: string): Promise<void> {
  return call('POST', '/login', { code });
}

/**
 * Where the one stream of the page is: the lines of all sessions, and everything of the session that is open. A session
 * may be named only where it is known to exist.
 */
export function eventsUrl(session: string | null, cursor: string | null): string {
  const params = new URLSearchParams({ sessions: session === null ? 'all' : `all,${session}`, keys: 'catalogue' });
  if (cursor !== null) params.set('cursor', cursor);
  return `${BASE}/events?${params}`;
}
