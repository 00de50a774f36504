// The stream of events is cut and comes back: nothing is missed, nothing comes twice, nothing typed is lost.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Agent } from './support/agent.mjs';
import { launch, numbers, visit } from './support/browser.mjs';
import { Hub } from './support/hub.mjs';

let hub, browser;
before(async () => { [hub, browser] = await Promise.all([Hub.start(), launch()]); });
after(async () => { await browser?.close(); await hub?.end(); });
afterEach(async () => { for (const context of browser.contexts()) await context.close(); });

const connection = (page, words) => page.locator('#connection', { hasText: words }).waitFor();
const FREE = { floor: 'open', max_agent_turns: 0 };

async function follows(page, room) {
  const expected = (await hub.said(room)).map((entry) => entry.seq_id);
  await page.waitForFunction((last) => document.getElementById(last), String(expected.at(-1)));
  assert.deepEqual(await numbers(page), expected);
}

test('a page that was offline gets what it missed once', async () => {
  const [ada] = await hub.room('offline', FREE);
  const page = await visit(browser, hub, 'offline');
  await ada.say('before');
  await page.getByText('before').waitFor();
  // What is open stays open in an offline browser; what is new fails.
  await page.context().setOffline(true);
  await page.evaluate(() => connect());
  await connection(page, 'not connected');
  for (let count = 0; count < 30; count += 1) await ada.say(`missed ${count}`);
  assert.equal(await page.getByText('missed 0', { exact: true }).count(), 0);
  await page.context().setOffline(false);
  await page.getByText('missed 29').waitFor();
  await connection(page, /^connected/);
  await follows(page, 'offline');
});

test('a page gets everything once over the death of its hub', async () => {
  const [ada] = await hub.room('killed', FREE);
  const page = await visit(browser, hub, 'killed');
  await page.getByLabel('Message', { exact: true }).fill('a thought that is not ready');
  await ada.say('before');
  await page.getByText('before').waitFor();
  await hub.kill();
  await connection(page, 'not connected');
  await hub.begin();
  const again = await Agent.connect(hub.url, '@Ada', 'killed');
  for (let count = 0; count < 30; count += 1) await again.say(`after ${count}`);
  await page.getByText('after 29').waitFor();
  await connection(page, /^connected/);
  await follows(page, 'killed');
  assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'a thought that is not ready');
});

test('a draft survives a reload and goes when it is said', async () => {
  await hub.room('draft');
  const page = await visit(browser, hub, 'draft');
  const field = page.getByLabel('Message', { exact: true });
  await field.pressSequentially('half a sentence');
  await page.reload();
  assert.equal(await field.inputValue(), 'half a sentence');
  await field.press('Control+Enter');
  await page.locator('#log .words', { hasText: 'half a sentence' }).waitFor();
  await page.waitForFunction(() => document.getElementById('content').value === '');
  await page.reload();
  assert.equal(await field.inputValue(), '');
});

test('an answer that is being written survives news and a reload', async () => {
  const [ada, bob] = await hub.room('writing', FREE);
  const page = await visit(browser, hub, 'writing');
  await ada.say('@user how long may a line be?');
  const field = page.locator('.card textarea');
  await field.pressSequentially('one hundred and');
  await bob.say('I would say ten.');
  await page.getByText('I would say ten.').waitFor();
  assert.equal(await field.inputValue(), 'one hundred and');
  assert.equal(await field.evaluate((field) => field === document.activeElement), true);
  await page.reload();
  assert.equal(await field.inputValue(), 'one hundred and');
});

test('words whose answer was lost are said once when they are sent again', async () => {
  await hub.room('lost');
  const page = await visit(browser, hub, 'lost');
  await page.route('**/say', async (route) => { await route.fetch(); await route.abort(); }, { times: 1 });
  await page.getByLabel('Message', { exact: true }).fill('said once');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('alert').waitFor();
  assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'said once');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('alert').waitFor({ state: 'hidden' });
  assert.equal((await hub.said('lost')).filter((entry) => entry.content === 'said once').length, 1);
});

test('a page that is far behind loads itself anew', async () => {
  const [ada] = await hub.room('behind', FREE);
  const page = await visit(browser, hub, 'behind');
  await page.getByLabel('Message', { exact: true }).pressSequentially('kept');
  await page.context().setOffline(true);
  await page.evaluate(() => connect());
  await connection(page, 'not connected');
  for (let count = 0; count < 600; count += 1) await ada.say(`far ${count}`);
  await page.context().setOffline(false);
  await page.getByText('far 599').waitFor();
  await page.waitForLoadState();
  assert.equal(await page.getByText('far 0', { exact: true }).count(), 0, 'not everything is on one page');
  assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'kept');
});
