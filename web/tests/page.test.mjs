import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { agent, call, fill, result, turn, user, write } from '../dev/mock/script.mjs';
import { REAL, start } from './browser.mjs';

// What only a host that one can script shows: every kind of event, breaks, restarts, thousands of sessions.
const skip = REAL ? 'needs the mock' : false;
const axe = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

let at;
let empty;
before(async () => {
  if (skip) return;
  at = await start({ fill });
  empty = await start({ fill: () => {} });
});
after(async () => {
  if (skip) return;
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
  'a session': { path: '/s/fix-login' },
  'an open list': { path: '/s/fix-login', act: (page) => page.getByTestId('strip-toggle').click() },
  'the history': { path: '/s/fix-login/w/2', act: (page) => page.getByTestId('scrubber').getByTestId('todo-item').first().waitFor() },
  'an edit': { path: '/s/fix-login', act: (page) => page.keyboard.press('e') },
  'no tool': { path: '/s/no-tool', act: (page) => page.getByTestId('strip-toggle').click() },
  'no such session': { path: '/s/nobody' },
  help: { path: '/s/fix-login', act: (page) => page.keyboard.press('?') },
};

for (const [name, { host = () => at, path, act }] of Object.entries(VIEWS)) {
  for (const [colorScheme, locale, width] of [['light', 'en-GB', 1280], ['dark', 'zh-CN', 360]]) {
    test(`axe finds nothing: ${name}, ${colorScheme}, ${locale}, ${width} px`, { skip }, async () => {
      const page = await host().open(path, { colorScheme, locale, viewport: { width, height: 800 } });
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

test('keys: j k Enter / t ? Esc', { skip }, async () => {
  const page = await at.open('/');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  const first = await page.locator('a.session.selected').getAttribute('data-session');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/s/${first}`);
  await page.getByTestId('counts').waitFor();
  await page.keyboard.press('t');
  await page.getByTestId('strip').getByTestId('todo-item').first().waitFor();
  await page.keyboard.press('t');
  assert.equal(await page.getByTestId('strip-toggle').getAttribute('aria-expanded'), 'false');
  await page.keyboard.press('/');
  await page.keyboard.type('changelog');
  await page.waitForFunction(() => document.querySelectorAll('a.session').length === 1);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelectorAll('a.session').length > 1);
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.waitForURL(`${at.url}/`);
  await page.context().close();
});

test('filters and languages', { skip }, async () => {
  const page = await at.open('/');
  await page.getByRole('button', { name: '1 needs you' }).click();
  assert.deepEqual(await page.locator('a.session').evaluateAll((all) => all.map((line) => line.dataset.state)), ['waiting']);
  await page.getByRole('button', { name: /切换到中文/ }).click();
  await page.getByRole('button', { name: '1 个等你' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: '1 个等你' }).waitFor();
  await page.context().close();
});

test('the timeline: errors, malformed calls and Markdown that is only text', { skip }, async () => {
  const page = await at.open('/s/fix-login');
  const timeline = page.getByTestId('timeline');
  await timeline.getByText('arguments are not valid JSON').waitFor();
  assert.equal(await timeline.locator('[data-kind=call]').filter({ hasText: 'todo_write' }).count(), 1, 'a malformed call is a generic row');
  at.store.append('fix-login', [agent('<script>globalThis.pwned = 1</script> <b>not bold</b> ![x](https://198.51.100.7/x.png) [bad](javascript:alert(1)) [good](https://example.org) **bold**')]);
  await timeline.getByText('not bold').waitFor();
  const said = timeline.locator('.markdown').last();
  assert.equal(await page.evaluate(() => globalThis.pwned), undefined);
  assert.equal(await said.locator('img, script, b').count(), 0);
  assert.deepEqual(await said.locator('a').evaluateAll((all) => all.map((link) => [link.textContent, link.rel])), [['x', 'noopener noreferrer'], ['good', 'noopener noreferrer']], 'an image is a link one may follow');
  await page.context().close();
});

test('reconnect: nothing missed, nothing doubled, whether the line broke, the host was away or has another store', { skip }, async () => {
  const host = await start({ fill });
  const page = await host.open('/s/changelog');
  const seqs = () => page.locator('[data-seq]').evaluateAll((rows) => rows.map((row) => row.dataset.seq));
  const said = (text) => page.getByTestId('timeline').getByText(text).waitFor();
  await page.getByTestId('counts').waitFor();

  await host.control('hang-up');
  host.store.append('changelog', [turn(2), user('Second turn')]);
  await said('Second turn');

  await host.control('down');
  await page.getByTestId('link').filter({ hasText: 'reconnecting' }).waitFor();
  host.store.append('changelog', [agent('While you were away')]);
  host.store.append('changelog', write(['* Third thing']));
  await host.control('up');
  await said('While you were away');
  await page.getByTestId('counts').filter({ hasText: '1 in progress' }).waitFor();

  host.store.append('changelog', [agent('Before the reset')]);
  await host.control('epoch');
  host.store.append('changelog', [agent('After the reset')]);
  await said('After the reset');
  const shown = await seqs();
  assert.equal(new Set(shown).size, shown.length, 'no row twice');
  assert.deepEqual(shown, [...shown].sort((a, b) => a - b));
  const { open } = await host.control('streams');
  assert.equal(open, 1, 'one stream for the page');
  await page.context().close();
  await host.stop();
  assert.deepEqual(host.faults, []);
});

test('a browser signs in with the link’s code, which then is nowhere; without it, it is told how', { skip }, async () => {
  const host = await start({ fill, needsLogin: true });
  const stranger = await host.open('/');
  await stranger.getByText('Not signed in').waitFor();
  const page = await host.open('/#code=let-me-in');
  await page.locator('a.session').first().waitFor();
  assert.equal(page.url(), `${host.url}/`);
  await host.stop();
});

test('a thousand sessions and one of 100,000 events: quick, no long task, a small heap', { skip }, async () => {
  const { fillLong, fillMany } = await import('../dev/mock/script.mjs');
  const host = await start({
    fill: (store) => {
      fillMany(store, 1000);
      fillLong(store, 'long', 100_000);
    },
  });
  const page = await host.open('/');
  const ms = async (path, ready) => {
    const begin = performance.now();
    await page.goto(host.url + path);
    await ready();
    return performance.now() - begin;
  };
  const list = await ms('/', () => page.locator('a.session').first().waitFor());
  const session = await ms('/s/long', () => page.locator('[data-kind=call]').first().waitFor());
  await page.evaluate(() => {
    globalThis.long = [];
    new PerformanceObserver((entries) => globalThis.long.push(...entries.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
  });
  const scroller = page.getByTestId('timeline');
  await scroller.hover();
  for (let n = 0; n < 240; n += 1) {
    await page.mouse.wheel(0, -500);
    await page.waitForTimeout(20);
  }
  const session2 = await page.context().newCDPSession(page);
  await session2.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session2.send('Runtime.getHeapUsage');
  const tasks = await page.evaluate(() => globalThis.long);
  const first = await page.locator('[data-seq]').first().getAttribute('data-seq');
  const rows = await page.locator('[data-seq]').count();
  console.log({ list: Math.round(list), session: Math.round(session), long: tasks, heapMb: Math.round(usedSize / 1e5) / 10, first, rows });
  assert.ok(Number(first) < 97_500, `older pages came: ${first}`);
  assert.ok(rows < 120, `${rows} rows in the page`);
  assert.ok(list < 1000 && session < 1000, `${list} ms, ${session} ms`);
  assert.ok(usedSize < 60e6, `${usedSize} bytes`);
  assert.deepEqual(tasks.filter((duration) => duration > 50 * Number(process.env.SLOWNESS ?? 1)), []);
  await page.keyboard.press('G');
  await page.waitForFunction(() => Number([...document.querySelectorAll('[data-seq]')].at(-1).dataset.seq) > 99_990);
  await page.context().close();
  await host.stop();
});
