// Everything can be done by keys, and nothing that happens moves the focus.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, visit } from './support/browser.mjs';
import { Hub } from './support/hub.mjs';

let hub, browser;
before(async () => { [hub, browser] = await Promise.all([Hub.start(), launch()]); });
after(async () => { await browser?.close(); await hub?.end(); });

const FREE = { floor: 'open', max_agent_turns: 0 };

async function tabTo(page, selector) {
  for (let count = 0; count < 80; count += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((selector) => document.activeElement.matches(selector), selector)) return;
  }
  assert.fail(`Tab does not reach ${selector}`);
}

const focused = (page, selector) => page.waitForFunction((selector) => document.activeElement.matches(selector), selector);
// The button changes once its own press is answered, which may be after the state line did and the other button came.
// Until then the old one has the focus, and takes no other press.
const seen = (page, status, gone) => Promise.all([page.locator(`#status.${status}`).waitFor(), page.locator(gone).waitFor({ state: 'detached' })]);
const paused = (page) => seen(page, 'paused', '#do-pause');
const open = (page) => seen(page, 'open', '#do-resume');

test('a question is answered by keys from the first page on', async () => {
  const [ada] = await hub.room('keys');
  const page = await visit(browser, hub);
  const answer = ada.askAndWait('@user which one?', { choices: ['This', 'That'] });
  await page.locator('.card').waitFor();
  await tabTo(page, '.choices button');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal((await answer).content, 'That');
  await page.locator('.card').waitFor({ state: 'detached' });
  // The focus stays near, so that the next Tab does not begin at the top.
  await focused(page, '#inbox h2');
});

test('the keys j k r and Escape reply to a message', async () => {
  const [ada, bob] = await hub.room('reply', FREE);
  await ada.say('the first');
  await bob.say('the second');
  const page = await visit(browser, hub, 'reply');
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await focused(page, '#log article');
  assert.match(await page.evaluate(() => document.activeElement.innerText), /the first/);
  await page.keyboard.press('j');
  assert.match(await page.evaluate(() => document.activeElement.innerText), /the second/);
  await page.keyboard.press('r');
  await focused(page, '#content');
  await page.keyboard.type('jkr/p? are letters here');
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  await focused(page, '#content');
  await page.keyboard.press('Control+Enter');
  await page.locator('#log .human', { hasText: 'jkr/p? are letters here' }).getByText('answers').waitFor();
  assert.equal((await hub.said('reply')).at(-1).reply_to, (await hub.said('reply')).find((entry) => entry.content === 'the second').seq_id);
});

test('the keys p and slash and question mark pause and search and explain', async () => {
  await hub.room('pause', FREE);
  const page = await visit(browser, hub, 'pause');
  await page.keyboard.press('p');
  await paused(page);
  await page.keyboard.press('p');
  await open(page);
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('p');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  assert.equal(await page.locator('#status.open').count(), 1, 'the dialog keeps keys for itself');
  await page.keyboard.press('/');
  await focused(page, '#search');
  await page.keyboard.type('nowhere');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing was found').waitFor();
});

test('Tab and Enter pause and resume and skip to the field', async () => {
  await hub.room('tab', FREE);
  const page = await visit(browser, hub, 'tab');
  await tabTo(page, '.skip');
  await page.keyboard.press('Enter');
  await focused(page, '#composer, #composer *');
  await page.reload();
  await tabTo(page, '#pause-button');
  await page.keyboard.press('Enter');
  await paused(page);
  await focused(page, '#pause-button');
  await page.keyboard.press('Enter');
  await open(page);
});

test('news never moves the focus', async () => {
  const [ada, bob] = await hub.room('focus', FREE);
  await ada.say('@user one?');
  const page = await visit(browser, hub, 'focus');
  for (const selector of ['#log article', '.card textarea', '#content', '#do-give select', '#pause-button', 'body']) {
    const before = await page.evaluate((selector) => {
      const place = document.querySelector(selector);
      if (selector === 'body') document.activeElement.blur();
      else place.focus();
      window.kept = document.activeElement;
      return document.activeElement.tagName;
    }, selector);
    const last = await ada.say(`@Bob news while ${selector} has the focus`);
    await bob.say('@user and another question?');
    await page.locator(`[id="${last + 1}"]`).waitFor();
    assert.equal(await page.evaluate(() => window.kept === document.activeElement && window.kept.isConnected), true, `${selector} ${before}`);
  }
});
