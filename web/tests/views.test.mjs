// Every view, in both themes and languages, wide and narrow: what axe finds, and that nothing sticks out.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { place } from './driver.mjs';

const axe = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

let at;
let empty;
before(async () => {
  at = await place({ filled: true });
  empty = await place();
});
after(async () => {
  await at.stop();
  await empty.stop();
  assert.deepEqual([...at.faults, ...empty.faults], []);
});

async function violations(page) {
  await page.evaluate(`${axe}; undefined`);
  const found = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`).join(' | ')}`);
}

const VIEWS = {
  'no session': { host: () => empty, path: '/' },
  'the list': { path: '/' },
  'a session': { session: 'fix-login' },
  'an open list': { session: 'fix-login', act: (page) => page.getByTestId('strip-toggle').click() },
  'the history': { path: '/w/2', session: 'fix-login', act: (page) => page.getByTestId('scrubber').getByTestId('todo-item').first().waitFor() },
  'an edit': { session: 'fix-login', act: (page) => page.keyboard.press('e') },
  'no tool': { session: 'no-tool', act: (page) => page.getByTestId('strip-toggle').click() },
  'no such session': { path: '/s/nobody' },
  help: { session: 'fix-login', act: (page) => page.keyboard.press('?') },
};

for (const [name, { host = () => at, session, path = '', act }] of Object.entries(VIEWS)) {
  for (const [colorScheme, locale, width] of [['light', 'en-GB', 1280], ['dark', 'zh-CN', 360]]) {
    test(`axe finds nothing: ${name}, ${colorScheme}, ${locale}, ${width} px`, async () => {
      const page = await host().open(session ? at.path(session) + path : path, { colorScheme, locale, viewport: { width, height: 800 } });
      await page.waitForTimeout(200);
      await act?.(page);
      await page.waitForTimeout(200);
      assert.deepEqual(await violations(page), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
      assert.equal(await page.evaluate(() => document.documentElement.lang), locale === 'zh-CN' ? 'zh-CN' : 'en');
      await page.context().close();
    });
  }
}
