import * as host from '../api/host';
import type { Author, ItemTimes, RunEvent, TodoItem } from '../api/types';
import { timesAfter, type Timed } from './times';

/** One write of a session's own list, as it was. */
export interface Written {
  seq: number;
  time: string;
  author: Author;
  list: TodoItem[];
  times: ItemTimes[];
}

const PAGE = 200;

/** How far back the page goes; older writes stay on the log. */
const MAX_PAGES = 20;

/** Every write of a session's own list, oldest first, fetched when someone wants to look back. */
export class Writes {
  writes = $state.raw<readonly Written[]>([]);
  loading = $state(false);
  failed = $state(false);
  /** How many writes are older than the first one held. */
  skipped = $state(0);
  #wanted = 0;

  constructor(readonly session: string) {}

  /** The n-th write of the session, counted from 1. */
  at(n: number): Written | undefined {
    return this.writes[n - 1 - this.skipped];
  }

  /** Fetches what is not there yet. `revision` is how many writes the host knows of. */
  async load(revision: number): Promise<void> {
    this.#wanted = Math.max(this.#wanted, revision);
    if (this.loading || this.skipped + this.writes.length >= revision) return;
    this.loading = true;
    try {
      const last = this.writes.at(-1)?.seq ?? -1;
      const fresh = await this.#since(last);
      this.writes = [...this.writes, ...timed(fresh, this.writes.at(-1) ?? null)];
      this.skipped = Math.max(0, revision - this.writes.length);
      this.failed = false;
    } catch {
      this.failed = true;
    } finally {
      this.loading = false;
    }
    // Writes that came meanwhile; where nothing new was found, asking again would not find it either.
    if (!this.failed && this.#wanted > revision) await this.load(this.#wanted);
  }

  /** The writes behind an event, oldest first; pages come newest first. */
  async #since(last: number): Promise<RunEvent[]> {
    let found: RunEvent[] = [];
    let before: number | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query = { limit: PAGE, types: ['todo/write'], ...(before === undefined ? {} : { before }) };
      const { events, more } = await host.history(this.session, query);
      found = [...events.filter((event) => event.seq > last && isMain(event)), ...found];
      const first = events[0]?.seq;
      if (!more || first === undefined || first <= last) break;
      before = first;
    }
    return found;
  }
}

interface WriteData {
  scope?: string;
  author?: Author;
  todos?: TodoItem[];
}

function isMain(event: RunEvent): boolean {
  return ((event.data as WriteData | null)?.scope ?? 'main') === 'main';
}

function timed(events: readonly RunEvent[], before: Timed | null): Written[] {
  let previous = before;
  return events.map((event) => {
    const data = (event.data ?? {}) as WriteData;
    const list = Array.isArray(data.todos) ? data.todos : [];
    const written: Written = {
      seq: event.seq,
      time: event.time,
      author: data.author ?? 'model',
      list,
      times: timesAfter(previous, list, event.time),
    };
    previous = written;
    return written;
  });
}
