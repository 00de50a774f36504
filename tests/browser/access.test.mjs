// The page for people who do not see it, or see it otherwise: axe finds nothing serious.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { launch, unfold, visit } from './support/browser.mjs';
import { Hub } from './support/hub.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let hub, browser;
before(async () => {
  [hub, browser] = await Promise.all([Hub.start(), launch()]);
  const [ada, bob] = await hub.room('access', { topic: 'The parser', floor: 'open', max_agent_turns: 0 });
  await ada.say('@Bob here it is:\n\n```rust\nfn main() {}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> and a quote with `code` and a [link](http://a.example/)');
  await bob.say('@Ada this is private', { is_private: true });
  await ada.say('@user which one?', { choices: ['This', 'That'] });
  await hub.command('pause', { room: (await hub.room('paused'))[0].room });
  const [cleo] = await hub.room('over');
  await cleo.call('close_conversation', { handle: '@Ada', summary: 'It is **done**.' });
});
after(async () => { await browser?.close(); await hub?.end(); });

const PAGES = ['/', '/rooms/access', '/rooms/paused', '/rooms/over', '/search?q=quote', '/new', '/rooms/access/started'];

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing serious in ${colorScheme} colours`, async () => {
    const page = await visit(browser, hub, undefined, { colorScheme, reducedMotion: 'reduce', bypassCSP: true });
    for (const path of PAGES) {
      await page.goto(hub.url + path);
      await unfold(page);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => axe.run());
      const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
      assert.deepEqual(serious.map(({ id, nodes }) => [path, id, ...nodes.map((node) => `${node.html} ${node.failureSummary}`)]), []);
    }
    const refused = await browser.newPage({ bypassCSP: true, colorScheme });
    await refused.goto(hub.url);
    await refused.evaluate(AXE);
    assert.deepEqual((await refused.evaluate(() => axe.run())).violations.map(({ id }) => id), []);
  });
}

test('the log and the state are announced and nothing moves for who wants that', async () => {
  const page = await visit(browser, hub, 'access', { reducedMotion: 'reduce' });
  assert.equal(await page.getByRole('log').count(), 1);
  assert.ok(await page.getByRole('status').count() >= 1);
  await hub.command('pause', { room: 'access' });
  await page.locator('#announce', { hasText: 'The room is paused' }).waitFor({ state: 'attached' });
  await hub.command('resume', { room: 'access' });
  await page.locator('#status.open').waitFor();
  const moving = () => page.evaluate(() => document.getAnimations().length);
  assert.equal(await moving(), 0);
  const [ada] = await hub.room('motion', { floor: 'open' });
  await page.goto(`${hub.url}/rooms/motion`);
  await ada.say('something new');
  await page.getByText('something new').waitFor();
  assert.equal(await moving(), 0);
});
