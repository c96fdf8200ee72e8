import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { agent, created, fill, turn, user, write } from '../dev/mock/script.mjs';
import { start } from './browser.mjs';

// What only a host that one can script shows: every kind of event, breaks, restarts, thousands of sessions.

let at;
before(async () => {
  at = await start({ fill });
});
after(async () => {
  await at.stop();
  assert.deepEqual(at.faults, []);
});

test('keys: j k Enter / t ? Esc', async () => {
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

test('filters and languages', async () => {
  const page = await at.open('/');
  await page.getByRole('button', { name: '1 needs you' }).click();
  assert.deepEqual(await page.locator('a.session').evaluateAll((all) => all.map((line) => line.dataset.state)), ['waiting']);
  await page.getByRole('button', { name: /切换到中文/ }).click();
  await page.getByRole('button', { name: '1 个等你' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: '1 个等你' }).waitFor();
  await page.context().close();
});

test('the timeline: errors, malformed calls and Markdown that is only text', async () => {
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

test('a finished list is dimmed or stays where one wants it so', async () => {
  // No agent tells a real host yet that a turn has begun without writing a list.
  at.store.append('finished', [created('/home/ann/shop-api'), turn(1), ...write(['x One', 'x Two']), turn(2)]);
  const page = await at.open('/s/finished');
  const strip = page.getByTestId('strip');
  await strip.filter({ hasText: 'No list in this turn' }).waitFor();
  await page.keyboard.press('?');
  await page.locator('dialog select').selectOption('dim');
  await page.keyboard.press('Escape');
  await strip.filter({ hasText: '2 completed' }).waitFor();
  assert.match(await strip.getAttribute('class'), /carried/);
  await page.context().close();
});

test('reconnect: nothing missed, nothing doubled, whether the line broke, the host was away or has another store', async () => {
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

test('a browser signs in with the link’s code, which then is nowhere; without it, it is told how', async () => {
  const host = await start({ fill, needsLogin: true });
  const stranger = await host.open('/');
  await stranger.getByText('Not signed in').waitFor();
  const page = await host.open('/#code=let-me-in');
  await page.locator('a.session').first().waitFor();
  assert.equal(page.url(), `${host.url}/`);
  await host.stop();
});

test('a thousand sessions and one of 100,000 events: a window of rows, a small heap', async (t) => {
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
  // How long it took is told and not judged: that is the machine's, too.
  t.diagnostic(`list ${Math.round(list)} ms, session ${Math.round(session)} ms, tasks over 50 ms: ${JSON.stringify(tasks)}, heap ${Math.round(usedSize / 1e5) / 10} MB, ${rows} rows`);
  assert.ok(Number(first) < 97_500, `older pages came: ${first}`);
  assert.ok(rows < 120, `${rows} rows in the page`);
  assert.ok(usedSize < 60e6, `${usedSize} bytes`);
  await page.keyboard.press('G');
  await page.waitForFunction(() => Number([...document.querySelectorAll('[data-seq]')].at(-1).dataset.seq) > 99_990);
  await page.context().close();
  await host.stop();
});
