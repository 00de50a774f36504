// Many tabs of the page at once: a browser opens six connections to one host, for all of them together.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, numbers } from './support/browser.mjs';
import { Hub } from './support/hub.mjs';
import { until } from './support/until.mjs';

let hub, browser;
before(async () => { [hub, browser] = await Promise.all([Hub.start(), launch()]); });
after(async () => { await browser?.close(); await hub?.end(); });

const TABS = 9;
const FREE = { floor: 'open', max_agent_turns: 0 };

// A browser without a window shows all its pages at once; here they are told whether somebody looks.
const look = (page, isSeen) => page.evaluate((isSeen) => {
  Object.defineProperty(document, 'hidden', { value: !isSeen, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}, isSeen);

const isFollowing = (page) => page.evaluate(() => source?.readyState === EventSource.OPEN);
const following = async (pages) => (await Promise.all(pages.map(isFollowing))).filter(Boolean).length;

async function open(names) {
  const pages = [];
  const context = await browser.newContext();
  for (const name of names) {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(pages.length ? `${hub.url}/rooms/${name}` : await hub.link(name));
    await page.locator('#connection', { hasText: /^connected$/ }).waitFor();
    if (pages.length < names.length - 1) await look(page, false);
    pages.push(page);
  }
  return pages;
}

test('nine tabs follow their rooms, and nothing is missed', async () => {
  const names = Array.from({ length: TABS }, (_, number) => `tab${number}`);
  const agents = new Map();
  for (const name of names) agents.set(name, (await hub.room(name, FREE))[0]);
  const pages = await open(names);
  await until('three that nobody sees, and the one that is seen, follow', async () => await following(pages) === 4);

  for (const name of names) await agents.get(name).say(`news of ${name}`);
  const seen = pages.at(-1);
  await seen.getByText('news of tab8').waitFor();
  await seen.getByLabel('Message', { exact: true }).fill('said in the ninth tab');
  await seen.getByRole('button', { name: 'Send' }).click();
  await seen.locator('#log .words', { hasText: 'said in the ninth tab' }).waitFor();
  await agents.get('tab0').say('@user who sees this?');
  await until('the tabs that follow tell what waits', async () => {
    const titles = await Promise.all(pages.map((page) => page.title()));
    return titles.filter((title) => title.startsWith('(')).length === 4;
  });

  for (const [number, page] of pages.entries()) {
    await look(page, true);
    const expected = (await hub.said(names[number])).map((entry) => entry.seq_id);
    await page.waitForFunction((last) => document.getElementById(last), String(expected.at(-1)));
    assert.deepEqual(await numbers(page), expected);
    await page.waitForFunction(() => document.title.startsWith('('));
    await look(page, false);
  }
});

test('when the tabs that follow are closed another one follows', async () => {
  const names = Array.from({ length: 5 }, (_, number) => `line${number}`);
  const agents = new Map();
  for (const name of names) agents.set(name, (await hub.room(name, FREE))[0]);
  const pages = await open(names);
  await look(pages.at(-1), false);
  await until('three follow', async () => await following(pages) === 3);
  const states = await Promise.all(pages.map(isFollowing));
  for (const [number, page] of pages.entries()) if (states[number]) await page.close();
  const left = pages.filter((page) => !page.isClosed());
  await until('one of the others follows', async () => await following(left) >= 1);
});

test('a hub that does not answer is told of, and the words are said once when they are sent again', async () => {
  await hub.room('silent', FREE);
  const context = await browser.newContext();
  // No test waits so long as a person does.
  await context.addInitScript(() => {
    const { timeout } = AbortSignal;
    AbortSignal.timeout = (wait) => timeout.call(AbortSignal, Math.min(wait, 300));
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(await hub.link('silent'));
  // The words arrive, and the answer does not.
  await page.route('**/say', (route) => { route.fetch(); }, { times: 1 });
  await page.getByLabel('Message', { exact: true }).fill('said once');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('alert').getByText('This was not sent').waitFor();
  await page.locator('#log .words', { hasText: 'said once' }).waitFor();
  await page.unroute('**/say');
  await page.evaluate(() => { AbortSignal.timeout = () => new AbortController().signal; });
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('alert').waitFor({ state: 'hidden' });
  assert.equal((await hub.said('silent')).filter((entry) => entry.content === 'said once').length, 1);
});
