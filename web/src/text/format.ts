import type { Locale } from './locale';

const UNITS = {
  en: { ms: ' ms', s: ' s', min: ' min', h: ' h', d: ' d' },
  zh: { ms: ' 毫秒', s: ' 秒', min: ' 分', h: ' 小时', d: ' 天' },
} as const;

/** How long something took: two figures at most, since a glance reads no more. */
export function duration(ms: number, locale: Locale): string {
  const unit = UNITS[locale];
  if (ms < 1000) return `${Math.round(ms)}${unit.ms}`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1)}${unit.s}`;
  if (ms < 59_500) return `${Math.round(ms / 1000)}${unit.s}`;
  return age(ms, locale);
}

/** How long ago something was, or how long it has run: whole units, so that it changes seldom. */
export function age(ms: number, locale: Locale): string {
  const unit = UNITS[locale];
  const s = Math.max(0, Math.floor(ms / 1000));
  if (s < 60) return `${s}${unit.s}`;
  if (s < 3600) return `${Math.floor(s / 60)}${unit.min}`;
  if (s < 86_400) return `${Math.floor(s / 3600)}${unit.h}`;
  return `${Math.floor(s / 86_400)}${unit.d}`;
}

const FIELDS = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format costs a hundred times what using it does. */
function format(locale: Locale, sameDay: boolean): Intl.DateTimeFormat {
  const key = `${locale}${sameDay}`;
  let found = formats.get(key);
  if (!found) {
    const fields = sameDay ? FIELDS : ({ month: 'short', day: 'numeric', ...FIELDS } as const);
    found = new Intl.DateTimeFormat(locale === 'zh' ? 'zh-CN' : 'en-GB', fields);
    formats.set(key, found);
  }
  return found;
}

/** The time of day, with the date where it was another day. */
export function clock(time: string, locale: Locale, now: number): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  const sameDay = at.toDateString() === new Date(now).toDateString();
  return format(locale, sameDay).format(at);
}

/** The last part of a path: what a project is called. */
export function project(cwd: string | null): string {
  const parts = (cwd ?? '').split(/[/\\]/).filter((part) => part !== '');
  return parts.at(-1) ?? '';
}
