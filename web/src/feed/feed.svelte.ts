import * as host from '../api/host';
import { HostError } from '../api/host';
import type { CatalogueView, EventFrame, ProjectionFrame, RunEvent, SessionEntry, TodosView } from '../api/types';
import { Catalogue } from './catalogue';
import { Connection, type Link } from './connection';
import { ProjectionCells } from './projections';
import { EventWindow, PAGE } from './window';

/** How many sessions the list asks for. */
const SESSIONS = 1000;

export type Phase = 'loading' | 'ready' | 'missing' | 'failed';

/** The session that is open, and everything the page knows of it. */
export class OpenSession {
  phase = $state<Phase>('loading');
  error = $state<HostError | null>(null);
  events = $state.raw<readonly RunEvent[]>([]);
  hasOlder = $state(false);
  hasNewer = $state(false);
  todos = $state.raw<TodosView | null>(null);
  /** Whether the agent has a todo tool at all. */
  capable = $state(true);
  loadingPage = $state(false);

  readonly window = new EventWindow();
  readonly cells = new ProjectionCells();
  /** Events that came while a page was on its way. */
  pending: RunEvent[] | null = [];

  constructor(readonly id: string) {}

  publish(): void {
    this.events = this.window.events.slice();
    this.hasOlder = this.window.hasOlder;
    this.hasNewer = this.window.hasNewer;
    this.capable = this.cells.has('todos');
    this.todos = (this.cells.get('todos') as TodosView | undefined) ?? null;
  }
}

/** Everything the page knows of the host: the list, the open session, and the one stream that keeps both current. */
export class Feed {
  sessions = $state.raw<SessionEntry[]>([]);
  phase = $state<'loading' | 'ready' | 'denied' | 'failed'>('loading');
  error = $state<HostError | null>(null);
  link = $state<Link>('connecting');
  current = $state.raw<OpenSession | null>(null);

  readonly #catalogue = new Catalogue();
  readonly #connection: Connection;
  #dirtyList = false;
  #dirtySession = false;
  #flushing = false;
  #reloading = false;
  #span = PAGE;
  #loaded: Promise<void> = Promise.resolve();

  constructor() {
    this.#connection = new Connection(
      {
        projection: (frame) => this.#projection(frame),
        event: (frame) => this.#event(frame),
        reset: () => void this.#reset(),
        link: (link) => (this.link = link),
      },
      {
        url: host.eventsUrl,
        open: (url) => new EventSource(url),
        isUp: host.isUp,
        later: (run, ms) => {
          const timer = setTimeout(run, ms);
          return () => clearTimeout(timer);
        },
      },
    );
  }

  start(): void {
    this.#loaded = this.#loadList();
    addEventListener('online', () => this.#connection.hurry());
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) return;
      this.#connection.hurry();
      this.#catalogue.sort();
      this.#touch('list');
    });
  }

  /** Opens a session, or none. `renamed` is told the session's own id, where it was named otherwise. */
  open(id: string | null, renamed: (id: string) => void): void {
    if (this.current?.id === id) return;
    if (id === null) {
      this.current = null;
      this.#connection.follow(null);
      return;
    }
    const session = new OpenSession(id);
    this.current = session;
    void this.#begin(session, renamed);
  }

  async #begin(session: OpenSession, renamed: (id: string) => void): Promise<void> {
    await this.#loaded;
    if (this.current !== session || !(await this.#exists(session, renamed))) return;
    // The stream first: what it tells before the page is there is kept, so that nothing falls between.
    this.#connection.follow(session.id);
    await this.#loadTail(session);
  }

  async #exists(session: OpenSession, renamed: (id: string) => void = () => undefined): Promise<boolean> {
    if (this.#catalogue.get(session.id)) return true;
    try {
      const { session: id } = await host.resolve(session.id);
      if (this.current !== session) return false;
      if (id === session.id) return true;
      renamed(id);
    } catch (error) {
      session.error = asHostError(error);
      if (session.error.status === 404) {
        session.phase = 'missing';
        return false;
      }
      session.phase = 'failed';
      setTimeout(() => this.current === session && void this.#begin(session, renamed), 1000);
    }
    return false;
  }

  async older(): Promise<void> {
    await this.#page((window) => (window.hasOlder ? window.olderBefore : null), 'older');
  }

  async newer(): Promise<void> {
    await this.#page((window) => (window.hasNewer ? window.newerBefore(this.#span) : null), 'newer');
  }

  /** Goes to the newest events, wherever the window is. */
  async toTail(): Promise<void> {
    if (this.current) await this.#loadTail(this.current);
  }

  /** Moves the window so that an event is in it. */
  async around(seq: number): Promise<boolean> {
    const session = this.current;
    if (!session) return false;
    if (seq >= session.window.first && seq < session.window.next) return true;
    try {
      const page = await host.history(session.id, { before: seq + PAGE / 2, limit: PAGE });
      session.window.jump(page.events);
      session.publish();
    } catch {
      return false;
    }
    return seq >= session.window.first && seq < session.window.next;
  }

  /** Takes the answer to an edit at once; the frame that says the same will change nothing. */
  edited(session: string, view: TodosView): void {
    if (this.current?.id !== session) return;
    if (this.current.cells.put('todos', view, view.seq ?? 0)) this.#touch('session');
  }

  async #loadList(): Promise<void> {
    try {
      const page = await host.sessions(SESSIONS);
      this.#catalogue.load(page.sessions);
      this.sessions = this.#catalogue.list();
      this.phase = 'ready';
      this.error = null;
      const known = this.current && this.#catalogue.get(this.current.id);
      this.#connection.start(page.cursor, known?.session ?? null);
    } catch (error) {
      this.error = asHostError(error);
      if (this.error.status === 401 || this.error.status === 403) {
        this.phase = 'denied';
        return;
      }
      if (this.phase === 'loading') this.phase = 'failed';
      this.link = 'lost';
      await new Promise((done) => setTimeout(done, 1000));
      await this.#loadList();
    }
  }

  async #loadTail(session: OpenSession): Promise<void> {
    session.pending = [];
    try {
      const page = await host.history(session.id, { limit: PAGE });
      session.window.tail(page.events);
      if (page.projections) session.cells.cut(page.projections);
      session.phase = 'ready';
      session.error = null;
      const pending: RunEvent[] = session.pending ?? [];
      session.pending = null;
      for (const event of pending) this.#take(session, event);
      session.publish();
    } catch (error) {
      session.pending = null;
      session.error = asHostError(error);
      if (session.error.status === 404) session.phase = 'missing';
      else {
        if (session.phase === 'loading') session.phase = 'failed';
        setTimeout(() => this.current === session && void this.#loadTail(session), 1000);
      }
    }
  }

  async #page(before: (window: EventWindow) => number | null, side: 'older' | 'newer'): Promise<void> {
    const session = this.current;
    if (!session || session.loadingPage) return;
    const at = before(session.window);
    if (at === null) return;
    session.loadingPage = true;
    try {
      const page = await host.history(session.id, { before: at, limit: PAGE });
      const took = session.window[side](page.events);
      if (took) session.publish();
      // A page of very large events holds only its last ones: the next is asked for in smaller pieces.
      if (side === 'newer') this.#span = took ? PAGE : Math.max(1, this.#span >> 2);
    } catch {
      // The next scroll asks again.
    } finally {
      session.loadingPage = false;
    }
  }

  #projection({ session, key, value, seq }: ProjectionFrame): void {
    if (key === 'catalogue' && this.#catalogue.put(session, value as CatalogueView, seq)) this.#touch('list');
    const { current } = this;
    if (current?.id === session && current.cells.put(key, value, seq)) this.#touch('session');
  }

  #event({ session, event }: EventFrame): void {
    const { current } = this;
    if (current?.id !== session) return;
    if (current.pending) current.pending.push(event);
    else this.#take(current, event);
  }

  #take(session: OpenSession, event: RunEvent): void {
    const arrival = session.window.live(event);
    if (arrival === 'gap') void this.#loadTail(session);
    else if (arrival !== 'known') this.#touch('session');
  }

  async #reset(): Promise<void> {
    if (this.#reloading) return;
    this.#reloading = true;
    try {
      await this.#loadList();
      if (this.current) {
        const session = this.current;
        session.cells.clear();
        session.pending = [];
        if (!(await this.#exists(session))) return;
        this.#connection.follow(session.id);
        await this.#loadTail(session);
      }
    } finally {
      this.#reloading = false;
    }
  }

  /** Frames are shown once a picture, however many come; a hidden page gets no pictures and must not pile them up. */
  #touch(what: 'list' | 'session'): void {
    if (what === 'list') this.#dirtyList = true;
    else this.#dirtySession = true;
    if (this.#flushing) return;
    this.#flushing = true;
    const flush = (): void => {
      this.#flushing = false;
      if (this.#dirtyList) this.sessions = this.#catalogue.list();
      if (this.#dirtySession) this.current?.publish();
      this.#dirtyList = false;
      this.#dirtySession = false;
    };
    if (document.hidden) setTimeout(flush, 200);
    else requestAnimationFrame(flush);
  }
}

function asHostError(error: unknown): HostError {
  return error instanceof HostError ? error : new HostError(0, 'unknown', String(error));
}
