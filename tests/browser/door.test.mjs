// Who gets in, and what a page of somebody else can do to this one.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { launch, visit } from './support/browser.mjs';
import { Hub } from './support/hub.mjs';

let hub, browser, foreign, port;
before(async () => {
  [hub, browser] = await Promise.all([Hub.start(), launch()]);
  // A page of somebody else: empty, and without any policy that would hold it back.
  foreign = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<!doctype html><p id="out">foreign</p>'));
  await once(foreign.listen(0, '127.0.0.1'), 'listening');
  ({ port } = foreign.address());
});
after(async () => { await browser?.close(); await hub?.end(); foreign?.close(); });

const SECRET = 'the parser is a secret';

test('without the cookie nothing is shown', async () => {
  const [ada] = await hub.room('closed');
  await ada.say(SECRET);
  const context = await browser.newContext();
  const page = await context.newPage();
  for (const path of ['/', '/rooms/closed', '/rooms/closed/started', '/search?q=secret', '/new', '/stream?room=closed', '/stream']) {
    const answer = await page.goto(hub.url + path);
    assert.equal(answer.status(), 403, path);
    const text = await answer.text();
    assert.ok(!text.includes(SECRET) && !text.includes('name="token"') && text.includes('turnroom open'), path);
  }
  const posted = await context.request.post(`${hub.url}/rooms/closed/say`, { form: { content: 'no' } });
  assert.equal(posted.status(), 403);
});

test('what a hub writes where nobody sits has no link', async () => {
  const log = hub.log();
  assert.ok(log.includes('turnroom open') && !log.includes('code='), log);
});

test('a used link does not let in a second browser', async () => {
  const link = await hub.link();
  const [one, two] = [await browser.newContext(), await browser.newContext()];
  const first = await one.newPage();
  await first.goto(link);
  await first.getByRole('heading', { name: 'Rooms' }).waitFor();
  assert.equal(first.url(), `${hub.url}/`, 'neither the code nor the key is in the address any more');
  const second = await two.newPage();
  const answer = await second.goto(link);
  assert.equal(answer.status(), 410);
  await second.getByText('That link is used up.').waitFor();
  assert.deepEqual(await two.cookies(), []);
  // Who is in already may follow an old link.
  await first.goto(link);
  await first.getByRole('heading', { name: 'Rooms' }).waitFor();
  const [cookie] = await one.cookies();
  assert.ok(cookie.httpOnly && cookie.sameSite === 'Lax' && cookie.name.startsWith('turnroom-'), JSON.stringify(cookie));
});

// Everything that a page can try on another one; gives what it got.
async function attack(target) {
  const tried = {};
  const form = { handle: '@user', content: 'forged by a form' };
  const attempt = async (name, act) => { tried[name] = await act().catch((error) => `refused: ${error.name}`); };
  const body = () => new URLSearchParams(form);
  await attempt('read', async () => (await fetch(`${target}/rooms/origin`, { credentials: 'include' })).text());
  await attempt('post', async () => (await fetch(`${target}/rooms/origin/say`, { method: 'POST', credentials: 'include', body: body() })).text());
  await attempt('blind post', async () => (await fetch(`${target}/rooms/origin/say`, { method: 'POST', mode: 'no-cors', credentials: 'include', body: body() })).type);
  await attempt('mcp', async () => (await fetch(`${target}/mcp`, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' })).type);
  await attempt('script', () => new Promise((done, failed) => {
    const script = Object.assign(document.createElement('script'), { src: `${target}/rooms/origin`, onload: () => done('ran'), onerror: () => failed(new Error()) });
    document.body.append(script);
  }));
  await attempt('events', () => new Promise((done, failed) => {
    const source = new EventSource(`${target}/stream?room=origin`, { withCredentials: true });
    source.addEventListener('status', () => done('told'));
    source.onerror = () => { source.close(); failed(new Error()); };
  }));
  await attempt('frame', () => new Promise((done, failed) => {
    const frame = Object.assign(document.createElement('iframe'), { src: `${target}/rooms/origin`, name: 'frame' });
    frame.onload = () => {
      try { done(frame.contentDocument.body.innerText); } catch { failed(new Error()); }
    };
    document.body.append(frame);
  }));
  await attempt('form', () => new Promise((done) => {
    const made = Object.assign(document.createElement('form'), { method: 'post', action: `${target}/rooms/origin/say`, target: 'frame' });
    for (const [name, value] of Object.entries(form)) made.append(Object.assign(document.createElement('input'), { name, value }));
    document.body.append(made);
    document.querySelector('iframe').onload = () => done('sent');
    made.submit();
  }));
  return tried;
}

async function assertShut(name) {
  const page = await visit(browser, hub, 'origin');
  const before = await hub.said('origin');
  const other = await page.context().newPage();
  await other.goto(`http://${name}:${port}/`);
  for (const target of [hub.url, hub.url.replace('127.0.0.1', 'localhost'), `http://elsewhere.example:${hub.port}`]) {
    const tried = await other.evaluate(attack, target);
    for (const [what, got] of Object.entries(tried)) {
      if (!['blind post', 'mcp', 'form'].includes(what)) assert.match(got, /^refused/, `${what} from ${name} to ${target}`);
      assert.ok(!String(got).includes(SECRET), what);
    }
    const frames = await Promise.all(other.frames().slice(1).map((frame) => frame.content().catch(() => '')));
    assert.ok(!frames.join().includes(SECRET) && !frames.join().includes('name="token"'), 'no frame shows it');
    await other.reload();
  }
  // A link to the page is followed, and shows who is in nothing but the page.
  await other.goto(`${hub.url}/rooms/origin`);
  assert.deepEqual(await hub.said('origin'), before, 'nothing was posted');
}

test('a page of another origin cannot post or read or frame the page', async () => {
  const [ada] = await hub.room('origin');
  await ada.say(SECRET);
  await assertShut('elsewhere.example');
});

test('a page of another port cannot post or read or frame the page', async () => {
  const [ada] = await hub.room('origin');
  await ada.say(SECRET);
  await assertShut('127.0.0.1');
});

test('a page under another name that leads here is shown nothing', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const answer = await page.goto(`http://elsewhere.example:${hub.port}/`);
  assert.equal(answer.status(), 403);
  assert.match(await answer.text(), /this Host is not allowed/);
});
