import type { TodoItem } from '../api/types';
import type { Draft } from './edit';
import { isOpen, keys } from './list';

export type Told = 'added' | 'removed' | 'done' | 'started' | 'reopened' | 'cancelled' | 'reworded' | 'moved';

export interface ToldLine {
  kind: Told;
  /** The item, none where the line is about the order. */
  content: string | null;
  was?: string;
}

/** What a person changed, as the agent will be told. */
export function told(base: readonly TodoItem[], draft: Draft): ToldLine[] {
  const lines: ToldLine[] = [];
  const known = new Map(keys(base).map((key, at) => [key, { item: base[at]!, at }]));
  const order: number[] = [];
  for (const { of, item } of draft) {
    const was = of === null ? undefined : known.get(of);
    if (!was) {
      lines.push({ kind: 'added', content: item.content });
      continue;
    }
    known.delete(of!);
    order.push(was.at);
    if (was.item.content !== item.content) lines.push({ kind: 'reworded', content: item.content, was: was.item.content });
    if (was.item.status === item.status) continue;
    const kind =
      item.status === 'completed' ? 'done'
      : item.status === 'cancelled' ? 'cancelled'
      : item.status === 'pending' || !isOpen(was.item.status) ? 'reopened'
      : 'started';
    lines.push({ kind, content: item.content });
  }
  for (const { item } of known.values()) lines.push({ kind: 'removed', content: item.content });
  if (order.some((at, nth) => nth > 0 && at < order[nth - 1]!)) lines.push({ kind: 'moved', content: null });
  return lines;
}
