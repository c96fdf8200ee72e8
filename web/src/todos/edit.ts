import type { Status, TodoItem } from '../api/types';
import { keys } from './list';

/** An item of a draft: what it will be, and which item of the list before it is. */
export interface DraftItem {
  /** Stable while the draft lives, for the page. */
  key: string;
  /** The key of the item it was, none for a new one. */
  of: string | null;
  item: TodoItem;
}

export type Draft = DraftItem[];

/** Where a person and the model changed the same thing. The person's change is kept, and shown. */
export interface Clash {
  content: string;
  kind: 'status' | 'content' | 'removedByModel' | 'changedByModel';
  /** What the model made of it. */
  theirs: string;
}

export function draftOf(list: readonly TodoItem[]): Draft {
  return keys(list).map((key, at) => ({ key, of: key, item: { ...list[at]! } }));
}

export function listOf(draft: Draft): TodoItem[] {
  return draft.map(({ item }) => ({ ...item }));
}

let fresh = 0;

export function add(draft: Draft, content: string): Draft {
  fresh += 1;
  return [...draft, { key: `new\0${fresh}`, of: null, item: { content, status: 'pending' } }];
}

export function remove(draft: Draft, key: string): Draft {
  return draft.filter((entry) => entry.key !== key);
}

export function reword(draft: Draft, key: string, content: string): Draft {
  return draft.map((entry) => {
    if (entry.key !== key) return entry;
    // The active form says the old words another way, so it goes with them.
    const { activeForm: _, ...rest } = entry.item;
    return { ...entry, item: { ...rest, content } };
  });
}

export function setStatus(draft: Draft, key: string, status: Status): Draft {
  return draft.map((entry) => {
    if (entry.key !== key) return entry;
    const { rawStatus: _, ...rest } = entry.item;
    return { ...entry, item: { ...rest, status } };
  });
}

export function move(draft: Draft, key: string, by: -1 | 1): Draft {
  const at = draft.findIndex((entry) => entry.key === key);
  const to = at + by;
  if (at < 0 || to < 0 || to >= draft.length) return draft;
  const next = [...draft];
  [next[at], next[to]] = [next[to]!, next[at]!];
  return next;
}

/** Why a draft cannot be saved: the first item that is blank or says what another says. */
export function problem(draft: Draft): { kind: 'blank' | 'duplicate'; at: number } | null {
  const seen = new Set<string>();
  for (const [at, { item }] of draft.entries()) {
    const content = item.content.trim();
    if (content === '') return { kind: 'blank', at };
    if (seen.has(content)) return { kind: 'duplicate', at };
    seen.add(content);
  }
  return null;
}

export function changed(base: readonly TodoItem[], draft: Draft): boolean {
  return JSON.stringify(base) !== JSON.stringify(listOf(draft));
}

/**
 * Carries a person's draft over to a newer list: what they changed stays theirs, what they did not touch becomes the
 * model's, and both changes of one thing are named.
 */
export function rebase(base: readonly TodoItem[], draft: Draft, current: readonly TodoItem[]): { draft: Draft; clashes: Clash[] } {
  const baseByKey = new Map(keys(base).map((key, at) => [key, base[at]!]));
  const currentByKey = new Map(keys(current).map((key, at) => [key, current[at]!]));
  const clashes: Clash[] = [];
  const merged: Draft = [];
  for (const entry of draft) {
    const was = entry.of === null ? undefined : baseByKey.get(entry.of);
    if (entry.of === null || !was) {
      // What the person added, the model may have added too by now.
      if (!current.some((item) => item.content === entry.item.content)) merged.push({ ...entry, of: null });
      continue;
    }
    const theirs = currentByKey.get(entry.of);
    const mineStatus = entry.item.status !== was.status;
    const mineContent = entry.item.content !== was.content;
    if (!theirs) {
      if (!mineStatus && !mineContent) continue;
      clashes.push({ content: entry.item.content, kind: 'removedByModel', theirs: was.content });
      merged.push({ ...entry, of: null });
      continue;
    }
    const item: TodoItem = { ...theirs };
    if (mineContent) {
      if (theirs.content !== was.content && theirs.content !== entry.item.content) {
        clashes.push({ content: entry.item.content, kind: 'content', theirs: theirs.content });
      }
      item.content = entry.item.content;
      delete item.activeForm;
    }
    if (mineStatus) {
      if (theirs.status !== was.status && theirs.status !== entry.item.status) {
        clashes.push({ content: item.content, kind: 'status', theirs: theirs.status });
      }
      item.status = entry.item.status;
      delete item.rawStatus;
    }
    merged.push({ ...entry, item });
  }
  for (const [key, was] of baseByKey) {
    const theirs = currentByKey.get(key);
    const removed = !draft.some((entry) => entry.of === key);
    if (removed && theirs && (theirs.status !== was.status || theirs.content !== was.content)) {
      clashes.push({ content: was.content, kind: 'changedByModel', theirs: theirs.status });
    }
  }
  return { draft: insertNew(merged, baseByKey, currentByKey), clashes };
}

/** The model's new items go behind the item they stand behind in its list, at the head if that one is gone. */
function insertNew(merged: Draft, base: Map<string, TodoItem>, current: Map<string, TodoItem>): Draft {
  const next = [...merged];
  let previous: string | null = null;
  for (const [key, item] of current) {
    if (!base.has(key) && !next.some((entry) => entry.of === key)) {
      const behind = previous === null ? -1 : next.findIndex((entry) => entry.of === previous);
      next.splice(behind + 1, 0, { key, of: key, item: { ...item } });
    }
    previous = key;
  }
  return next;
}
