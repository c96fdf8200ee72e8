// What only the real program shows: that the page holds what is durable when the host is killed, and that an agent is
// told of a person's edit in the words the page promised. Needs RUNSHEET_BIN.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listOf, place } from './driver.mjs';

let at;
before(async () => (at = await place()));
after(async () => {
  await at.stop();
  assert.deepEqual(at.faults, []);
});

/** Keeps every frame the page's handlers are given, and when. */
const spy = () => {
  globalThis.frames_ = [];
  const Real = globalThis.EventSource;
  globalThis.EventSource = class extends Real {
    constructor(...args) {
      super(...args);
      for (const type of ['event', 'projection', 'reset']) {
        this.addEventListener(type, ({ data }) => {
          const { session, event, key, seq } = JSON.parse(data);
          globalThis.frames_.push({ type, session, key, seq: event?.seq ?? seq, at: Date.now() });
        });
      }
    }
  };
};

async function watched(path) {
  const page = await at.open('/');
  await page.context().addInitScript(spy);
  await page.goto(at.url + path);
  await page.getByTestId('link').filter({ hasText: 'live' }).waitFor();
  return page;
}

const frames = (page) => page.evaluate(() => globalThis.frames_);
const head = async (session) => {
  const lines = (await at.host.run('export', session)).trim().split('\n');
  return JSON.parse(lines.at(-1)).event.seq;
};

test('the host is killed, again and again, while an agent writes: nothing is missed, doubled, or shown before it is durable', async () => {
  const session = await at.session();
  const page = await watched(`/s/${session.id}`);
  const begun = await head(session.id);
  const steps = Array.from({ length: 12 }, (_, n) => `Step ${n + 1}`);
  const list = (done) => steps.map((step, n) => `${n < done ? 'x' : n === done ? '*' : 'o'} ${step}`);
  let done = 0;
  for (let round = 0; round < 3; round += 1) {
    await session.write(list((done += 1)));
    await session.write(list((done += 1)));
    await at.host.kill();
    const shown = Math.max(...(await frames(page)).map(({ seq }) => seq));
    assert.ok(shown <= (await head(session.id)), 'no frame is ahead of the log');
    await page.getByTestId('link').filter({ hasText: 'reconnecting' }).waitFor();
    await session.write(list((done += 1)));
    await session.write(list((done += 1)));
    await at.host.restart();
    await page.getByTestId('link').filter({ hasText: 'live' }).waitFor();
  }
  await page.getByTestId('counts').filter({ hasText: '12 completed' }).waitFor();
  const end = await head(session.id);
  await page.waitForFunction((end) => globalThis.frames_.some(({ type, seq }) => type === 'event' && seq === end), end);
  const seqs = (await frames(page)).filter(({ type, session: of }) => type === 'event' && of === session.id).map(({ seq }) => seq);
  assert.deepEqual(seqs, Array.from({ length: end - seqs[0] + 1 }, (_, n) => seqs[0] + n), 'each event once, in order');
  assert.equal(seqs[0], begun + 1);
  assert.ok(!(await frames(page)).some(({ type }) => type === 'reset'), 'it went on where it was');
  const rows = await page.locator('[data-seq]').evaluateAll((all) => all.map((row) => Number(row.dataset.seq)));
  assert.equal(new Set(rows).size, rows.length, 'no row twice');
  assert.ok(rows.at(-1) >= end - 2, `the last row is the last write: ${rows.at(-1)} of ${end}`);
  await page.context().close();
});

test('an agent is told of an edit in the words the page promised, once', async () => {
  const session = await at.session();
  await session.write(['* Read', 'o Write', 'o Check']);
  const page = await at.open(`/s/${session.id}`);
  await page.getByTestId('counts').filter({ hasText: '1 in progress' }).waitFor();
  await page.keyboard.press('e');
  const rows = page.getByTestId('editor-row');
  await rows.nth(0).getByRole('checkbox').check();
  await rows.nth(1).getByRole('textbox').fill('Write it “well”');
  await page.getByLabel('Add an item').fill('向我提问');
  await page.keyboard.press('Enter');
  const promised = await page.getByTestId('told').locator('li').allInnerTexts();
  assert.equal(promised.length, 3);
  await page.getByRole('button', { name: 'Save' }).click();
  await rows.first().waitFor({ state: 'detached' });

  const stale = listOf(['x Read', '* Write', 'o Check']);
  const { isError, blocks } = await session.agent.call(stale);
  assert.equal(isError, true);
  const [, said] = /^What the person changed:\n((?:- .*\n)*)The list now:\n/.exec(blocks[1]);
  assert.deepEqual(said.trimEnd().split('\n').map((line) => line.slice(2)), promised);
  assert.equal((await session.todos()).author, 'human', 'the refused list changed nothing');
  assert.equal((await session.agent.call(stale)).isError, false, 'told once');
  await page.getByTestId('counts').filter({ hasText: '1 in progress' }).waitFor();
  await page.context().close();
});

test('two pages, one edit each at one revision: one is saved, the other is carried over', async () => {
  const session = await at.session();
  await session.write(['o One', 'o Two']);
  const pages = [await at.open(`/s/${session.id}`), await at.open(`/s/${session.id}`)];
  for (const [n, page] of pages.entries()) {
    await page.getByTestId('counts').filter({ hasText: '2 pending' }).waitFor();
    await page.keyboard.press('e');
    await page.getByTestId('editor-row').nth(n).getByRole('checkbox').check();
  }
  await pages[0].getByRole('button', { name: 'Save' }).click();
  await pages[1].getByTestId('moved-on').waitFor();
  await pages[1].getByRole('button', { name: 'Save' }).click();
  await pages[1].getByTestId('conflict').waitFor();
  await pages[1].getByRole('button', { name: 'Save' }).click();
  await pages[0].getByTestId('counts').filter({ hasText: '2 completed' }).waitFor();
  for (const page of pages) await page.context().close();
});

test('a stranger’s browser is told how to sign in, and a used link signs nobody in', async () => {
  const page = await at.open('/', { storageState: undefined });
  await page.getByText('Not signed in').waitFor();
  await page.goto(`${at.url}/#code=${at.host.code}`);
  await page.getByText('Not signed in').waitFor();
  await page.context().close();
});

test('from the answer to a write to the page’s handler', async (t) => {
  const session = await at.session();
  const page = await watched(`/s/${session.id}`);
  const writes = Number(process.env.RUNSHEET_SOAK ? 400 : 40);
  const answered = [];
  for (let n = 0; n < writes; n += 1) {
    await session.write([`* Step ${n}`]);
    answered.push(Date.now());
    await new Promise((done) => setTimeout(done, 15));
  }
  const end = await head(session.id);
  await page.waitForFunction((end) => globalThis.frames_.some(({ type, seq }) => type === 'event' && seq === end), end);
  // A write is three events, the list the second of them; the projection comes with them.
  const arrived = (await frames(page)).filter(({ type, seq }) => type === 'event' && seq > end - 3 * writes && (end - seq) % 3 === 1);
  assert.equal(arrived.length, writes);
  const late = arrived.map(({ at }, n) => at - answered[n]).sort((a, b) => a - b);
  t.diagnostic(`answer → page: p50 ${late[Math.floor(writes / 2)]} ms, p99 ${late[Math.floor(writes * 0.99)]} ms, of ${writes}`);
  await page.context().close();
});
