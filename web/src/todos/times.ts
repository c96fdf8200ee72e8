import type { ItemTimes, TodoItem } from '../api/types';
import { keys } from './list';

/** A list as it was written, with when each item ran. */
export interface Timed {
  list: readonly TodoItem[];
  times: readonly ItemTimes[];
}

/** When each item of a list ran: an item keeps its times while its status does not change. */
export function timesAfter(before: Timed | null, now: readonly TodoItem[], time: string): ItemTimes[] {
  const known = new Map<string, number>(before ? keys(before.list).map((key, at) => [key, at]) : []);
  return keys(now).map((key, at) => {
    const { status } = now[at]!;
    const wasAt = known.get(key);
    const was = before && wasAt !== undefined ? before.list[wasAt]!.status : 'pending';
    const times = (before && wasAt !== undefined && before.times[wasAt]) || {};
    if (status === was) return times;
    if (status === 'in_progress') return { started: time };
    if (status === 'pending') return times.started ? { started: times.started } : {};
    return { ...times, ended: time };
  });
}

/** How long an item ran, or runs: none when it never began, or when it is neither running nor closed. */
export function ran(times: ItemTimes | undefined, item: TodoItem, now: number): number | null {
  if (!times?.started || item.status === 'pending') return null;
  const end = item.status === 'in_progress' ? now : times.ended ? Date.parse(times.ended) : NaN;
  const ms = end - Date.parse(times.started);
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
