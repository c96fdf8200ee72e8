import type { Status, TodoItem } from '../api/types';
import { firstLine } from '../text/visible';

/** The todo tools of the dialects, without the prefix a client puts before a server's tools. */
const TODO_TOOLS = new Set(['todo_write', 'todowrite', 'update_plan', 'todo', 'write_todos', 'manage_todo_list']);

const SPELLINGS: Record<string, Status> = {
  pending: 'pending',
  todo: 'pending',
  'not-started': 'pending',
  in_progress: 'in_progress',
  'in-progress': 'in_progress',
  inprogress: 'in_progress',
  completed: 'completed',
  done: 'completed',
  cancelled: 'cancelled',
  canceled: 'cancelled',
};

export function isTodoTool(name: string): boolean {
  const bare = name.includes('__') ? name.slice(name.lastIndexOf('__') + 2) : name;
  return TODO_TOOLS.has(bare.toLowerCase());
}

/** The list in a todo tool's arguments; none when they are no such list, and the call is then shown like any other. */
export function listInArguments(args: string): TodoItem[] | null {
  let value: unknown;
  try {
    value = JSON.parse(args);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { todos, plan } = value as { todos?: unknown; plan?: unknown };
  const items = Array.isArray(todos) ? todos : Array.isArray(plan) ? plan : null;
  if (!items) return null;
  const list: TodoItem[] = [];
  for (const item of items as unknown[]) {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return null;
    const { content, step, status, activeForm } = item as Record<string, unknown>;
    const text = typeof content === 'string' ? content : step;
    list.push({
      content: typeof text === 'string' ? text : '',
      status: (typeof status === 'string' && SPELLINGS[status.toLowerCase()]) || 'pending',
      ...(typeof activeForm === 'string' ? { activeForm } : {}),
    });
  }
  return list;
}

/** The arguments that say most of a call, in this order. */
const TELLING = ['command', 'cmd', 'file_path', 'path', 'filePath', 'pattern', 'query', 'url', 'description', 'prompt'];

/** One line about a call. */
export function summary(args: string): string {
  let value: unknown;
  try {
    value = JSON.parse(args);
  } catch {
    return firstLine(args);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return firstLine(args);
  const fields = value as Record<string, unknown>;
  for (const name of TELLING) {
    const field = fields[name];
    if (typeof field === 'string' && field.trim() !== '') return firstLine(field);
    if (Array.isArray(field) && field.every((part) => typeof part === 'string')) return firstLine(field.join(' '));
  }
  return Object.keys(fields).length === 0 ? '' : firstLine(args);
}
