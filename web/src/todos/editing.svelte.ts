import * as host from '../api/host';
import { HostError } from '../api/host';
import type { TodoItem, TodosView } from '../api/types';
import * as edit from './edit';
import type { Clash, Draft } from './edit';

/** One edit of a person's, from its first change until it is saved or given up. */
export class Editing {
  draft = $state.raw<Draft>([]);
  base = $state.raw<readonly TodoItem[]>([]);
  /** The list the agent knows: the base, or one from before an edit it has not been told of. */
  known = $state.raw<readonly TodoItem[]>([]);
  revision = $state(0);
  saving = $state(false);
  /** The list moved on, and the draft was carried over to it: what collided. */
  clashes = $state.raw<readonly Clash[] | null>(null);
  error = $state<HostError | null>(null);

  constructor(
    readonly session: string,
    view: TodosView,
  ) {
    this.base = view.standing ?? [];
    this.known = view.untold ?? this.base;
    this.draft = edit.draftOf(this.base);
    this.revision = view.revision;
  }

  get changed(): boolean {
    return edit.changed(this.base, this.draft);
  }

  get problem(): ReturnType<typeof edit.problem> {
    return edit.problem(this.draft);
  }

  change(draft: Draft): void {
    this.draft = draft;
    this.error = null;
  }

  /** Saves; the view as the host has it then, or none when something is left to look at. */
  async save(): Promise<TodosView | null> {
    if (this.saving || this.problem) return null;
    this.saving = true;
    this.error = null;
    try {
      const todos = edit.listOf(this.draft).map((item) => ({ ...item, content: item.content.trim() }));
      return await host.putTodos(this.session, this.revision, todos);
    } catch (error) {
      const failed = error instanceof HostError ? error : new HostError(0, 'unknown', String(error));
      if (failed.status === 409 && failed.current) this.#carryOver(failed.current);
      else this.error = failed;
      return null;
    } finally {
      this.saving = false;
    }
  }

  #carryOver(current: TodosView): void {
    const list = current.standing ?? [];
    const { draft, clashes } = edit.rebase(this.base, this.draft, list);
    this.base = list;
    this.known = current.untold ?? list;
    this.draft = draft;
    this.revision = current.revision;
    this.clashes = clashes;
  }
}
