import type { Carry } from '../todos/list';
import { en, type Words } from '../text/en';
import { localeOf, type Locale } from '../text/locale';
import { zh } from '../text/zh';

const PREFIX = 'runsheet.';

/** How many sessions the page remembers an open list of. */
const MAX_OPENED = 200;

/** Storage may be refused (private windows): the page then forgets, and works. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    // Forgotten, then.
  }
}

function readList(key: string): string[] {
  try {
    const value: unknown = JSON.parse(read(key) ?? '[]');
    return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
  } catch {
    return [];
  }
}

/** What a person chose, kept in the browser. */
class Prefs {
  locale = $state<Locale>(localeOf(read('locale'), navigator.languages));
  carry = $state<Carry>((['hide', 'dim', 'show'] as const).find((choice) => choice === read('carry')) ?? 'hide');
  #opened = $state.raw<string[]>(readList('opened'));

  get words(): Words {
    return this.locale === 'zh' ? zh : en;
  }

  setLocale(locale: Locale): void {
    this.locale = locale;
    write('locale', locale);
  }

  setCarry(carry: Carry): void {
    this.carry = carry;
    write('carry', carry);
  }

  /** Whether the list of a session is open; it begins collapsed. */
  isOpened(session: string): boolean {
    return this.#opened.includes(session);
  }

  setOpened(session: string, opened: boolean): void {
    const others = this.#opened.filter((id) => id !== session);
    this.#opened = opened ? [session, ...others].slice(0, MAX_OPENED) : others;
    write('opened', JSON.stringify(this.#opened));
  }
}

export const prefs = new Prefs();
