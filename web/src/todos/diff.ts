import type { TodoItem } from '../api/types';
import { isOpen, keys } from './list';

export type Mark = 'added' | 'done' | 'reopened' | 'reworded' | 'started' | 'cancelled';

export interface ItemChange {
  marks: Mark[];
  /** What it said before, where it was reworded. */
  was?: string;
}

/** What a write changed, against the list before it. */
export interface Diff {
  /** For each item of the new list, in its order. */
  items: ItemChange[];
  /** Items that are gone, in the order of the old list. */
  removed: TodoItem[];
  moved: boolean;
}

export type DiffCounts = Record<'done' | 'added' | 'reopened' | 'reworded' | 'removed', number>;

/** Items are matched as `keys` follows them. */
export function diff(before: readonly TodoItem[], now: readonly TodoItem[]): Diff {
  const beforeKeys = keys(before);
  const known = new Map(beforeKeys.map((key, at) => [key, at]));
  const kept: number[] = [];
  const items = keys(now).map((key, at): ItemChange => {
    const item = now[at]!;
    const wasAt = known.get(key);
    if (wasAt === undefined) {
      return { marks: item.status === 'completed' ? ['added', 'done'] : ['added'] };
    }
    known.delete(key);
    kept.push(wasAt);
    const was = before[wasAt]!;
    const marks: Mark[] = [];
    if (item.status !== was.status) {
      if (item.status === 'completed') marks.push('done');
      else if (item.status === 'cancelled') marks.push('cancelled');
      else if (!isOpen(was.status)) marks.push('reopened');
      else if (item.status === 'in_progress') marks.push('started');
    }
    if (was.content === item.content) return { marks };
    marks.push('reworded');
    return { marks, was: was.content };
  });
  return {
    items,
    removed: [...known.values()].map((at) => before[at]!),
    moved: kept.some((at, nth) => nth > 0 && at < kept[nth - 1]!),
  };
}

export function diffCounts(of: Diff): DiffCounts {
  const found: DiffCounts = { done: 0, added: 0, reopened: 0, reworded: 0, removed: of.removed.length };
  for (const { marks } of of.items) {
    for (const mark of marks) if (mark in found) found[mark as keyof DiffCounts] += 1;
  }
  return found;
}

export function isEmpty(of: Diff): boolean {
  return !of.moved && of.removed.length === 0 && of.items.every((item) => item.marks.length === 0);
}
