import { describe, expect, test } from 'vitest';
import type { TodoItem, TodosView } from '../src/api/types';
import { diff, diffCounts, isEmpty } from '../src/todos/diff';
import { counts, keys, label, running, shown } from '../src/todos/list';
import { ran, timesAfter } from '../src/todos/times';

const item = (content: string, status: TodoItem['status'] = 'pending', more: Partial<TodoItem> = {}): TodoItem => ({ content, status, ...more });

describe('a list', () => {
  test('its counts', () => {
    const list = [item('a', 'completed'), item('b', 'in_progress'), item('c', 'in_progress'), item('d'), item('e', 'cancelled')];
    expect(counts(list)).toEqual({ completed: 1, inProgress: 2, pending: 1, cancelled: 1 });
  });

  test('what runs is the first in the model’s order, and how many more', () => {
    const list = [item('x'), item('second', 'in_progress', { activeForm: 'Doing the second' }), item('first', 'in_progress')];
    expect(running(list)).toEqual({ label: 'Doing the second', more: 1 });
    expect(running([item('x')])).toBeNull();
  });

  test('an active form shows only while its item runs, and only when it says something', () => {
    expect(label(item('a', 'in_progress', { activeForm: ' ' }))).toBe('a');
    expect(label(item('a', 'completed', { activeForm: 'Doing a' }))).toBe('a');
  });

  test('keys tell equal items apart', () => {
    expect(keys([item('a'), item('a'), item('a', 'pending', { id: 'i' })])).toEqual(['a', 'a\u00002', 'i']);
  });

  test('no tool, no list, an empty list and one of an earlier turn are four things', () => {
    const view = (more: Partial<TodosView>): TodosView => ({ standing: null, carried: null, counts: counts([]), revision: 0, agents: [], ...more });
    expect(shown(view({}), 'show')).toBeNull();
    expect(shown(view({ standing: [] }), 'hide')).toEqual({ list: [], carried: false });
    const carried = view({ carried: [item('a', 'completed')] });
    expect(shown(carried, 'hide')).toBeNull();
    expect(shown(carried, 'dim')?.carried).toBe(true);
  });
});

describe('a diff', () => {
  const before = [item('a', 'completed'), item('b', 'in_progress'), item('c'), item('old words', 'pending', { id: '7' })];
  const now = [item('a', 'pending'), item('b', 'completed'), item('new words', 'pending', { id: '7' }), item('d', 'completed')];

  test('names what was done, added, reopened, reworded and removed', () => {
    const found = diff(before, now);
    expect(diffCounts(found)).toEqual({ done: 2, added: 1, reopened: 1, reworded: 1, removed: 1 });
    expect(found.items[2]).toEqual({ marks: ['reworded'], was: 'old words' });
    expect(found.removed.map(({ content }) => content)).toEqual(['c']);
    expect(found.moved).toBe(false);
  });

  test('sees a new order, and nothing where there is nothing', () => {
    expect(diff(before, [before[1]!, before[0]!]).moved).toBe(true);
    expect(isEmpty(diff(before, before))).toBe(true);
    expect(isEmpty(diff(before, now))).toBe(false);
  });
});

describe('times', () => {
  const at = (minute: number): string => new Date(minute * 60_000).toISOString();

  test('an item ran from its start to its end, whatever came between', () => {
    const one = [item('a', 'in_progress'), item('b')];
    const two = [item('a', 'in_progress'), item('b'), item('c')];
    const three = [item('a', 'completed'), item('b', 'in_progress')];
    let list: { list: TodoItem[]; times: ReturnType<typeof timesAfter> } | null = null;
    for (const [next, minute] of [[one, 1], [two, 3], [three, 5]] as const) list = { list: next, times: timesAfter(list, next, at(minute)) };
    expect(list!.times).toEqual([{ started: at(1), ended: at(5) }, { started: at(5) }]);
    expect(ran(list!.times[0], three[0]!, Date.parse(at(99)))).toBe(4 * 60_000);
    expect(ran(list!.times[1], three[1]!, Date.parse(at(9)))).toBe(4 * 60_000);
  });

  test('what never began did not run', () => {
    expect(ran(timesAfter(null, [item('a', 'completed')], at(1))[0], item('a', 'completed'), 0)).toBeNull();
    expect(ran({ started: at(1) }, item('a', 'pending'), Date.parse(at(2)))).toBeNull();
  });
});
