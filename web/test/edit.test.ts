import { describe, expect, test } from 'vitest';
import table from '../../crates/runsheet-core/tests/it/told.json?raw';
import type { TodoItem } from '../src/api/types';
import * as edit from '../src/todos/edit';
import { told } from '../src/todos/told';

const item = (content: string, status: TodoItem['status'] = 'pending', more: Partial<TodoItem> = {}): TodoItem => ({ content, status, ...more });
const contents = (draft: edit.Draft): string[] => draft.map((entry) => entry.item.content);

describe('what the agent is told', () => {
  const cases = JSON.parse(table) as { name: string; known: [string, TodoItem['status']][]; now: [string, TodoItem['status']][]; told: string[] }[];
  test.each(cases)('as the host says it: $name', ({ known, now, told: lines }) => {
    const list = (items: typeof known) => items.map(([content, status]) => item(content, status));
    expect(told(list(known), list(now))).toEqual(lines);
  });
});

describe('a draft', () => {
  const base = [item('a', 'in_progress', { activeForm: 'Doing a' }), item('b'), item('c')];

  test('says what the agent will be told', () => {
    let draft = edit.draftOf(base);
    expect(edit.changed(base, draft)).toBe(false);
    draft = edit.setStatus(draft, 'a', 'completed');
    draft = edit.reword(draft, 'b', 'b, but better');
    draft = edit.remove(draft, 'c');
    draft = edit.add(draft, 'd');
    expect(told(base, edit.listOf(draft))).toEqual(['set to completed: "a"', 'changed: "b" → "b, but better"', 'changed: "c" → "d"']);
  });

  test('a reworded item loses its active form, which said the old words', () => {
    expect(edit.reword(edit.draftOf(base), 'a', 'z')[0]!.item).toEqual({ content: 'z', status: 'in_progress' });
  });

  test('blank and duplicate items are named', () => {
    expect(edit.problem(edit.draftOf(base))).toBeNull();
    expect(edit.problem(edit.reword(edit.draftOf(base), 'b', ' '))).toEqual({ kind: 'blank', at: 1 });
    expect(edit.problem(edit.reword(edit.draftOf(base), 'b', 'a '))).toEqual({ kind: 'duplicate', at: 1 });
  });

  test('does not move past the ends', () => {
    const draft = edit.draftOf(base);
    expect(edit.move(draft, 'a', -1)).toBe(draft);
    expect(edit.move(draft, 'c', 1)).toBe(draft);
  });
});

describe('a draft carried over to a newer list', () => {
  const base = [item('a', 'in_progress'), item('b'), item('c')];

  test('keeps both sides’ changes where they do not meet', () => {
    const draft = edit.add(edit.setStatus(edit.draftOf(base), 'c', 'cancelled'), 'mine');
    const current = [item('a', 'completed'), item('theirs', 'in_progress'), item('b'), item('c')];
    const merged = edit.rebase(base, draft, current);
    expect(merged.clashes).toEqual([]);
    expect(contents(merged.draft)).toEqual(['a', 'theirs', 'b', 'c', 'mine']);
    expect(merged.draft.map((entry) => entry.item.status)).toEqual(['completed', 'in_progress', 'pending', 'cancelled', 'pending']);
  });

  test('keeps the person’s where they meet, and says so', () => {
    const draft = edit.setStatus(edit.draftOf(base), 'a', 'pending');
    const merged = edit.rebase(base, draft, [item('a', 'completed'), item('b'), item('c')]);
    expect(merged.draft[0]!.item.status).toBe('pending');
    expect(merged.clashes).toEqual([{ content: 'a', kind: 'status', theirs: 'completed' }]);
  });

  test('what the agent removed goes, unless the person changed it', () => {
    const draft = edit.reword(edit.draftOf(base), 'b', 'b2');
    const merged = edit.rebase(base, draft, [item('a', 'in_progress')]);
    expect(contents(merged.draft)).toEqual(['a', 'b2']);
    expect(merged.clashes).toEqual([{ content: 'b2', kind: 'removedByModel', theirs: 'b' }]);
  });

  test('what the person removed stays removed', () => {
    const draft = edit.remove(edit.draftOf(base), 'b');
    const merged = edit.rebase(base, draft, [item('a', 'in_progress'), item('b', 'completed'), item('c')]);
    expect(contents(merged.draft)).toEqual(['a', 'c']);
    expect(merged.clashes).toEqual([{ content: 'b', kind: 'changedByModel', theirs: 'completed' }]);
  });

  test('an item both added is there once', () => {
    const merged = edit.rebase(base, edit.add(edit.draftOf(base), 'same'), [...base, item('same', 'in_progress')]);
    expect(contents(merged.draft)).toEqual(['a', 'b', 'c', 'same']);
    expect(edit.problem(merged.draft)).toBeNull();
  });
});
