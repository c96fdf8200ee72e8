// Pictures of the main views, to be looked at: node tests/shots.mjs [folder]. Over the mock or, with RUNSHEET_BIN, over
// the real program with the same sessions.
import { mkdir } from 'node:fs/promises';
import { place } from './driver.mjs';

const folder = process.argv[2] ?? 'shots';
await mkdir(folder, { recursive: true });

const page = await place({ filled: true });
const empty = await place();

async function shot(name, { host = page, session, path = '', colorScheme = 'light', locale = 'en-GB', width = 1280, height = 800, act } = {}) {
  const view = await host.open(session ? host.path(session) + path : path || '/', { colorScheme, locale, viewport: { width, height } });
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

const views = {
  session: { session: 'fix-login' },
  open: { session: 'fix-login', act: openStrip },
  history: { session: 'fix-login', path: '/w/2' },
  edit: { session: 'fix-login', act: edit },
  list: {},
  empty: { host: empty },
  'no-tool': { session: 'no-tool', act: openStrip },
  foreign: { session: 'gemini', act: openStrip },
  help: { session: 'fix-login', act: (view) => view.keyboard.press('?') },
};
for (const [name, view] of Object.entries(views)) {
  for (const colorScheme of ['light', 'dark']) {
    for (const [language, locale] of [['en', 'en-GB'], ['zh', 'zh-CN']]) {
      await shot(`${name}-${colorScheme}-${language}`, { ...view, colorScheme, locale });
    }
  }
  await shot(`${name}-phone`, { ...view, width: 360, height: 740 });
}

await page.stop();
await empty.stop();
