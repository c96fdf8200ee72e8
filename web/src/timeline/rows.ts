import type { Author, RunEvent, TodoItem } from '../api/types';
import { isTodoTool, listInArguments } from './call';

export type CallState = 'running' | 'ok' | 'error' | 'stopped';

interface Base {
  /** The event the row begins with; it names the row. */
  seq: number;
  time: string;
}

export interface MessageRow extends Base {
  kind: 'message';
  who: 'user' | 'agent';
  text: string;
  reasoning: string;
  interrupted: boolean;
}

export interface CallRow extends Base {
  kind: 'call';
  callId: string;
  name: string;
  args: string;
  scope: string;
  state: CallState;
  progress: string;
  result: string | null;
  exitCode: number | null;
  ms: number | null;
  /** The call itself is on a page that is not loaded, or was never reported. */
  orphan: boolean;
}

export interface TodoRow extends Base {
  kind: 'todo';
  callId: string | null;
  scope: string;
  author: Author;
  list: TodoItem[];
  explanation: string;
  /** The list before, where that is known: the diff is made only for what is seen. */
  before: TodoItem[] | null;
  state: CallState;
  args: string;
  result: string | null;
  /** The seq of the list itself, none while the call runs or when it was refused. */
  writeSeq: number | null;
}

/** Something that happened, in one line. */
export interface MarkRow extends Base {
  kind: 'mark';
  what: string;
  data: Record<string, unknown>;
  /** Text that opens, such as a plan or a summary. */
  text: string;
}

export type Row = MessageRow | CallRow | TodoRow | MarkRow;

type Data = Record<string, unknown>;

/** Events that say how the work was organised, not what happened. */
const HIDDEN = new Set(['request/header', 'step/start', 'step/end', 'turn/bound', 'session/end-seed', 'compaction/start']);

const KNOWN_MARKS = new Set([
  'session/created', 'session/title', 'turn/start', 'turn/end', 'note/model', 'mode/set', 'plan/proposed', 'plan/decided',
  'permission/asked', 'permission/decided', 'compaction/end', 'history/rolledBack', 'subagent/started', 'subagent/ended',
  'evidence/waived', 'alert/raised', 'alert/cleared',
]);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function blocks(content: unknown, type = 'text'): string {
  if (!Array.isArray(content)) return '';
  const parts: string[] = [];
  for (const block of content as Data[]) {
    if (block?.type === type && typeof block.text === 'string') parts.push(block.text);
  }
  return parts.join('\n\n');
}

/** Makes the rows of a piece of a session. */
export function rowsOf(events: readonly RunEvent[]): Row[] {
  const fold = new RowFold();
  for (const event of events) fold.take(event);
  return fold.finish();
}

class RowFold {
  readonly rows: Row[] = [];
  readonly #calls = new Map<string, { row: CallRow | TodoRow; at: number }>();
  /** The last list of each scope. */
  readonly #lists = new Map<string, TodoItem[]>();

  take(event: RunEvent): void {
    const data = (typeof event.data === 'object' && event.data !== null ? event.data : {}) as Data;
    switch (event.type) {
      case 'user/message':
        return this.#message(event, 'user', data);
      case 'assistant/message':
        return this.#message(event, 'agent', data);
      case 'tool/call':
        return this.#call(event, data);
      case 'tool/progress':
        return this.#progress(data);
      case 'tool/result':
        return this.#result(event, data);
      case 'todo/write':
        return this.#write(event, data);
      case 'turn/end':
        this.#stopOpenCalls();
        if (data.reason === 'completed') return;
        return this.#mark(event, data);
      default:
        // Where a session begins goes without saying, unless it was forked from another.
        if (event.type === 'session/created' && data.parent === undefined) return;
        if (!HIDDEN.has(event.type)) this.#mark(event, data);
    }
  }

  /** A todo call without its list is running or was refused: what it asked for is in its arguments. */
  finish(): Row[] {
    return this.rows.map((row) => {
      if (row.kind !== 'call' || row.orphan || !isTodoTool(row.name)) return row;
      const list = listInArguments(row.args);
      if (!list) return row;
      const { seq, time, callId, scope, args, state, result } = row;
      return { kind: 'todo', seq, time, callId, scope, args, state, result, author: 'model', list, explanation: '', before: null, writeSeq: null };
    });
  }

  #message(event: RunEvent, who: 'user' | 'agent', data: Data): void {
    const said = blocks(data.content);
    const reasoning = who === 'agent' ? blocks(data.content, 'reasoning') : '';
    // An answer that only calls tools is told by their rows.
    if (said === '' && reasoning === '' && data.interrupted !== true) return;
    this.rows.push({ kind: 'message', seq: event.seq, time: event.time, who, text: said, reasoning, interrupted: data.interrupted === true });
  }

  #call(event: RunEvent, data: Data): void {
    const name = text(data.name);
    const args = text(data.arguments);
    const callId = text(data.callId);
    const scope = text(data.scope) || 'main';
    const row: CallRow = {
      kind: 'call', seq: event.seq, time: event.time, callId, scope, args, name, state: 'running', result: null,
      progress: '', exitCode: null, ms: null, orphan: false,
    };
    this.#calls.set(callId, { row, at: this.rows.length });
    this.rows.push(row);
  }

  #progress(data: Data): void {
    const row = this.#calls.get(text(data.callId))?.row;
    if (row?.kind === 'call') row.progress = text(data.text);
  }

  #result(event: RunEvent, data: Data): void {
    const callId = text(data.callId);
    const result = blocks(data.content);
    const facts = (typeof data.facts === 'object' && data.facts !== null ? data.facts : {}) as Data;
    const exitCode = typeof facts.exitCode === 'number' ? facts.exitCode : null;
    const state: CallState = data.isError === true ? 'error' : 'ok';
    const row = this.#calls.get(callId)?.row;
    if (!row) {
      this.rows.push({
        kind: 'call', seq: event.seq, time: event.time, callId, name: '', args: '', scope: text(data.scope) || 'main', state,
        progress: '', result, exitCode, ms: null, orphan: true,
      });
      return;
    }
    row.result = result;
    row.state = state;
    if (row.kind === 'call') {
      row.exitCode = exitCode;
      const ms = Date.parse(event.time) - Date.parse(row.time);
      row.ms = Number.isFinite(ms) ? Math.max(0, ms) : null;
    }
  }

  #write(event: RunEvent, data: Data): void {
    const list = Array.isArray(data.todos) ? (data.todos as TodoItem[]) : [];
    const scope = text(data.scope) || 'main';
    const before = this.#lists.get(scope);
    this.#lists.set(scope, list);
    const write = {
      list,
      scope,
      author: (text(data.author) || 'model') as Author,
      explanation: text(data.explanation),
      before: before ?? null,
      writeSeq: event.seq,
    };
    const callId = text(data.callId);
    const call = callId === '' ? undefined : this.#calls.get(callId);
    if (call) {
      const { seq, time, args, state, result } = call.row;
      const row: TodoRow = { kind: 'todo', seq, time, callId, args, state, result, ...write };
      this.rows[call.at] = row;
      this.#calls.set(callId, { row, at: call.at });
      return;
    }
    this.rows.push({ kind: 'todo', seq: event.seq, time: event.time, callId: callId || null, args: '', state: 'ok', result: null, ...write });
  }

  #mark(event: RunEvent, data: Data): void {
    const known = KNOWN_MARKS.has(event.type);
    this.rows.push({
      kind: 'mark',
      seq: event.seq,
      time: event.time,
      what: event.type,
      data,
      text: known ? text(data.text) || text(data.summary) || text(data.feedback) : JSON.stringify(event.data, null, 2),
    });
  }

  /** A turn that ended has nothing running: what was not answered was stopped. */
  #stopOpenCalls(): void {
    for (const { row } of this.#calls.values()) if (row.state === 'running') row.state = 'stopped';
    this.#calls.clear();
  }
}
