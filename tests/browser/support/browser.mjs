// A browser whose pages are watched: what they ask for, say and open.
import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage',
  // A name of another machine, which the tests serve themselves.
  '--host-resolver-rules=MAP elsewhere.example 127.0.0.1'];

function executable() {
  for (const name of NAMES) {
    try {
      return execFileSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' }).trim();
    } catch { /* The next one. */ }
  }
  throw new Error(`none of ${NAMES.join(', ')} is in PATH`);
}

export const launch = () => chromium.launch({ executablePath: executable(), args: FLAGS });

// A browser of a person who has come in, at a room or at the first page.
// One that is deaf gets no events.
export async function visit(browser, hub, room, { isDeaf = false, ...options } = {}) {
  const context = await browser.newContext(options);
  if (isDeaf) await context.route('**/stream*', (route) => route.abort());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.seen = { requests: [], dialogs: [], errors: [], popups: [] };
  context.on('request', (request) => page.seen.requests.push(request.url()));
  context.on('page', (popup) => page.seen.popups.push(popup.url()));
  page.on('dialog', (dialog) => { page.seen.dialogs.push(dialog.message()); dialog.dismiss(); });
  page.on('pageerror', (error) => page.seen.errors.push(String(error)));
  page.on('console', (line) => { if (line.type() === 'error') page.seen.errors.push(line.text()); });
  await page.goto(await hub.link(room));
  const follows = !isDeaf && options.javaScriptEnabled !== false;
  if (follows) await page.locator('#connection', { hasText: /^connected$/ }).waitFor({ state: 'attached' });
  return page;
}

// The numbers of the entries that the page shows, in its order.
export const numbers = (page) => page.locator('#log > li[id]').evaluateAll((entries) => entries.map((entry) => Number(entry.id)));

// Everything that can be folded out is.
export const unfold = (page) => page.locator('main details').evaluateAll((all) => all.forEach((details) => { details.open = true; }));

export const isWide = (page) => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
