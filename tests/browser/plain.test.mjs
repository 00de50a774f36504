// Without JavaScript the page is plain forms and links, and everything can be done, but nothing is verified.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './support/browser.mjs';
import { Hub } from './support/hub.mjs';
import { until } from './support/until.mjs';

let hub, browser;
before(async () => { [hub, browser] = await Promise.all([Hub.start(), launch()]); });
after(async () => { await browser?.close(); await hub?.end(); });

const plain = (room) => visit(browser, hub, room, { javaScriptEnabled: false });
const hint = (page) => page.locator('noscript .unverified').innerText();
const last = async (room) => (await hub.said(room)).at(-1);

test('without JavaScript a person reads and answers and speaks', async () => {
  const [ada] = await hub.room('plain');
  const answer = ada.askAndWait('@user the *old* syntax or the new one?', { choices: ['Old', 'New'] });
  await until('it is asked', async () => (await hub.command('inbox')).items.length > 0);
  const page = await plain();
  await page.reload();
  await page.getByRole('link', { name: /^plain/ }).first().click();
  await page.locator('#log em', { hasText: 'old' }).waitFor();
  assert.equal(await page.title(), '(1) plain');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  assert.equal((await answer).content, 'New');
  assert.equal(new URL(page.url()).pathname, '/rooms/plain');
  await page.getByLabel('Message', { exact: true }).fill('@Bob please write it down.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('#log', { hasText: 'please write it down' }).waitFor();
  assert.notEqual((await last('plain')).verified, true);
  assert.match(await hint(page), /What you say here is not verified/);
  const link = page.locator('#log li', { hasText: 'the new one?' }).getByRole('link', { name: 'Reply' });
  await link.click();
  await page.getByLabel('Message', { exact: true }).fill('and thank you');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('#log', { hasText: 'and thank you' }).waitFor();
  assert.ok((await last('plain')).reply_to > 0);
});

test('without JavaScript a person passes and pauses and resumes and closes', async () => {
  const [ada] = await hub.room('acts');
  await ada.say('@Bob hello');
  const page = await plain('acts');
  await page.getByRole('button', { name: /^Skip/ }).click();
  await page.getByRole('button', { name: 'Pause the room' }).click();
  await page.locator('#status.paused').waitFor();
  await page.getByRole('button', { name: 'Let it go on' }).click();
  await page.locator('#status.open').waitFor();
  await page.getByText('Remove, close').click();
  await page.getByLabel(/Close the room for good/).fill('We agreed.');
  await page.getByRole('button', { name: 'Close the room' }).click();
  await page.locator('#status.closed').waitFor();
  await page.locator('.closed-summary', { hasText: 'We agreed.' }).waitFor();
});

test('without JavaScript a room is started and a search is made', async () => {
  const page = await plain();
  await page.getByRole('link', { name: 'Start a room' }).click();
  await page.getByLabel('Topic').fill('The new parser');
  await page.getByLabel('Agents', { exact: true }).fill('@Ada, @Bob');
  await page.getByLabel('Transcript', { exact: true }).fill('../started.md');
  await page.getByRole('button', { name: 'Start the room' }).click();
  await page.getByRole('alert').waitFor();
  assert.equal(await page.getByLabel('Topic').inputValue(), 'The new parser', 'what was typed is kept');
  await page.getByLabel('Transcript', { exact: true }).fill('started.md');
  await page.getByRole('button', { name: 'Start the room' }).click();
  await page.getByRole('heading', { name: 'How agents join started' }).waitFor();
  await page.getByText('You are @Ada.').waitFor();
  await page.getByRole('link', { name: 'Watch the room' }).click();
  await page.getByLabel('Message', { exact: true }).fill('@Ada find this walrus');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('#log', { hasText: 'walrus' }).waitFor();
  await page.getByLabel('Search this room').fill('walrus');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.locator('.hit', { hasText: 'find this walrus' }).getByRole('link').click();
  await page.locator('#log', { hasText: 'walrus' }).waitFor();
});

test('without JavaScript nobody speaks where words must be verified, and is told what to do', async () => {
  await hub.room('strict', { humans_verified_only: true });
  const page = await plain('strict');
  assert.match(await hint(page), /This room takes verified words and acts only/);
  await page.getByLabel('Message', { exact: true }).fill('let me in');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('alert').getByText('allow scripts for this page').waitFor();
  assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'let me in');
  assert.equal((await hub.said('strict')).some((entry) => entry.content === 'let me in'), false);
});

test('without JavaScript a refusal keeps the words that were typed', async () => {
  const [ada] = await hub.room('refused');
  const page = await plain('refused');
  await page.getByLabel('Message', { exact: true }).fill('too late');
  await ada.call('close_conversation', { handle: '@Ada', summary: 'done' });
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByText('too late').waitFor();
});
