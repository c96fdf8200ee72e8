import type { EventFrame, ProjectionFrame } from '../api/types';

export type Link = 'connecting' | 'live' | 'lost';

/** What the stream says. */
export interface Listener {
  projection(frame: ProjectionFrame): void;
  event(frame: EventFrame): void;
  /** Forget what you have and fetch it again: this stream could not be continued. */
  reset(): void;
  link(state: Link): void;
}

/** The part of `EventSource` that is used, so that tests can play it. */
export interface Source {
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

export interface Options {
  url(session: string | null, cursor: string | null): string;
  open(url: string): Source;
  /** Whether the host answers, so that it is the stream it refuses. */
  isUp(): Promise<boolean>;
  /** Runs later; gives back how to call it off. */
  later(run: () => void, ms: number): () => void;
}

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 4000;

/** After how many failures in a row the host is asked whether it is there. */
const MAX_FAILURES = 3;

/**
 * The one stream of the page. It goes on at its own cursor after every break, rather than at the browser's pace, and
 * also where the browser would give up (an answer that is no stream).
 */
export class Connection {
  #source: Source | null = null;
  #cursor: string | null = null;
  #session: string | null = null;
  #failures = 0;
  #retryMs = FIRST_RETRY_MS;
  /** Whether the host was there before the attempt that failed last. */
  #wasUp = false;
  #cancelRetry: (() => void) | null = null;

  constructor(
    readonly listener: Listener,
    readonly options: Options,
  ) {}

  get cursor(): string | null {
    return this.#cursor;
  }

  /** Starts, or starts again, at a place of the feed. */
  start(cursor: string | null, session: string | null): void {
    this.#cursor = cursor;
    this.#session = session;
    this.#retryMs = FIRST_RETRY_MS;
    this.#failures = 0;
    this.#connect();
  }

  /** Asks for everything of a session, or of none, without losing the place. */
  follow(session: string | null): void {
    if (session === this.#session) return;
    this.#session = session;
    if (this.#source || this.#cancelRetry) this.#connect();
  }

  /** Tries at once, where a retry is waiting. */
  hurry(): void {
    if (this.#cancelRetry) this.#connect();
  }

  stop(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#source?.close();
    this.#source = null;
  }

  #connect(): void {
    this.stop();
    const source = this.options.open(this.options.url(this.#session, this.#cursor));
    this.#source = source;
    const on = <T>(type: string, take: (value: T) => void): void => {
      source.addEventListener(type, (message) => {
        if (this.#source !== source) return;
        let value: T;
        try {
          value = JSON.parse(message.data) as T;
        } catch {
          return;
        }
        take(value);
        if (message.lastEventId) this.#cursor = message.lastEventId;
      });
    };
    source.addEventListener('open', () => {
      if (this.#source !== source) return;
      this.#retryMs = FIRST_RETRY_MS;
      this.#failures = 0;
      this.#wasUp = false;
      this.listener.link('live');
    });
    source.addEventListener('error', () => {
      if (this.#source === source) this.#retry();
    });
    on<ProjectionFrame>('projection', (frame) => this.listener.projection(frame));
    on<EventFrame>('event', (frame) => this.listener.event(frame));
    source.addEventListener('reset', () => {
      if (this.#source !== source) return;
      this.stop();
      this.listener.reset();
    });
  }

  #retry(): void {
    this.stop();
    this.listener.link('lost');
    this.#failures += 1;
    const connect = (): void => {
      this.#cancelRetry = null;
      this.#connect();
    };
    // A host that is there and refuses the stream has another store by now, or no longer knows this browser.
    const ask = (): void => {
      void this.options.isUp().then((up) => {
        if (this.#cancelRetry === null || this.#source) return;
        // It may have come up just now: only a stream that it refuses while it is there is given up.
        const refused = up && this.#wasUp;
        this.#wasUp = up;
        if (!refused) return connect();
        this.stop();
        this.listener.reset();
      });
    };
    this.#cancelRetry = this.options.later(this.#failures < MAX_FAILURES ? connect : ask, this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }
}
