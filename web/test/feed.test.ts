import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../src/api/types';
import { Catalogue } from '../src/feed/catalogue';
import { Connection, type Listener, type Source } from '../src/feed/connection';
import { ProjectionCells } from '../src/feed/projections';
import { EventWindow, MAX_EVENTS, PAGE } from '../src/feed/window';

const event = (seq: number): RunEvent => ({ seq, id: String(seq), time: '', type: 'x', v: 1, by: '', data: {} });
const events = (from: number, to: number): RunEvent[] => Array.from({ length: to - from }, (_, at) => event(from + at));
const seqs = (window: EventWindow): [number, number] => [window.first, window.next];

describe('projections', () => {
  test('the higher seq wins, in whatever order frames come', () => {
    const cells = new ProjectionCells();
    expect(cells.put('todos', 'new', 5)).toBe(true);
    expect(cells.put('todos', 'old', 3)).toBe(false);
    expect(cells.put('todos', 'again', 5)).toBe(false);
    expect(cells.get('todos')).toBe('new');
  });

  test('a cut replaces what is older, clears what it leaves out, and yields to newer frames', () => {
    const cells = new ProjectionCells();
    cells.put('title', 'older', 2);
    cells.put('gone', 1, 2);
    cells.put('todos', 'newer', 9);
    cells.cut({ asOfSeq: 7, values: { title: 'cut', todos: 'cut' } });
    expect(cells.get('title')).toBe('cut');
    expect(cells.has('gone')).toBe(false);
    expect(cells.get('todos')).toBe('newer');
    expect(cells.put('gone', 'late', 6)).toBe(false);
    expect(cells.has('gone')).toBe(false);
  });

  test('after a reset a lower seq counts again', () => {
    const cells = new ProjectionCells();
    cells.put('todos', 'lost', 9);
    cells.clear();
    cells.cut({ asOfSeq: 4, values: { todos: 'durable' } });
    expect(cells.get('todos')).toBe('durable');
  });
});

describe('a window of events', () => {
  test('takes each event once and sees a gap', () => {
    const window = new EventWindow();
    window.tail(events(10, 20));
    expect(window.live(event(19))).toBe('known');
    expect(window.live(event(20))).toBe('appended');
    expect(window.live(event(22))).toBe('gap');
    expect(seqs(window)).toEqual([10, 21]);
  });

  test('grows by pages that fit and refuses those that do not', () => {
    const window = new EventWindow();
    window.tail(events(300, 400));
    expect(window.older(events(50, 250))).toBe(false);
    expect(window.older(events(100, 300))).toBe(true);
    expect(window.older(events(50, 120))).toBe(true);
    expect(seqs(window)).toEqual([50, 400]);
    expect(new Set(window.events.map(({ seq }) => seq)).size).toBe(350);
  });

  test('lets go of what is far away, and finds its way back to the end', () => {
    const window = new EventWindow();
    window.tail(events(9800, 10_000));
    for (let before = 9800; before > 5000; before -= PAGE) window.older(events(before - PAGE, before));
    expect(window.events.length).toBe(MAX_EVENTS);
    expect(window.hasNewer).toBe(true);
    expect(window.live(event(10_000))).toBe('elsewhere');
    expect(window.head).toBe(10_000);
    while (window.hasNewer) {
      const before = Math.min(window.newerBefore(), 10_001);
      expect(window.newer(events(before - PAGE, before))).toBe(true);
    }
    expect(window.next).toBe(10_001);
    expect(window.live(event(10_001))).toBe('appended');
    expect(window.events.length).toBeLessThanOrEqual(MAX_EVENTS + PAGE);
  });
});

describe('the catalogue', () => {
  const view = (updated: string, more = {}) => ({ agent: { name: 'codex' }, cwd: null, title: { title: 't' }, created: '', updated, openTurn: 1, counts: null, running: null, ...more });
  const entry = (session: string) => ({ session, agent: { name: 'codex' }, cwd: null, title: null, state: 'idle' as const, counts: { pending: 0, inProgress: 0, completed: 0, cancelled: 0 }, running: null, updated: '2026-01-01' });

  test('known sessions keep their place, new ones come first, and sorting is asked for', () => {
    const catalogue = new Catalogue();
    catalogue.load([entry('a'), entry('b')]);
    catalogue.put('b', view('2026-01-02'), 4);
    catalogue.put('c', view('2026-01-01T12'), 1);
    expect(catalogue.list().map(({ session }) => session)).toEqual(['c', 'a', 'b']);
    catalogue.sort();
    expect(catalogue.list().map(({ session }) => session)).toEqual(['b', 'c', 'a']);
  });

  test('an older frame changes nothing; states follow from the facts', () => {
    const catalogue = new Catalogue();
    catalogue.put('a', view('2', { openTurn: null, counts: { pending: 1, inProgress: 0, completed: 1, cancelled: 0 } }), 8);
    expect(catalogue.get('a')?.state).toBe('paused');
    expect(catalogue.put('a', view('1'), 7)).toBe(false);
    catalogue.put('a', view('3', { openTurn: null, counts: { pending: 0, inProgress: 0, completed: 1, cancelled: 1 } }), 9);
    expect(catalogue.get('a')?.state).toBe('done');
  });
});

class FakeSource implements Source {
  readonly listeners = new Map<string, (event: MessageEvent<string>) => void>();
  closed = false;
  constructor(readonly url: string) {}
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void {
    this.listeners.set(type, listener);
  }
  close(): void {
    this.closed = true;
  }
  say(type: string, data: unknown = {}, lastEventId = ''): void {
    this.listeners.get(type)?.({ data: typeof data === 'string' ? data : JSON.stringify(data), lastEventId } as MessageEvent<string>);
  }
}

describe('the connection', () => {
  function make(up = true) {
    const sources: FakeSource[] = [];
    const waits: { run: () => void; ms: number }[] = [];
    const said: string[] = [];
    const listener: Listener = {
      projection: ({ key, seq }) => said.push(`${key}@${seq}`),
      event: ({ event: { seq } }) => said.push(`event@${seq}`),
      reset: () => said.push('reset'),
      link: (state) => said.push(state),
    };
    const connection = new Connection(listener, {
      url: (session, cursor) => `${session}:${cursor}`,
      isUp: () => Promise.resolve(up),
      open: (url) => {
        const source = new FakeSource(url);
        sources.push(source);
        return source;
      },
      later: (run, ms) => {
        waits.push({ run, ms });
        return () => undefined;
      },
    });
    return { connection, sources, waits, said };
  }

  test('goes on at its own cursor after a break, ever slower', () => {
    const { connection, sources, waits, said } = make();
    connection.start('e.1', null);
    sources[0]!.say('open');
    sources[0]!.say('projection', { session: 's', key: 'todos', value: null, seq: 3 }, 'e.7');
    sources[0]!.say('error');
    expect(sources[0]!.closed).toBe(true);
    waits[0]!.run();
    expect(sources[1]!.url).toBe('null:e.7');
    sources[1]!.say('error');
    waits[1]!.run();
    expect(waits[1]!.ms).toBeGreaterThan(waits[0]!.ms);
    expect(said).toEqual(['live', 'todos@3', 'lost', 'lost']);
  });

  test('following a session keeps the place; what the old stream still says is not heard', () => {
    const { connection, sources, said } = make();
    connection.start('e.1', null);
    sources[0]!.say('event', { session: 's', event: event(1) }, 'e.2');
    connection.follow('s');
    expect(sources[1]!.url).toBe('s:e.2');
    sources[0]!.say('event', { session: 's', event: event(2) }, 'e.3');
    expect(said).toEqual(['event@1']);
    expect(connection.cursor).toBe('e.2');
  });

  test('a reset ends the stream; what is no JSON is passed over', () => {
    const { connection, sources, said } = make();
    connection.start('old.9', 's');
    sources[0]!.say('event', '{', 'e.3');
    sources[0]!.say('reset', { cursor: 'new.1' });
    expect(said).toEqual(['reset']);
    expect(sources[0]!.closed).toBe(true);
    expect(connection.cursor).toBe('old.9');
  });

  test('a host that refuses the stream while it is there is asked anew; one that is away, or just back, is gone on with', async () => {
    const lost = ['lost', 'lost', 'lost', 'lost'];
    for (const [up, want] of [[true, [...lost, 'reset']], [false, lost]] as const) {
      const { connection, sources, waits, said } = make(up);
      connection.start('e.1', 's');
      for (let n = 0; n < 4; n += 1) {
        expect(sources.length).toBe(n + 1);
        sources[n]!.say('error');
        waits[n]!.run();
        await Promise.resolve();
        await Promise.resolve();
      }
      expect(said).toEqual(want);
      expect(sources.length).toBe(up ? 4 : 5);
    }
  });
});
