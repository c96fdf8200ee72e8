import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { place } from './driver.mjs';

let at;
before(async () => (at = await place()));
after(async () => {
  await at.stop();
  assert.deepEqual(at.faults, []);
});

const strip = (page) => page.getByTestId('strip');
const says = (page, text) => strip(page).filter({ hasText: text }).first().waitFor();

test('the strip over two turns: collapsed, counted, opened, finished, gone with the next turn', async () => {
  const session = await at.session();
  const page = await at.open(`/s/${session.id}`);
  await says(page, /No list in this turn|empty list/);

  await session.write(['x Read the code', '* Write the fix', 'o Run the tests']);
  await says(page, '1 completed\u2002·\u20021 in progress\u2002·\u20021 pending');
  await says(page, 'Write the fix');
  const toggle = page.getByTestId('strip-toggle');
  assert.equal(await toggle.getAttribute('aria-expanded'), 'false');
  assert.equal(await page.getByTestId('todo-item').filter({ hasText: 'Run the tests' }).locator('visible=true').and(strip(page).getByTestId('todo-item')).count(), 0);

  await toggle.click();
  const items = strip(page).getByTestId('todo-item');
  assert.deepEqual(await items.evaluateAll((all) => all.map((item) => item.dataset.status)), ['completed', 'in_progress', 'pending']);
  assert.match(await items.nth(1).innerText(), /in progress:/);

  await page.reload();
  await strip(page).getByTestId('todo-item').first().waitFor();
  assert.equal(await toggle.getAttribute('aria-expanded'), 'true', 'remembered for the session');

  await session.write(['x Read the code', 'x Write the fix', 'x Run the tests']);
  await page.waitForFunction(() => document.querySelector('[data-testid=counts]')?.textContent === '3 completed');
  await session.nextTurn();
  await says(page, /No list in this turn|empty list/);
  assert.equal(await items.count(), 0);

  await session.write(['* Second turn']);
  await says(page, '1 in progress');
  await page.context().close();
});

test('several run at once, and at 360 px one still sees that more run', async () => {
  const session = await at.session();
  const long = 'A very long description of what is going on right now that can never fit on such a screen';
  await session.write([`* ${long}`, '* Second', '* Third', 'o Fourth']);
  const page = await at.open(`/s/${session.id}`, { viewport: { width: 360, height: 740 } });
  await says(page, '3 in progress');
  const more = strip(page).getByTestId('more-running');
  assert.match(await more.innerText(), /\+2/);
  assert.match(await more.innerText(), /and 2 more in progress/);
  const box = await more.boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 360 && box.width > 10, JSON.stringify(box));
  assert.equal(await more.locator('[aria-hidden]').evaluate((node) => node.scrollWidth <= node.clientWidth || node.clientWidth === 0), true);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, 'nothing sticks out');
  await page.context().close();
});

test('frames do not make the page jump', async () => {
  const session = await at.session();
  await session.write(['* One', 'o Two', 'o Three']);
  const page = await at.open(`/s/${session.id}`);
  await says(page, '1 in progress');
  await page.waitForTimeout(300);
  await page.evaluate(() => {
    globalThis.shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (globalThis.shift += entry.value))).observe({ type: 'layout-shift' });
  });
  for (const lines of [['x One', '* Two', 'o Three'], ['x One', 'x Two', '* Three'], ['x One', 'x Two', 'x Three']]) {
    await session.write(lines);
    await page.waitForTimeout(120);
  }
  await says(page, '3 completed');
  assert.equal(await page.evaluate(() => globalThis.shift), 0);
  await page.context().close();
});

test('every write can be looked back at, by keys and by its URL, with its times', async () => {
  const session = await at.session();
  await session.write(['* First', 'o Second']);
  await session.write(['x First', '* Second', 'o Third']);
  await session.write(['x First', 'x Second']);
  const revision = (await session.todos()).revision;
  const page = await at.open(`/s/${session.id}`);
  await says(page, '2 completed');
  await page.keyboard.press('[');
  await page.waitForURL(`**/w/${revision - 1}`);
  const scrubber = page.getByTestId('scrubber');
  await scrubber.filter({ hasText: `Write ${revision - 1} of ${revision}` }).waitFor();
  await scrubber.filter({ hasText: 'done 1, added 1' }).waitFor();
  assert.match(await scrubber.getByTestId('todo-item').first().innerText(), /ran for/);
  await page.keyboard.press(']');
  await scrubber.filter({ hasText: /removed 1/ }).waitFor();
  await page.keyboard.press(']');
  await scrubber.waitFor({ state: 'detached' });
  await page.goto(`${at.url}/s/${session.id}/w/${revision - 2}`);
  await scrubber.filter({ hasText: `Write ${revision - 2} of ${revision}` }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL(`**/s/${session.id}`);
  await page.context().close();
});

test('an edit: tick, reword, add, remove, move; the agent is told what', async () => {
  const session = await at.session();
  await session.write(['* One', 'o Two', 'o Three']);
  const page = await at.open(`/s/${session.id}`);
  await says(page, '1 in progress');
  await page.keyboard.press('e');
  const rows = page.getByTestId('editor-row');
  await rows.nth(0).getByRole('checkbox').check();
  await rows.nth(1).getByRole('textbox').fill('Two, but better');
  await page.getByLabel('Move item 3 up').click();
  await page.getByLabel('Add an item').fill('Four');
  await page.keyboard.press('Enter');
  const told = page.getByTestId('told');
  const lines = await told.locator('li').allInnerTexts();
  assert.deepEqual(lines, ['set to completed: "One"', 'added: "Two, but better"', 'added: "Four"', 'removed: "Two"']);
  await page.getByRole('button', { name: 'Save' }).click();
  await says(page, '1 completed\u2002·\u20023 pending');
  const view = await session.todos();
  assert.equal(view.author, 'human');
  assert.deepEqual(view.standing.map(({ content }) => content), ['One', 'Three', 'Two, but better', 'Four']);
  await page.context().close();
});

test('a conflict: both sides’ changes are kept, and the person looks before they save again', async () => {
  const session = await at.session();
  await session.write(['* One', 'o Two']);
  const page = await at.open(`/s/${session.id}`);
  await says(page, '1 in progress');
  await page.keyboard.press('e');
  await page.getByTestId('editor-row').nth(1).getByRole('textbox').fill('Two, reworded');
  await session.write(['x One', '* Two', 'o Three']);
  await page.getByTestId('moved-on').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByTestId('conflict').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByTestId('editor-row').first().waitFor({ state: 'detached' });
  const { standing } = await session.todos();
  assert.deepEqual(standing.map(({ content, status }) => [content, status]), [['One', 'completed'], ['Two, reworded', 'in_progress'], ['Three', 'pending']]);
  await page.context().close();
});

test('blank items are not saved, and the item is named', async () => {
  const session = await at.session();
  await session.write(['* One', 'o Two']);
  const page = await at.open(`/s/${session.id}`);
  await says(page, '1 in progress');
  await page.keyboard.press('e');
  await page.getByTestId('editor-row').nth(1).getByRole('textbox').fill('  ');
  await page.getByRole('alert').filter({ hasText: 'Item 2 is blank.' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true);
  await page.context().close();
});

test('hostile content runs nothing, reaches nobody and breaks nothing', async () => {
  const session = await at.session();
  await session.write([
    { content: '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>', status: 'in_progress' },
    { content: 'x'.repeat(10_000), status: 'pending' },
    { content: 'evil \u202Egnp.exe \u2066 and \u05e9\u05dc\u05d5\u05dd \u0627\u0644\u0639\u0631\u0628\u064a\u0629', status: 'pending' },
    { content: '\u200b\u200d\u2060', status: 'pending' },
    { content: '![i](http://198.51.100.7/a.png) [j](javascript:globalThis.pwned=1)', status: 'pending' },
  ]);
  const page = await at.open(`/s/${session.id}`, { viewport: { width: 360, height: 740 } });
  await page.getByTestId('strip-toggle').click();
  const items = strip(page).getByTestId('todo-item');
  await items.nth(4).waitFor();
  assert.equal(await page.evaluate(() => globalThis.pwned), undefined);
  assert.equal(await strip(page).locator('img, script').count(), 0);
  assert.match(await items.nth(2).innerText(), /\\u202egnp\.exe/);
  assert.match(await items.nth(3).innerText(), /\\u200b/);
  assert.ok((await items.nth(1).boundingBox()).height < 80, 'long text begins with two lines');
  await items.nth(1).getByRole('button', { name: 'Show all of it' }).click();
  assert.ok((await items.nth(1).boundingBox()).height > 800, 'and opens in full');
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  await page.context().close();
});
