import { describe, expect, test } from 'vitest';
import { grouped, matches } from '../src/sessions/group';
import type { SessionEntry } from '../src/api/types';
import { en } from '../src/text/en';
import { age, duration, project } from '../src/text/format';
import { localeOf } from '../src/text/locale';
import { firstLine, visible } from '../src/text/visible';
import { zh } from '../src/text/zh';

describe('languages', () => {
  test('the choice, else the browser’s first that we have, else English', () => {
    expect(localeOf('zh', ['en'])).toBe('zh');
    expect(localeOf(null, ['fr-FR', 'zh-TW', 'en'])).toBe('zh');
    expect(localeOf('klingon', ['fr'])).toBe('en');
  });

  test('every text is there in both, and none is left in English', () => {
    const same: string[] = [];
    const walk = (a: unknown, b: unknown, path: string): void => {
      expect(typeof b, path).toBe(typeof a);
      if (typeof a === 'string' && a === b) same.push(path);
      if (typeof a === 'function') expect((b as () => string).length, path).toBe((a as () => string).length);
      if (typeof a === 'object' && a !== null) {
        expect(Object.keys(b as object).sort(), path).toEqual(Object.keys(a).sort());
        for (const key of Object.keys(a)) walk((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], `${path}.${key}`);
      }
    };
    walk(en, zh, 'words');
    expect(same).toEqual(['words.product']);
  });
});

describe('times', () => {
  test('durations have two figures at most', () => {
    expect([0, 999, 1000, 3210, 9949, 12_400, 59_499, 60_000, 5_400_000].map((ms) => duration(ms, 'en'))).toEqual(['0 ms', '999 ms', '1.0 s', '3.2 s', '9.9 s', '12 s', '59 s', '1 min', '1 h']);
    expect(duration(3210, 'zh')).toBe('3.2 秒');
  });

  test('ages are whole and never negative', () => {
    expect([-5000, 59_999, 60_000, 3_599_999, 86_400_000].map((ms) => age(ms, 'en'))).toEqual(['0 s', '59 s', '1 min', '59 min', '1 d']);
  });

  test('a project is the last part of its path', () => {
    expect([project('/home/ann/shop-api/'), project('C:\\work\\site'), project(null), project('/')]).toEqual(['shop-api', 'site', '', '']);
  });
});

describe('foreign text', () => {
  test('nothing hides in it', () => {
    expect(visible('a\u001b[31mb\u0007')).toBe('a\\x1b[31mb\\x07');
    expect(visible('x\u202Egnp.exe')).toBe('x\\u202egnp.exe');
    expect(visible('tab\tand\nline')).toBe('tab\tand\nline');
  });

  test('what the eye cannot see is spelt out where there is nothing else', () => {
    expect(visible('\u200b\u200d')).toBe('\\u200b\\u200d');
    expect(visible('a\u200bb')).toBe('a\u200bb');
    expect(visible('👩‍💻 ok')).toBe('👩‍💻 ok');
  });

  test('the first line is the first with something on it, bounded', () => {
    expect(firstLine('\n  \n two \n three')).toBe('two');
    expect(firstLine('x'.repeat(10_000)).length).toBe(301);
  });
});

describe('the list of sessions', () => {
  const entry = (session: string, cwd: string | null, state: SessionEntry['state'] = 'working'): SessionEntry => ({
    session, cwd, state, agent: { name: 'codex' }, title: `Title ${session}`, counts: { pending: 0, inProgress: 0, completed: 0, cancelled: 0 }, running: 'Running the tests', updated: '',
  });

  test('groups by project and keeps the order', () => {
    const lines = grouped([entry('a', '/x/one'), entry('b', '/x/two'), entry('c', '/x/one'), entry('d', null)]);
    expect(lines.map(({ key }) => key)).toEqual(['p/x/one', 'a', 'c', 'p/x/two', 'b', 'p', 'd']);
  });

  test('finds every word of a query somewhere, within the filter', () => {
    const one = entry('a', '/x/one', 'waiting');
    expect(matches(one, 'all', 'TESTS codex')).toBe(true);
    expect(matches(one, 'all', 'tests nowhere')).toBe(false);
    expect(matches(one, 'need', '')).toBe(true);
    expect(matches(one, 'done', '')).toBe(false);
  });
});
