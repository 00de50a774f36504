// Reading a room that goes on: the page follows, or says how much is new, and knows what was seen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, numbers, visit } from './support/browser.mjs';
import { Hub } from './support/hub.mjs';
import { until } from './support/until.mjs';

let hub, browser;
before(async () => { [hub, browser] = await Promise.all([Hub.start(), launch()]); });
after(async () => { await browser?.close(); await hub?.end(); });

const FREE = { floor: 'open', max_agent_turns: 0 };
const filled = async (room, count) => {
  const [ada] = await hub.room(room, FREE);
  for (let line = 0; line < count; line += 1) await ada.say(`line ${line}`);
  return ada;
};
const inSight = (page, words) => page.getByText(words, { exact: true }).evaluate((place) => {
  const { top, bottom } = place.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
});

test('the page follows at its end and else says how much is new', async () => {
  const ada = await filled('follow', 40);
  const page = await visit(browser, hub, 'follow');
  await until('the newest is in sight', () => inSight(page, 'line 39'));
  await ada.say('followed');
  await page.getByText('followed').waitFor();
  await until('it is followed', () => inSight(page, 'followed'));
  await page.mouse.move(300, 300);
  await page.evaluate(() => scrollTo(0, 0));
  const top = () => page.evaluate(() => scrollY);
  await until('it is scrolled up', async () => (await top()) === 0);
  for (const words of ['one', 'two', 'three']) await ada.say(`news ${words}`);
  const news = page.getByRole('button', { name: '3 new ↓' });
  await news.waitFor();
  assert.equal(await top(), 0, 'who reads is left where they are');
  await news.click();
  await until('the newest is in sight', () => inSight(page, 'news three'));
  await news.waitFor({ state: 'hidden' });
});

test('a link to a message shows it and what was around it', async () => {
  const ada = await filled('links', 450);
  const page = await visit(browser, hub, 'links');
  const target = (await hub.said('links')).find((entry) => entry.content === 'line 100').seq_id;
  await page.goto(`${hub.url}/rooms/links?at=${target}#${target}`);
  await until('it is in sight', () => inSight(page, 'line 100'));
  assert.ok((await numbers(page)).includes(target - 40));
  await ada.say('much later');
  await page.getByRole('button', { name: '1 new ↓' }).click();
  await until('the newest is in sight', () => inSight(page, 'much later'));
  assert.equal(new URL(page.url()).search, '');
});

test('older messages are one link away and none is left out', async () => {
  await filled('older', 450);
  const page = await visit(browser, hub, 'older');
  const seen = new Set(await numbers(page));
  for (;;) {
    const older = page.getByRole('link', { name: 'Older messages' });
    if (await older.count() === 0) break;
    await older.click();
    await until('it is another page', async () => !(await numbers(page)).every((number) => seen.has(number)));
    await page.waitForLoadState();
    for (const number of await numbers(page)) seen.add(number);
  }
  assert.deepEqual([...seen].sort((one, other) => one - other), (await hub.said('older')).map((entry) => entry.seq_id));
});

test('the first page counts what was not seen', async () => {
  const ada = await filled('unread', 3);
  const page = await visit(browser, hub);
  const unread = page.locator('[data-unread="unread"]');
  await unread.getByText('new').waitFor();
  const read = await page.context().newPage();
  await read.goto(`${hub.url}/rooms/unread`);
  await read.getByText('line 2', { exact: true }).waitFor();
  await until('it is remembered', () => read.evaluate(() => localStorage.getItem('seen unread')));
  await read.close();
  await page.reload();
  await unread.waitFor({ state: 'hidden' });
  await ada.say('one more');
  await ada.say('and another');
  await unread.getByText('2 unread').waitFor();
});

test('a message is copied as Markdown', async () => {
  const [ada] = await hub.room('copy', FREE);
  const words = 'a **bold** word and `code`\n\n- one\n- two';
  await ada.say(words);
  const page = await visit(browser, hub, 'copy', { permissions: ['clipboard-read', 'clipboard-write'] });
  // The word goes after a moment.
  await Promise.all([page.getByText('Copied').waitFor(), page.getByRole('button', { name: 'Copy as Markdown' }).click()]);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), words);
});

test('a notice is shown for what waits and one to try it', async () => {
  const [ada] = await hub.room('notices', FREE);
  const page = await visit(browser, hub, undefined, { permissions: ['notifications'] });
  const told = await page.evaluate(() => {
    window.told = [];
    window.Notification = class { static permission = 'granted'; constructor(title, { body }) { window.told.push(body); } };
    document.hasFocus = () => false;
    return Notification.permission;
  });
  assert.equal(told, 'granted');
  await page.getByRole('link', { name: 'Send a test' }).click();
  await ada.say('@user a question');
  await until('both are told', () => page.evaluate(() => window.told.length === 2));
  const [first, second] = await page.evaluate(() => window.told);
  assert.match(first, /This is a test/);
  assert.match(second, /@Ada asks @user in notices/);
});
