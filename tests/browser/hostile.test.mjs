// What others say, and how they call themselves, is shown and does nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isWide, launch, visit } from './support/browser.mjs';
import { Hub } from './support/hub.mjs';

let hub, browser;
before(async () => { [hub, browser] = await Promise.all([Hub.start(), launch()]); });
after(async () => { await browser?.close(); await hub?.end(); });

// Each would set the flag, open something, or ask a server for something.
const RUN = 'window.touched=1;alert(1);fetch(`//evil.example/`)';
const HOSTILE = [
  `<script>${RUN}</script>`,
  `</textarea></template></title></style></noscript><script>${RUN}</script>`,
  `<img src=x onerror="${RUN}"><img src="http://evil.example/a.png">`,
  `<svg onload="${RUN}"><animate onbegin="${RUN}" attributeName=x dur=1s></svg>`,
  `<math><mtext></p><style><!--</style><img title="--&gt;&lt;img src=x onerror=${RUN}&gt;">`,
  `<iframe src="javascript:${RUN}"></iframe><iframe srcdoc="<script>parent.touched=1</script>"></iframe>`,
  `<object data="http://evil.example/"></object><embed src="http://evil.example/"><video src="http://evil.example/v" autoplay></video>`,
  '<style>body{display:none;background:url(http://evil.example/s)}</style><link rel=stylesheet href="http://evil.example/c">',
  '<meta http-equiv="refresh" content="0;url=http://evil.example/"><base href="http://evil.example/">',
  '<form action="http://evil.example/"><button autofocus>press</button></form><a href="http://evil.example/" ping="http://evil.example/p">a</a>',
  `<div style="position:fixed;inset:0;background:red" onmouseover="${RUN}">over all</div>`,
  `[script](javascript:${RUN}) [data](data:text/html,<script>${RUN}</script>) [vb](vbscript:x) [split](java\nscript:${RUN})`,
  `[entity](&#106;avascript:${RUN}) [tab](java&Tab;script:${RUN}) <javascript:${RUN}>`,
  '![a picture](http://evil.example/i.png) ![data](data:image/svg+xml,<svg/onload=alert(1)>) [![both](http://evil.example/b.png)](http://evil.example/)',
  '[x]: http://evil.example/ "onclick=alert(1)"\n[x] [^1]\n\n[^1]: ![n](http://evil.example/n.png)',
  `\`\`\`"><script>${RUN}</script>\ncode\n\`\`\`\n\n| <script>${RUN}</script> |\n|-|\n| <img src=x onerror=${RUN}> |`,
  '\u202e\u2066 reversed \u202d\u0000\u001b[31m \ufeff\u2028 data: x\n\nevent: entry\ndata: <li id="9999">forged</li>',
  `{{7*7}} \${7*7} <%= 7*7 %> {% raw %} &lt;script&gt; &amp;#60;script&amp;#62;`,
  `${'<b>'.repeat(2_000)}${'['.repeat(2_000)}${'*_'.repeat(2_000)}`,
  'w'.repeat(100_000),
];

const assertHarmless = async (page) => {
  assert.equal(await page.evaluate(() => window.touched), undefined, 'nothing ran');
  assert.deepEqual(page.seen.dialogs, []);
  assert.deepEqual(page.seen.errors, []);
  assert.deepEqual(page.seen.requests.filter((url) => !url.startsWith(`${hub.url}/`)), [], 'nothing is asked for elsewhere');
  assert.equal(new URL(page.url()).origin, hub.url);
  const within = '.words, .topic, .choice, .choices, .name, h1, .notice, .full-name';
  const bad = 'script, style, iframe, img, svg, math, object, embed, video, form form, meta, link, base, [onerror], [onload], [style]';
  assert.equal(await page.locator(within).locator(bad).count(), 0, 'no such element was made');
  const links = await page.locator('main a').evaluateAll((links) => links.map((link) => [link.protocol, link.rel, link.origin]));
  for (const [protocol, rel, origin] of links) {
    assert.match(protocol, /^(https?|mailto):$/);
    if (origin !== hub.url) assert.match(rel, /noopener/);
  }
  assert.equal(await isWide(page), false, 'the page is not widened');
};

test('hostile messages do not run', async () => {
  const [ada] = await hub.room('hostile', { floor: 'open', max_agent_turns: 0 });
  const page = await visit(browser, hub, 'hostile', { viewport: { width: 390, height: 844 } });
  for (const words of HOSTILE) await ada.say(words);
  const last = await ada.say('the end');
  await page.locator(`[id="${last}"]`).waitFor();
  await assertHarmless(page);
  assert.equal(await page.locator('[id="9999"]').count(), 0, 'no event is forged');
  // As the server renders them, and not as they came over the stream.
  await page.reload();
  await page.getByText('the end').waitFor();
  await assertHarmless(page);
  for (const image of await page.locator('main img').all()) assert.fail(await image.getAttribute('src'));
});

test('hostile questions and choices do not run', async () => {
  const [ada] = await hub.room('choices', { floor: 'open', max_agent_turns: 0 });
  const page = await visit(browser, hub, 'choices', { viewport: { width: 390, height: 844 } });
  const home = await visit(browser, hub, undefined, { viewport: { width: 390, height: 844 } });
  const choices = [`"><script>${RUN}</script>`, `' onclick='${RUN}`, '</button></form><form action="http://evil.example/">', 'w'.repeat(150)];
  await ada.say(`@user <img src=x onerror="${RUN}"> ![p](http://evil.example/p.png)`, { choices });
  for (const shown of [page, home]) {
    await shown.locator('.card .choices button').nth(3).waitFor();
    assert.deepEqual(await shown.locator('.card .choices button').allInnerTexts(), choices);
    await assertHarmless(shown);
  }
  await home.locator('.card .choices button').nth(0).click();
  await home.locator('.card').waitFor({ state: 'detached' });
  assert.equal((await hub.said('choices')).at(-1).content, choices[0]);
  await assertHarmless(page);
});

test('hostile topics and names do not run', async () => {
  const topic = `<script>${RUN}</script><img src=x onerror=${RUN}> ${'t'.repeat(180)}`;
  const long = `@${'N'.repeat(60)}`;
  const [ada] = await hub.room('topics', { agents: ['@Ada', long, '@日本'], topic, floor: 'open' });
  await ada.call('join_conversation', { handle: '@Ada', name: `<b onclick=${RUN}>Ada</b>`, timeout_seconds: 0 });
  await ada.say(`${long} @日本 @user who?`);
  for (const room of [undefined, 'topics']) {
    const page = await visit(browser, hub, room, { viewport: { width: 390, height: 844 } });
    await page.locator('.card').first().waitFor();
    await assertHarmless(page);
    if (room) assert.equal((await page.locator('h1').innerText()).startsWith('<script>'), true);
  }
  const page = await visit(browser, hub, undefined);
  await page.goto(`${hub.url}/search?q=${encodeURIComponent(`"><script>${RUN}</script>`)}&room=%22%3E%3Cscript%3E`);
  await assertHarmless(page);
  await page.goto(`${hub.url}/rooms/${encodeURIComponent(`<script>${RUN}</script>`)}`);
  page.seen.errors = page.seen.errors.filter((error) => !error.includes('404'));
  await assertHarmless(page);
});

test('a link in a message leads away without telling where from', async () => {
  const [ada] = await hub.room('links');
  const page = await visit(browser, hub, 'links');
  await ada.say(`see [this](http://elsewhere.example:${hub.port}/) please`);
  const link = page.getByRole('link', { name: 'this' });
  await link.waitFor();
  assert.match(await link.getAttribute('rel'), /noopener/);
  assert.match(await link.getAttribute('rel'), /noreferrer/);
});
