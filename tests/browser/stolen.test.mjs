// Cookies know no ports: a server on another port of this machine gets ours when the person opens it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { launch, visit } from './support/browser.mjs';
import { Hub } from './support/hub.mjs';

let hub, browser, thief, stolen;
before(async () => {
  [hub, browser] = await Promise.all([Hub.start(), launch()]);
  thief = createServer((request, answer) => {
    stolen = request.headers.cookie ?? stolen;
    answer.setHeader('content-type', 'text/html').end('<!doctype html><p>welcome</p>');
  });
  await once(thief.listen(0, '127.0.0.1'), 'listening');
});
after(async () => { await browser?.close(); await hub?.end(); thief?.close(); });

const speak = async (page, words) => {
  await page.getByLabel('Message', { exact: true }).fill(words);
  await page.getByRole('button', { name: 'Send' }).click();
};
const found = async (room, words) => (await hub.said(room)).find((entry) => entry.content === words);

// Posts as the thief does: with everything that the cookie opens.
async function forge(room, content) {
  const headers = { cookie: stolen };
  const texts = await Promise.all(['/', `/rooms/${room}`, '/new', '/enter?code=x'].map((path) => fetch(hub.url + path, { headers }).then((answer) => answer.text())));
  const token = texts.join().match(/name="token" value="(\w+)"/)[1];
  const guesses = ['', token, stolen.split('=')[1], ...new Set(texts.join().match(/\b[0-9a-f]{64}\b/g))];
  const body = new URLSearchParams({ token, content, handle: '@user' });
  const answers = await Promise.all(guesses.map((key) => fetch(`${hub.url}/rooms/${room}/say`, {
    method: 'POST', body, headers: { ...headers, accept: 'application/json', 'x-turnroom-page': key },
  })));
  return answers.map((answer) => answer.status);
}

test('who has stolen the cookie cannot speak verified', async () => {
  await hub.room('free', { floor: 'open' });
  await hub.room('strict', { humans_verified_only: true });
  const page = await visit(browser, hub, 'strict');
  const seen = page.seen.requests.join();
  await speak(page, 'it is me');
  await page.locator('#log .verified').waitFor();
  assert.equal((await found('strict', 'it is me')).verified, true);

  const other = await page.context().newPage();
  await other.goto(`http://127.0.0.1:${thief.address().port}/`);
  assert.match(stolen, /turnroom-/, 'the browser has shown it the cookie');
  assert.equal(await other.evaluate(() => localStorage.length), 0);
  assert.ok((await forge('free', 'forged')).every((status) => status === 200), 'it may speak');
  assert.notEqual((await found('free', 'forged')).verified, true);
  assert.ok((await forge('strict', 'forged')).every((status) => status === 422));
  assert.equal(await found('strict', 'forged'), undefined);

  // Nor does a link with a wrong key make the person's own words count less.
  await other.goto(`${hub.url}/rooms/strict#key=${'0'.repeat(64)}`);
  await other.reload();
  await speak(other, 'still me');
  await page.locator('#log li', { hasText: 'still me' }).locator('.verified').waitFor();

  const key = await page.evaluate(() => localStorage.getItem('key'));
  assert.match(key, /^[0-9a-f]{64}$/);
  assert.ok(!hub.log().includes(key) && !seen.includes(`=${key}&`) && !(await page.content()).includes(key));
});

test('a page whose browser has the cookie only says that its words are not verified', async () => {
  await hub.room('half', { humans_verified_only: true });
  const page = await visit(browser, hub, 'half');
  const hint = page.locator('#unverified');
  assert.equal(await hint.isVisible(), false);
  // The key of the link is kept when the hub has said that it is right; without the link it is not asked again.
  await page.reload();
  await page.evaluate(() => localStorage.removeItem('key'));
  await page.reload();
  await hint.getByText('turnroom open').waitFor();
  await speak(page, 'still me');
  await page.getByRole('alert').getByText('let this browser in anew').waitFor();
  // Another tab is let in anew; this one hears of it.
  const anew = await page.context().newPage();
  await anew.goto(await hub.link('half'));
  await hint.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('#log .verified').waitFor();
  assert.equal(new URL(anew.url()).pathname, '/rooms/half');
});
