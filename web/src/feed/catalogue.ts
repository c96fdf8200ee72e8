import type { CatalogueView, Counts, SessionEntry, SessionState } from '../api/types';
import { open, total } from '../todos/list';

const NONE: Counts = { pending: 0, inProgress: 0, completed: 0, cancelled: 0 };

function stateOf(view: CatalogueView): SessionState {
  if (view.state) return view.state;
  const counts = view.counts ?? NONE;
  if (view.openTurn !== null && view.openTurn !== undefined) return 'working';
  if (open(counts) > 0) return 'paused';
  return total(counts) > 0 ? 'done' : 'idle';
}

/** A session's line of the list, from its projection. */
export function entryOf(session: string, view: CatalogueView): SessionEntry {
  const { title } = view;
  return {
    session,
    agent: view.agent,
    cwd: view.cwd ?? null,
    title: (typeof title === 'object' ? title?.title : title) ?? null,
    state: stateOf(view),
    counts: view.counts ?? NONE,
    running: view.running ?? null,
    updated: view.updated,
  };
}

/** The sessions of the page, in an order that does not change under a reader's eyes. */
export class Catalogue {
  #entries = new Map<string, SessionEntry>();
  readonly #seqs = new Map<string, number>();

  /** Takes the host's list, newest first. */
  load(entries: readonly SessionEntry[]): void {
    this.#entries = new Map(entries.map((entry) => [entry.session, entry]));
    this.#seqs.clear();
  }

  /** Takes a frame. A session seen for the first time goes to the head; the others stay where they are. */
  put(session: string, view: CatalogueView, seq: number): boolean {
    if (seq <= (this.#seqs.get(session) ?? -1)) return false;
    this.#seqs.set(session, seq);
    const entry = entryOf(session, view);
    if (this.#entries.has(session)) this.#entries.set(session, entry);
    else this.#entries = new Map([[session, entry], ...this.#entries]);
    return true;
  }

  /** Newest first again, for a moment when nobody is looking. */
  sort(): void {
    const sorted = [...this.#entries.values()].sort((a, b) => (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0));
    this.#entries = new Map(sorted.map((entry) => [entry.session, entry]));
  }

  get(session: string): SessionEntry | undefined {
    return this.#entries.get(session);
  }

  list(): SessionEntry[] {
    return [...this.#entries.values()];
  }
}
