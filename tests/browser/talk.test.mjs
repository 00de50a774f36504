// What is said stands on the page; what is asked is answered there.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isWide, launch, numbers, visit } from './support/browser.mjs';
import { Hub } from './support/hub.mjs';

let hub, browser;
before(async () => { [hub, browser] = await Promise.all([Hub.start(), launch()]); });
after(async () => { await browser?.close(); await hub?.end(); });

const titled = (page, title) => page.waitForFunction((title) => document.title === title, title);

test('each message is shown once and in order', async () => {
  const [ada, bob] = await hub.room('order');
  const page = await visit(browser, hub, 'order');
  await ada.say('@Bob which parser do we take?');
  await bob.say('@Ada the one by hand: its errors are better.');
  await page.getByText('its errors are better').waitFor();
  assert.deepEqual(await numbers(page), (await hub.said('order')).map((entry) => entry.seq_id));
  const senders = await page.locator('#log article h3 .name').allInnerTexts();
  assert.deepEqual(senders.map((name) => name.replace(/^\w\w\s*/, '')), ['@Ada', '@Bob']);
});

test('two hundred messages in a burst are shown once and in order', async () => {
  const [ada] = await hub.room('burst', { floor: 'open', max_agent_turns: 0 });
  const page = await visit(browser, hub, 'burst');
  for (let count = 0; count < 200; count += 1) await ada.say(`message ${count}`, { expects_reply: false });
  await page.getByText('message 199', { exact: true }).waitFor();
  assert.deepEqual(await numbers(page), (await hub.said('burst')).map((entry) => entry.seq_id));
  assert.equal(await page.locator('#news').isVisible(), false, 'the page follows at its end');
});

test('a question is in the title and in the inbox as soon as it is posted', async (report) => {
  const [ada] = await hub.room('asked');
  const page = await visit(browser, hub, 'asked');
  const home = await visit(browser, hub);
  const start = () => {
    window.shown = new Promise((done) => {
      const look = () => document.querySelector('#inbox .card .choices button') && document.title.startsWith('(1)') && done(Date.now());
      new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
      look();
    });
  };
  await Promise.all([page.evaluate(start), home.evaluate(start)]);
  const began = Date.now();
  await ada.say('@user which database?', { choices: ['SQLite', 'Postgres'] });
  const shown = [page, home].map((one) => one.evaluate(() => window.shown));
  const [inRoom, atHome] = (await Promise.all(shown)).map((at) => at - began);
  report.diagnostic(`from the post to the card: ${inRoom} ms in its room, ${atHome} ms on the first page`);
  await titled(page, '(1) asked');
  await titled(home, '(1) turnroom');
  assert.deepEqual(await home.locator('.card .choices button').allInnerTexts(), ['SQLite', 'Postgres']);
  // What was chosen is gone from both.
  await home.getByRole('button', { name: 'SQLite' }).click();
  await titled(page, 'asked');
  await titled(home, 'turnroom');
});

test('a choice on the page wakes the agent with a verified answer', async () => {
  const [ada] = await hub.room('choice');
  const page = await visit(browser, hub, 'choice');
  const answer = ada.askAndWait('@user tabs or spaces?', { choices: ['Tabs', 'Spaces'] });
  await page.getByRole('button', { name: 'Spaces' }).click();
  const said = await answer;
  assert.equal(said.content, 'Spaces');
  assert.equal(said.verified, true);
  await page.locator('#log .entry.human', { hasText: 'Spaces' }).getByText('✓ verified').waitFor();
  await page.locator('#inbox .card').waitFor({ state: 'detached' });
});

test('free words with Ctrl and Enter wake the agent with a verified answer', async () => {
  const [ada] = await hub.room('words');
  const page = await visit(browser, hub, 'words');
  const answer = ada.askAndWait('@user what should the flag be called?');
  const field = page.locator('.card textarea');
  await field.fill('`--strict`,\nand no short form.');
  await field.press('Control+Enter');
  const said = await answer;
  assert.equal(said.content, '`--strict`,\nand no short form.');
  assert.equal(said.verified, true);
  assert.ok(said.reply_to > 0);
  await page.locator('#log code', { hasText: '--strict' }).waitFor();
});

test('of two pages that answer the second is told so and posts nothing', async () => {
  const [ada] = await hub.room('twice');
  await ada.say('@user ship it?', { choices: ['Yes', 'No'] });
  const one = await visit(browser, hub, 'twice');
  // The other page learns nothing of the first answer until its own is sent.
  const other = await visit(browser, hub, 'twice', { isDeaf: true });
  await one.getByRole('button', { name: 'Yes' }).click();
  await one.locator('#log .entry.human', { hasText: 'Yes' }).waitFor();
  const before = (await hub.said('twice')).length;
  await other.getByRole('button', { name: 'No' }).click();
  const alert = other.getByRole('alert');
  await alert.waitFor();
  assert.match(await alert.innerText(), /does not wait for an answer/);
  assert.equal((await hub.said('twice')).length, before);
});

test('long words and tables do not widen the page', async () => {
  const [ada] = await hub.room('wide');
  const page = await visit(browser, hub, 'wide', { viewport: { width: 390, height: 844 } });
  const cells = Array.from({ length: 20 }, (_, at) => `a long cell ${at}`).join('|');
  await ada.say(`${'x'.repeat(500)}\n\n|${cells}|\n|${'-|'.repeat(20)}\n|${cells}|\n\n\`\`\`\n${'y'.repeat(500)}\n\`\`\``);
  await page.locator('#log table').waitFor();
  assert.equal(await isWide(page), false);
});

test('a handle looks the same on the first page and in its room', async () => {
  const [ada] = await hub.room('looks', { agents: ['@Ada', '@Bob', '@Cleo'] });
  await ada.say('@user is it so?');
  const look = (page, place) => page.locator(place, { hasText: '@Ada' }).locator('.badge').first().getAttribute('class');
  const home = await visit(browser, hub);
  const page = await visit(browser, hub, 'looks');
  assert.equal(await look(home, '.card[id^="looks/"]'), await look(page, '#people li'));
});
