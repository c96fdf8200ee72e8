import type { Status, TodoItem } from '../api/types';
import { keys } from './list';

/** How many characters of an item a line shows: the whole list follows the lines. */
const SHOWN = 120;

const WORDS: Record<Status, string> = { pending: 'pending', in_progress: 'in progress', completed: 'completed', cancelled: 'cancelled' };

/**
 * What the agent is told of a person's edit, in the host's own words: from the list it knows to the one it is left.
 * The host says it, in `todo/told.rs`; one table of cases holds both to it.
 */
export function told(known: readonly TodoItem[], now: readonly TodoItem[]): string[] {
  const was = origins(known, now);
  const lines: string[] = [];
  for (const [at, item] of now.entries()) {
    const content = quoted(item.content);
    const from = was[at];
    if (from === undefined) {
      lines.push(`added: ${content}${item.status === 'pending' ? '' : ` (${WORDS[item.status]})`}`);
      continue;
    }
    const before = known[from]!;
    if (before.content !== item.content) lines.push(`changed: ${quoted(before.content)} → ${content}`);
    if (before.status !== item.status) lines.push(`set to ${WORDS[item.status]}: ${content}`);
  }
  for (const [at, item] of known.entries()) if (!was.includes(at)) lines.push(`removed: ${quoted(item.content)}`);
  const order = was.filter((at) => at !== undefined);
  if (order.some((at, nth) => nth > 0 && at < order[nth - 1]!)) lines.push('the order changed');
  return lines;
}

/** For each item now, its place before. One whose key is gone and a new one behind the same item are one that changed. */
function origins(known: readonly TodoItem[], now: readonly TodoItem[]): (number | undefined)[] {
  const places = new Map(keys(known).map((key, at) => [key, at]));
  const was = keys(now).map((key) => places.get(key));
  const kept = new Set(was);
  const gone = new Map<number | undefined, number[]>();
  let behind: number | undefined;
  for (const at of known.keys()) {
    if (kept.has(at)) behind = at;
    else gone.set(behind, [...(gone.get(behind) ?? []), at]);
  }
  behind = undefined;
  return was.map((at) => {
    if (at !== undefined) return (behind = at);
    return gone.get(behind)?.shift();
  });
}

function quoted(content: string): string {
  const characters = [...content];
  return JSON.stringify(characters.length > SHOWN ? `${characters.slice(0, SHOWN).join('')}…` : content);
}
