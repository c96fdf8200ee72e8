import type { RunEvent } from '../api/types';

/** How many events one request asks for. */
export const PAGE = 200;

/** How many events the page holds of a session, however long it is: what is far from view is let go. */
export const MAX_EVENTS = 3000;

export type Arrival = 'appended' | 'known' | 'gap' | 'elsewhere';

/** A contiguous piece of a session's events, moved along by pages and grown by what happens. */
export class EventWindow {
  #events: RunEvent[] = [];
  /** The highest seq known to exist. */
  #head = -1;

  get events(): readonly RunEvent[] {
    return this.#events;
  }

  get first(): number {
    return this.#events[0]?.seq ?? 0;
  }

  /** The seq behind the last event held. */
  get next(): number {
    return (this.#events.at(-1)?.seq ?? -1) + 1;
  }

  get head(): number {
    return this.#head;
  }

  get hasOlder(): boolean {
    return this.first > 0;
  }

  get hasNewer(): boolean {
    return this.next <= this.#head;
  }

  /** Begins anew with the newest page. */
  tail(events: readonly RunEvent[]): void {
    this.#events = [...events];
    this.#head = this.next - 1;
  }

  /** Goes elsewhere in the session; its end stays known. */
  jump(events: readonly RunEvent[]): void {
    this.#events = [...events];
    this.#head = Math.max(this.#head, this.next - 1);
  }

  live(event: RunEvent): Arrival {
    const atEnd = !this.hasNewer;
    if (event.seq > this.#head) this.#head = event.seq;
    if (event.seq < this.next) return 'known';
    if (!atEnd) return 'elsewhere';
    if (event.seq > this.next) return 'gap';
    this.#events.push(event);
    this.#trimHead();
    return 'appended';
  }

  /** The `before` that asks for the page in front of the window. */
  get olderBefore(): number {
    return this.first;
  }

  /** The `before` that asks for the page behind it, of so many events. */
  newerBefore(span = PAGE): number {
    return this.next + span;
  }

  older(page: readonly RunEvent[]): boolean {
    const fresh = page.filter((event) => event.seq < this.first);
    if (fresh.length === 0 || fresh.at(-1)!.seq + 1 !== this.first) return false;
    this.#events = [...fresh, ...this.#events];
    if (this.#events.length > MAX_EVENTS) this.#events.length = MAX_EVENTS;
    return true;
  }

  newer(page: readonly RunEvent[]): boolean {
    const fresh = page.filter((event) => event.seq >= this.next);
    if (fresh.length === 0 || fresh[0]!.seq !== this.next) return false;
    this.#events = [...this.#events, ...fresh];
    this.#head = Math.max(this.#head, this.next - 1);
    this.#trimHead();
    return true;
  }

  #trimHead(): void {
    // By pages, so that a window at its bound is not copied for every event.
    if (this.#events.length > MAX_EVENTS + PAGE) this.#events = this.#events.slice(-MAX_EVENTS);
  }
}
