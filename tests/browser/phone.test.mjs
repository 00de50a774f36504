// On a phone: nothing is wider than the screen, and what is touched is large enough.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isWide, launch, unfold, visit } from './support/browser.mjs';
import { Hub } from './support/hub.mjs';

let hub, browser, page;
before(async () => {
  [hub, browser] = await Promise.all([Hub.start(), launch()]);
  const [ada] = await hub.room('phone', { topic: 'Whether the parser of version two keeps the old syntax, and for how long' });
  await ada.say('@Bob a rather long message that goes over several lines on a phone, with `code` and a [link](http://a.example/).');
  await ada.call('pass_turn', { handle: '@Ada' });
  await hub.room('other', { topic: 'x'.repeat(100) });
  page = await visit(browser, hub, 'phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
});
after(async () => { await browser?.close(); await hub?.end(); });

const TARGETS = '.top a, .top button, .card a.button, .card button, .foot button, #controls button, #controls select, #controls summary, '
  + '.composer select, .composer textarea, .rooms .what, .rooms-head a, .rooms-head button, .search input, .search button, .filters input, .filters select, .fields button, '
  + '.entry .acts a, .entry .acts button';

async function assertFits() {
  assert.equal(await isWide(page), false, 'nothing is wider than the screen');
  const small = await page.locator(TARGETS).evaluateAll((targets) => targets
    .filter((target) => target.checkVisibility() && !target.closest('[hidden]'))
    .map((target) => [target.outerHTML.slice(0, 80), target.getBoundingClientRect().height])
    .filter(([, height]) => height < 43.5));
  assert.deepEqual(small, [], 'everything to touch is 44 px high');
}

test('a room fits a phone and its status stays in sight', async () => {
  const asker = (await hub.room('phone2', { floor: 'open', max_agent_turns: 0 }))[0];
  await page.goto(`${hub.url}/rooms/phone2`);
  for (let count = 0; count < 30; count += 1) await asker.say(`line ${count}`);
  await asker.say('@user now or later?', { choices: ['Now', 'A choice with a name that is far too long for one line of a phone', 'Later'] });
  await page.locator('.card .choices button').nth(2).waitFor();
  await page.getByText('line 29').waitFor();
  await assertFits();
  // What waits stands where the newest message is, and the page has followed.
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector('.card .choices').getBoundingClientRect();
    const newest = document.querySelector('#log').lastElementChild.getBoundingClientRect().bottom;
    return newest <= top && bottom <= document.querySelector('#composer').getBoundingClientRect().top;
  });
  await page.getByText('line 15').scrollIntoViewIfNeeded();
  for (const sticky of ['#status', '#composer textarea']) {
    const { top, bottom } = await page.locator(sticky).evaluate((place) => place.getBoundingClientRect().toJSON());
    assert.ok(top >= 0 && bottom <= 844, `${sticky} is in sight: ${top} to ${bottom}`);
  }
  await page.locator('#content').tap();
  await assertFits();
});

for (const [name, path] of [['the first page', '/'], ['a search', '/search?q=line'], ['starting a room', '/new'], ['how agents join', '/rooms/phone/started'], ['a room with one message', '/rooms/phone']]) {
  test(`${name} fits a phone`, async () => {
    await page.goto(hub.url + path);
    await assertFits();
    await unfold(page);
    await assertFits();
  });
}
