// Pictures of the main views, to be looked at: node tests/shots.mjs [folder]
import { mkdir } from 'node:fs/promises';
import { fill } from '../dev/mock/script.mjs';
import { start } from './browser.mjs';

const folder = process.argv[2] ?? 'shots';
await mkdir(folder, { recursive: true });

const page = await start({ fill });
const empty = await start({ fill: () => {} });

async function shot(name, { host = page, path = '/', colorScheme = 'light', locale = 'en-GB', width = 1280, height = 800, act } = {}) {
  const view = await host.open(path, { colorScheme, locale, viewport: { width, height } });
  await act?.(view);
  await view.waitForTimeout(250);
  await view.screenshot({ path: `${folder}/${name}.png` });
  await view.context().close();
}

const openStrip = async (view) => view.getByTestId('strip-toggle').click();
const edit = async (view) => {
  await view.keyboard.press('e');
  await view.getByTestId('editor-row').first().waitFor();
  await view.getByTestId('editor-row').nth(4).locator('input[type=checkbox]').check();
  await view.locator('.add input').fill('Ask for a review');
  await view.locator('.add button').click();
};

await shot('1-session-light', { path: '/s/fix-login' });
await shot('2-session-dark-open', { path: '/s/fix-login', colorScheme: 'dark', act: openStrip });
await shot('3-session-zh', { path: '/s/gemini', locale: 'zh-CN', act: openStrip });
await shot('4-history', { path: '/s/fix-login/w/2' });
await shot('5-edit', { path: '/s/fix-login', act: edit });
await shot('6-phone-session', { path: '/s/fix-login', width: 360, height: 740 });
await shot('7-phone-open', { path: '/s/fix-login', width: 360, height: 740, colorScheme: 'dark', act: openStrip });
await shot('8-phone-list', { width: 360, height: 740 });
await shot('9-no-session', { host: empty });
await shot('10-no-tool', { path: '/s/no-tool', act: openStrip });
await shot('11-list-zh-dark', { locale: 'zh-CN', colorScheme: 'dark' });
await shot('12-help', { path: '/s/fix-login', act: (view) => view.keyboard.press('?') });
await shot('13-phone-edit', { path: '/s/fix-login', width: 360, height: 740, act: edit });
await shot('14-phone-history-zh', { path: '/s/fix-login/w/3', width: 360, height: 740, locale: 'zh-CN' });

await page.stop();
await empty.stop();
