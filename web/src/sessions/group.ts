import type { SessionEntry, SessionState } from '../api/types';
import { project } from '../text/format';

export type Filter = 'all' | 'need' | 'working' | 'open' | 'done';

const STATES: Record<Exclude<Filter, 'all'>, readonly SessionState[]> = {
  need: ['waiting', 'stalled'],
  working: ['working', 'waiting', 'stalled'],
  open: ['paused'],
  done: ['done', 'idle'],
};

export function needsYou({ state }: SessionEntry): boolean {
  return STATES.need.includes(state);
}

export function matches(entry: SessionEntry, filter: Filter, query: string): boolean {
  if (filter !== 'all' && !STATES[filter].includes(entry.state)) return false;
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return true;
  const text = [entry.title, entry.agent.name, entry.cwd, entry.running, entry.session].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** A line of the list: a project's head, or a session. */
export type Line = { kind: 'project'; key: string; name: string; path: string } | { kind: 'session'; key: string; entry: SessionEntry };

/** Sessions by project; projects and sessions stay in the order they came in, which is newest first. */
export function grouped(entries: readonly SessionEntry[]): Line[] {
  const groups = new Map<string, SessionEntry[]>();
  for (const entry of entries) {
    const path = entry.cwd ?? '';
    const group = groups.get(path);
    if (group) group.push(entry);
    else groups.set(path, [entry]);
  }
  const lines: Line[] = [];
  for (const [path, group] of groups) {
    lines.push({ kind: 'project', key: `p${path}`, name: project(path), path });
    for (const entry of group) lines.push({ kind: 'session', key: entry.session, entry });
  }
  return lines;
}
