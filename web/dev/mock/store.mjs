// A log in memory, with the feed over it: what a host has, without one.
import { randomUUID } from 'node:crypto';
import { Fold } from './fold.mjs';

/** How many frames a page may be behind before it is told to begin anew. */
const KEPT = 5000;

export class Store {
  constructor() {
    this.epoch = randomUUID().slice(0, 8);
    this.sessions = new Map();
    this.feed = [];
    this.position = 0;
    this.listeners = new Set();
  }

  get cursor() {
    return `${this.epoch}.${this.position}`;
  }

  /** Appends events to a session; what each of them says besides its type and data is made here. */
  append(session, events, time = new Date().toISOString()) {
    let log = this.sessions.get(session);
    if (!log) {
      log = { events: [], fold: new Fold() };
      this.sessions.set(session, log);
    }
    const changed = new Set();
    const recorded = events.map(({ type, data, time: at }) => {
      const event = { seq: log.events.length, id: randomUUID(), time: at ?? time, type, v: 1, by: 'mock', data };
      log.events.push(event);
      for (const key of log.fold.take(event)) changed.add(key);
      return event;
    });
    const { seq } = recorded.at(-1);
    // Projections first, as real hosts do: nobody may count on an order.
    for (const key of changed) this.#publish('projection', { session, key, value: log.fold.view(key) ?? null, seq });
    for (const event of recorded) this.#publish('event', { session, event });
    return recorded;
  }

  #publish(type, value) {
    this.position += 1;
    const frame = { position: this.position, type, value };
    this.feed.push(frame);
    if (this.feed.length > KEPT * 2) this.feed.splice(0, this.feed.length - KEPT);
    for (const listener of this.listeners) listener(frame);
  }

  /** The frames behind a cursor; none when it cannot be continued. */
  since(cursor) {
    const [epoch, position] = cursor.split('.');
    if (epoch !== this.epoch || !/^\d+$/.test(position ?? '')) return null;
    const at = Number(position);
    if (at > this.position || (this.feed.length > 0 && at < this.feed[0].position - 1)) return null;
    return this.feed.filter((frame) => frame.position > at);
  }

  /** As after a restore from a backup: no cursor of before holds. */
  newEpoch() {
    this.epoch = randomUUID().slice(0, 8);
    this.feed = [];
    this.position = 0;
  }

  entries(limit) {
    const all = [...this.sessions].map(([session, { fold }]) => fold.entry(session));
    return all.sort((a, b) => (a.updated < b.updated ? 1 : -1)).slice(0, limit);
  }

  history(session, { before, limit, types }) {
    const log = this.sessions.get(session);
    if (!log) return null;
    const { events, fold } = log;
    const end = before === undefined ? events.length : Math.min(before, events.length);
    let found = [];
    let at = end - 1;
    for (; at >= 0 && found.length < limit; at -= 1) {
      if (!types || types.includes(events[at].type)) found.push(events[at]);
    }
    found.reverse();
    const more = types ? events.slice(0, at + 1).some(({ type }) => types.includes(type)) : at >= 0;
    const page = { events: found, more };
    if (before !== undefined) return page;
    return { ...page, cursor: this.cursor, projections: { asOfSeq: events.length - 1, values: fold.values() } };
  }
}
