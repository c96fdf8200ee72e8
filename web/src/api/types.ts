/** The wire shapes of the host API, v1. Unknown fields are left alone; the client reads only what is named here. */

export type Status = 'pending' | 'in_progress' | 'completed' | 'cancelled';

export interface TodoItem {
  content: string;
  status: Status;
  id?: string;
  activeForm?: string;
  priority?: string;
  rawStatus?: string;
}

export interface Counts {
  pending: number;
  inProgress: number;
  completed: number;
  cancelled: number;
}

export type Author = 'model' | 'human' | 'carry' | 'restore' | 'import';

export interface ItemTimes {
  started?: string;
  ended?: string;
}

export interface Changes {
  added: string[];
  removed: string[];
  removedOpen: number;
  completed: string[];
  reopened: string[];
  reworded: string[];
}

export interface AgentList {
  scope: string;
  seq: number;
  time: string;
  counts: Counts;
  running: string | null;
}

/** The projection `todos`. Its absence says that the agent has no todo tool. */
export interface TodosView {
  standing: TodoItem[] | null;
  carried: TodoItem[] | null;
  counts: Counts;
  revision: number;
  /** After a person's edit the agent has not been told of: the list as it knows it. */
  untold?: TodoItem[];
  seq?: number;
  time?: string;
  author?: Author;
  turn?: number;
  times?: ItemTimes[];
  changes?: Changes;
  agents: AgentList[];
}

export type SessionState = 'working' | 'waiting' | 'stalled' | 'paused' | 'done' | 'idle' | 'unknown';

export interface Agent {
  name: string;
  version?: string | null;
}

/** One session of the list. */
export interface SessionEntry {
  session: string;
  agent: Agent;
  cwd: string | null;
  title: string | null;
  state: SessionState;
  counts: Counts;
  running: string | null;
  updated: string;
}

/** The projection `catalogue`: one session's line as the log has it. */
export interface CatalogueView {
  agent: Agent;
  cwd: string | null;
  title: string | null | { title: string | null };
  created: string;
  updated: string;
  openTurn: number | null;
  counts: Counts | null;
  running: string | null;
  /** What the session is doing, where the host says it; else it follows from the fields above. */
  state?: SessionState;
}

export interface RunEvent {
  seq: number;
  id: string;
  time: string;
  type: string;
  v: number;
  by: string;
  data: unknown;
  ignorable?: boolean;
}

export interface Projections {
  asOfSeq: number;
  values: Record<string, unknown>;
}

export interface HistoryPage {
  events: RunEvent[];
  more: boolean;
  cursor?: string;
  projections?: Projections;
}

export interface SessionPage {
  cursor: string;
  sessions: SessionEntry[];
}

export interface ProjectionFrame {
  session: string;
  key: string;
  value: unknown;
  seq: number;
}

export interface EventFrame {
  session: string;
  event: RunEvent;
}
