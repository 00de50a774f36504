// What a person can do with a room, and that it is done.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './support/browser.mjs';
import { Hub } from './support/hub.mjs';

let hub, browser;
before(async () => { [hub, browser] = await Promise.all([Hub.start(), launch()]); });
after(async () => { await browser?.close(); await hub?.end(); });

const holder = (page, handle) => page.locator('#status .floor', { hasText: `${handle} has the floor` }).waitFor();
const participants = async (agent) => (await agent.call('list_participants')).participants;

test('a person pauses a room and lets it go on', async () => {
  const [ada, bob] = await hub.room('pause');
  const page = await visit(browser, hub, 'pause');
  await page.getByRole('button', { name: 'Pause the room' }).click();
  await page.locator('#status.paused').waitFor();
  const refused = await ada.call('send_message', { sender: '@Ada', content: '@Bob hi', block: false });
  assert.equal(refused.status, 'paused');
  assert.equal(await page.locator('#inbox .card').count(), 0, 'who paused a room is not asked about it');
  await page.getByRole('button', { name: 'Let it go on' }).click();
  await page.locator('#status.open').waitFor();
  await ada.say('@Bob hi');
  await bob.say('@Ada hi');
});

test('a person skips the holder of the floor and gives it to another', async () => {
  const [ada, bob] = await hub.room('skip', { agents: ['@Ada', '@Bob', '@Cleo'] });
  await ada.say('@Bob you first, then me');
  const page = await visit(browser, hub, 'skip');
  await holder(page, '@Bob');
  const woken = ada.wait();
  await page.getByLabel('Give the floor to').selectOption('@Ada');
  await page.getByRole('button', { name: 'Give', exact: true }).click();
  await holder(page, '@Ada');
  assert.equal((await woken).status, 'your_turn');
  await page.getByRole('button', { name: 'Skip @Ada' }).click();
  await page.locator('#status .floor', { hasNotText: '@Ada has the floor' }).waitFor();
  assert.notEqual((await bob.call('list_participants')).active_turn, '@Ada');
});

test('a person removes a participant and its handle is free', async () => {
  const [ada] = await hub.room('remove', { agents: ['@Ada', '@Bob'] });
  const page = await visit(browser, hub, 'remove');
  await page.getByText('Remove, close').click();
  await page.getByLabel('Remove a participant').selectOption('@Bob');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.locator('#people li', { hasText: '@Bob' }).getByText('has left').waitFor();
  const bob = (await participants(ada)).find((member) => member.handle === '@Bob');
  assert.equal(bob.status, 'left');
  assert.equal(await page.locator('#to option', { hasText: '@Bob' }).count(), 0, 'nobody can address it');
});

test('a room is started without those missing', async () => {
  const page = await visit(browser, hub);
  await page.goto(`${hub.url}/new`);
  await page.getByLabel('Topic').fill('Without Bob');
  await page.getByLabel('Agents', { exact: true }).fill('@Ada @Bob');
  await page.getByLabel('Transcript', { exact: true }).fill('missing');
  await page.getByText('Rules').click();
  await page.getByLabel('Agents that must join').fill('all');
  await page.getByRole('button', { name: 'Start the room' }).click();
  await page.getByRole('link', { name: 'Watch the room' }).click();
  await page.locator('#status.gathering', { hasText: '@Bob' }).waitFor();
  await page.getByRole('button', { name: 'Start without those missing' }).click();
  await page.locator('#status.open').waitFor();
});

test('a person closes a room and its page says what came of it', async () => {
  const [ada] = await hub.room('close');
  const page = await visit(browser, hub, 'close');
  const other = await visit(browser, hub, 'close');
  const woken = ada.wait();
  await page.getByText('Remove, close').click();
  await page.getByLabel('Close the room for good').fill('We keep the old syntax.');
  await page.getByRole('button', { name: 'Close the room' }).click();
  await page.locator('.closed-summary', { hasText: 'We keep the old syntax.' }).waitFor();
  assert.equal((await woken).status, 'closed');
  await other.locator('#status.closed').waitFor();
  await other.locator('#composer').waitFor({ state: 'detached' });
  assert.equal(await other.locator('#controls').isVisible(), false);
});

test('a private word reaches whom it is for and nobody else', async () => {
  const [ada, bob] = await hub.room('private', { floor: 'open' });
  const page = await visit(browser, hub, 'private');
  await page.getByLabel('To', { exact: true }).selectOption('@Bob');
  await page.getByLabel('private').check();
  await page.getByLabel('Message', { exact: true }).fill('only for you');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('#log .entry.private', { hasText: 'only for you' }).getByText('private', { exact: true }).waitFor();
  assert.equal((await bob.call('read_messages', { handle: '@Bob' })).messages.at(-1).content, 'only for you');
  assert.ok(!JSON.stringify(await ada.call('read_messages', { handle: '@Ada' })).includes('only for you'));
});

test('what becomes of a message is told in words', async () => {
  const [ada, bob] = await hub.room('delivery');
  const page = await visit(browser, hub, 'delivery');
  const seq = await ada.say('@Bob please look at it');
  const words = page.locator(`[id="d-${seq}"]`);
  await words.getByText(/queued, @Bob is not listening/).waitFor();
  await bob.wait();
  await words.getByText(/given to @Bob|@Bob is working on it/).waitFor();
  await bob.say('@Ada I have');
  await words.getByText(/read by @Bob/).waitFor();
});
