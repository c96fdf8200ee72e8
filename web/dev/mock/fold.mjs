// The host's folds, as far as the page sees them, for a session that is played and not recorded.

export const NO_COUNTS = { pending: 0, inProgress: 0, completed: 0, cancelled: 0 };

export function countsOf(list) {
  const counts = { ...NO_COUNTS };
  for (const { status } of list) counts[status === 'in_progress' ? 'inProgress' : status] += 1;
  return counts;
}

const open = (status) => status === 'pending' || status === 'in_progress';
const label = (item) => (item.status === 'in_progress' && item.activeForm?.trim() ? item.activeForm : item.content);

function running(list) {
  const item = list.find(({ status }) => status === 'in_progress');
  return item ? label(item) : null;
}

function keysOf(list) {
  const seen = new Map();
  return list.map((item) => {
    const key = item.id ?? item.content;
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    return nth === 1 ? key : `${key}\0${nth}`;
  });
}

function timesOf(before, list, time) {
  const known = new Map((before ? keysOf(before.todos) : []).map((key, at) => [key, [before.todos[at].status, before.times[at]]]));
  return keysOf(list).map((key, at) => {
    const [was, times] = known.get(key) ?? ['pending', {}];
    const { status } = list[at];
    if (status === was) return times;
    if (status === 'in_progress') return { started: time };
    if (status === 'pending') return times.started ? { started: times.started } : {};
    return { ...times, ended: time };
  });
}

function changesOf(before, list) {
  const changes = { added: [], removed: [], removedOpen: 0, completed: [], reopened: [], reworded: [] };
  const known = new Map((before ? keysOf(before) : []).map((key, at) => [key, before[at]]));
  keysOf(list).forEach((key, at) => {
    const item = list[at];
    const was = known.get(key);
    known.delete(key);
    if (!was) changes.added.push(item.content);
    else if (was.content !== item.content) changes.reworded.push(item.content);
    if (item.status === 'completed' && was?.status !== 'completed') changes.completed.push(item.content);
    if (was && open(item.status) && !open(was.status)) changes.reopened.push(item.content);
  });
  changes.removed = [...known.values()].map(({ content }) => content);
  changes.removedOpen = [...known.values()].filter(({ status }) => open(status)).length;
  return changes;
}

/** One session's projections. `take` says which of them an event changed. */
export class Fold {
  constructor() {
    this.capable = false;
    this.turn = 0;
    this.openTurn = null;
    this.revision = 0;
    this.main = null;
    this.agents = [];
    this.title = null;
    this.given = false;
    this.header = { agent: { name: '?' } };
    this.state = null;
    this.created = null;
    this.updated = null;
    this.events = 0;
  }

  take(event) {
    const { type, data, time } = event;
    const changed = new Set(['catalogue', 'stats']);
    this.updated = time;
    this.events += 1;
    if (type === 'session/created') {
      this.header = data;
      this.created = time;
      this.capable = data.agent.dialect !== undefined;
      if (this.capable) changed.add('todos');
    } else if (type === 'session/title') {
      this.title = data.title;
      this.given = true;
      changed.add('title');
    } else if (type === 'user/message' && this.title === null) {
      this.title = data.content[0]?.text.split('\n')[0].slice(0, 120) ?? null;
      changed.add('title');
    } else if (type === 'turn/start') {
      this.turn = data.turn;
      this.openTurn = data.turn;
      this.state = null;
      if (this.main?.standing) {
        const stays = this.main.lifetime === 'session' && this.main.todos.some(({ status }) => open(status));
        this.main.standing = stays;
        if (!stays) changed.add('todos');
      }
    } else if (type === 'turn/end') {
      this.openTurn = null;
      this.state = null;
    } else if (type === 'permission/asked') {
      this.state = 'waiting';
    } else if (type === 'permission/decided') {
      this.state = null;
    } else if (type === 'todo/write') {
      this.capable = true;
      this.#write(event);
      changed.add('todos');
    }
    return changed;
  }

  #write({ seq, time, data }) {
    if (data.scope !== 'main') {
      this.agents = this.agents.filter(({ scope }) => scope !== data.scope);
      this.agents.unshift({ scope: data.scope, seq, time, counts: countsOf(data.todos), running: running(data.todos) });
      return;
    }
    this.revision += 1;
    const before = this.main;
    this.main = {
      seq,
      time,
      author: data.author,
      turn: this.turn,
      lifetime: data.lifetime,
      standing: true,
      todos: data.todos,
      times: timesOf(before, data.todos, time),
      changes: changesOf(before?.todos ?? null, data.todos),
    };
  }

  view(key) {
    const counts = this.main ? countsOf(this.main.todos) : null;
    switch (key) {
      case 'todos': {
        if (!this.capable) return undefined;
        const { main } = this;
        return {
          standing: main?.standing ? main.todos : null,
          carried: main && !main.standing ? main.todos : null,
          counts: counts ?? NO_COUNTS,
          revision: this.revision,
          ...(main ? { seq: main.seq, time: main.time, author: main.author, turn: main.turn, times: main.times, changes: main.changes } : {}),
          agents: this.agents,
        };
      }
      case 'title':
        return this.title;
      case 'stats':
        return { events: this.events, turns: this.turn, todoWrites: this.revision };
      case 'catalogue':
        return {
          agent: this.header.agent,
          cwd: this.header.cwd ?? null,
          title: { title: this.title, given: this.given },
          created: this.created,
          updated: this.updated,
          openTurn: this.openTurn,
          counts,
          running: this.main ? running(this.main.todos) : null,
          ...(this.state ? { state: this.state } : {}),
        };
      default:
        return undefined;
    }
  }

  values() {
    const keys = ['todos', 'title', 'stats', 'catalogue'];
    return Object.fromEntries(keys.map((key) => [key, this.view(key)]).filter(([, value]) => value !== undefined));
  }

  entry(session) {
    const { agent, cwd, title, counts, running: runs, updated, state } = this.view('catalogue');
    const items = counts ?? NO_COUNTS;
    const left = items.pending + items.inProgress;
    const total = left + items.completed + items.cancelled;
    const derived = this.openTurn !== null ? 'working' : left > 0 ? 'paused' : total > 0 ? 'done' : 'idle';
    return {
      session,
      agent: { name: agent.name, version: agent.version ?? null },
      cwd,
      title: title.title,
      state: state ?? derived,
      counts: items,
      running: runs,
      updated,
    };
  }
}
