import type { Counts, Status, TodoItem, TodosView } from '../api/types';

export const STATUSES: readonly Status[] = ['completed', 'in_progress', 'pending', 'cancelled'];

export function counts(list: readonly TodoItem[]): Counts {
  const found: Counts = { pending: 0, inProgress: 0, completed: 0, cancelled: 0 };
  for (const { status } of list) {
    if (status === 'in_progress') found.inProgress += 1;
    else found[status] += 1;
  }
  return found;
}

export function total(of: Counts): number {
  return of.pending + of.inProgress + of.completed + of.cancelled;
}

export function open(of: Counts): number {
  return of.pending + of.inProgress;
}

export function isOpen(status: Status): boolean {
  return status === 'pending' || status === 'in_progress';
}

/** What to show for an item now: its active form while it runs, else its content. */
export function label(item: TodoItem): string {
  return item.status === 'in_progress' && item.activeForm?.trim() ? item.activeForm : item.content;
}

/** What runs: the first running item in the model's order, and how many more run beside it. */
export interface Running {
  label: string;
  more: number;
}

export function running(list: readonly TodoItem[]): Running | null {
  const active = list.filter((item) => item.status === 'in_progress');
  const first = active[0];
  return first ? { label: label(first), more: active.length - 1 } : null;
}

/** Follows items from one write to the next: an item's id, else its content; from the second of one key on, which. */
export function keys(list: readonly TodoItem[]): string[] {
  const seen = new Map<string, number>();
  return list.map((item) => {
    const key = item.id ?? item.content;
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    return nth === 1 && !key.includes('\0') ? key : `${key}\0${nth}`;
  });
}

/** The list a session shows, and whether a later turn has begun since it was written. */
export interface Shown {
  list: TodoItem[];
  carried: boolean;
}

export type Carry = 'hide' | 'dim' | 'show';

export function shown(view: TodosView, carry: Carry): Shown | null {
  if (view.standing) return { list: view.standing, carried: false };
  if (view.carried && carry !== 'hide') return { list: view.carried, carried: true };
  return null;
}
