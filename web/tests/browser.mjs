// A browser, and a host to point it at.
import { chromium } from 'playwright-core';
import { createHost } from '../dev/mock/host.mjs';
import { Store } from '../dev/mock/store.mjs';

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** A browser over a host. Everything a page says or asks for that it should not is kept in `faults`. */
export async function start({ fill, needsLogin = false }) {
  const store = new Store();
  await fill(store);
  const host = createHost(store, { needsLogin });
  await new Promise((done) => host.listen(0, '127.0.0.1', done));
  return browse(`http://127.0.0.1:${host.address().port}`, { store, stopHost: () => host.stop() });
}

export async function browse(url, { store = null, stopHost = async () => {}, code } = {}) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  const faults = [];
  let signedIn;
  if (code) {
    // A code works once; every page of the run then has its cookie.
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${url}/#code=${code}`);
    await page.getByTestId('link').waitFor();
    signedIn = await context.storageState();
    await context.close();
  }

  async function open(path = '/', options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...(signedIn ? { storageState: signedIn } : {}), ...options });
    const page = await context.newPage();
    page.on('console', (message) => {
      // A host that is down, or an edit that is refused, is in the log of any browser; the tests that do so say it.
      if (message.type() === 'error' && !/Failed to load resource|net::ERR_/.test(message.text())) faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${url}/`)) faults.push(`request off the host: ${request.url()}`);
    });
    await page.goto(url + path);
    await page.getByTestId('link').filter({ hasText: /live|实时/ }).waitFor({ timeout: 10_000 }).catch(() => {});
    return page;
  }

  return {
    url,
    store,
    faults,
    open,
    control: (what, body = {}) => fetch(`${url}/__mock/${what}`, { method: 'POST', body: JSON.stringify(body) }).then((answer) => answer.json()),
    stop: async () => {
      await browser.close();
      await stopHost();
    },
  };
}
