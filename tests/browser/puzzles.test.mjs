// Puzzles: a person sees where the machine stands, acts on it, answers what is asked, and follows what others do.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { Agent } from './support/agent.mjs';
import { isWide, launch, unfold, visit } from './support/browser.mjs';
import { Hub } from './support/hub.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let hub, browser, ada, bob;
before(async () => {
  [hub, browser] = await Promise.all([Hub.start(), launch()]);
  [ada, bob] = await Promise.all(['@Ada', '@Bob'].map((handle) => Agent.connect(hub.url, handle)));
});
after(async () => { await browser?.close(); await hub?.end(); });

const to = (targetState, rest = {}) => ({ targetState, ...rest });
const asks = (question, rest = {}) => ({ guard: { participant: ['@user'], question, ...rest } });

const release = (id) => ({ id, name: `The ${id}`, description: 'How a text goes **out**.', initialState: 'draft', states: {
  draft: { who: ['@Ada'], actions: { submit: to('review') } },
  review: { who: ['@Bob'], actions: {
    approve: to('published', asks('May **this** go out?')),
    'send back': to('draft'),
    publish: to('published', { allowed: ['@Bob'] }),
    check: to('review', { guard: [{ form: 'Are all tests green?' }, { form: 'Have you read it?' }] }),
  } },
  published: { final: true },
} });

const add = async (config) => {
  const added = await ada.call('add_puzzle', { config, by: '@Ada' });
  assert.ok(added.success, JSON.stringify(added));
  return added.puzzleId;
};
const act = (agent, puzzle, action) => agent.call('perform_action_on_puzzle', { puzzleId: puzzle, actionName: action, actor: agent.handle });
const stands = async (puzzle) => (await ada.call('get_puzzle_snapshot', { puzzleId: puzzle })).currentState;
const history = async (puzzle) => (await ada.call('get_puzzle_history', { puzzleId: puzzle })).events;

async function inReview(id) {
  await add(release(id));
  await act(ada, id, 'submit');
  return id;
}

async function open(puzzle, options) {
  const page = await visit(browser, hub, undefined, options);
  await page.goto(`${hub.url}/puzzles/${puzzle}`);
  const follows = options?.javaScriptEnabled !== false && !options?.isDeaf;
  if (follows) await page.locator('#connection', { hasText: /^connected$/ }).waitFor({ state: 'attached' });
  return page;
}

const isIn = (page, state) => page.locator('#machine .current', { hasText: state }).waitFor();
const button = (page, name) => page.getByRole('button', { name, exact: true });

test('a puzzle goes from a form on the page to its end, and two pages follow it', async () => {
  const page = await visit(browser, hub);
  await page.getByRole('link', { name: 'Puzzles' }).click();
  const list = await visit(browser, hub);
  await list.goto(`${hub.url}/puzzles`);
  await page.getByRole('link', { name: 'Add a puzzle' }).first().click();
  await page.getByLabel('Machine', { exact: true }).fill(JSON.stringify({ ...release('first'), initialState: 'nowhere' }));
  await button(page, 'Add the puzzle').click();
  await page.locator('#faults code', { hasText: 'config.initialState' }).waitFor();
  await page.getByLabel('Machine', { exact: true }).fill((await page.getByLabel('Machine', { exact: true }).inputValue()).replace('nowhere', 'draft'));
  await button(page, 'Add the puzzle').click();
  await isIn(page, 'draft');
  await list.locator('#puzzles', { hasText: 'The first' }).waitFor();
  const other = await open('first');
  await button(page, 'submit').click();
  await isIn(page, 'review');
  await isIn(other, 'review');
  await list.locator('#puzzles', { hasText: 'review' }).waitFor();
  await other.locator('#records > li[id="2"]', { hasText: 'submit' }).waitFor();
  // An agent acts, and both pages see who it was.
  await act(bob, 'first', 'publish');
  await isIn(page, 'published');
  await isIn(other, 'published');
  await page.locator('#records > li[id="3"]', { hasText: '@Bob' }).waitFor();
  await page.locator('#status', { hasText: 'It has ended.' }).waitFor();
  assert.deepEqual((await history('first')).map(({ what, actor }) => [what, actor]), [['added', '@user'], ['moved', '@user'], ['moved', '@Bob']]);
  await page.getByText('Remove the puzzle').click();
  await page.getByRole('button', { name: 'Remove it for good' }).click();
  await list.locator('#puzzles', { hasText: 'The first' }).waitFor({ state: 'detached' });
  await page.waitForURL(`${hub.url}/puzzles`);
  await other.getByRole('heading', { name: 'The puzzle was removed' }).waitFor();
  // A refusal and a page that is gone are told of by the browser, too.
  for (const seen of [page, list]) assert.deepEqual(seen.seen.errors.filter((error) => !/status of 4\d\d/.test(error)), []);
});

test('a guard by @user is answered on the page, and the agent that waits is told', async () => {
  const puzzle = await inReview('asked');
  const page = await open(puzzle);
  const waits = ada.call('perform_action_on_puzzle', { puzzleId: puzzle, actionName: 'approve', actor: '@Ada', wait_seconds: 60 });
  const card = page.locator('.card', { hasText: 'You are asked' });
  await card.getByText('this', { exact: true }).waitFor();
  await page.locator('#status', { hasText: 'you' }).waitFor();
  await card.getByLabel('Reason').fill('Not yet: a test is missing.');
  await button(card, 'Refuse').click();
  const refused = await waits;
  assert.deepEqual([refused.success, refused.error.code], [false, 'guard_refused']);
  assert.match(refused.error.message, /a test is missing/);
  await card.waitFor({ state: 'detached' });
  await page.locator('#records', { hasText: 'Not yet: a test is missing.' }).waitFor();
  assert.equal(await stands(puzzle), 'review');
  // The second time he answers in his inbox.
  const again = ada.call('perform_action_on_puzzle', { puzzleId: puzzle, actionName: 'approve', actor: '@Ada', wait_seconds: 60 });
  const home = await visit(browser, hub);
  await home.getByRole('button', { name: `Let it pass: ${puzzle}` }).click();
  assert.equal((await again).currentState, 'published');
  await isIn(page, 'published');
  await page.locator('#records .mark.verified').first().waitFor();
  const moved = (await history(puzzle)).at(-1);
  assert.deepEqual([moved.what, moved.verdicts[0].by, moved.verdicts[0].verified], ['moved', '@user', true]);
});

test('what a guard asks whoever acts is asked before it is done', async () => {
  const puzzle = await inReview('forms');
  const page = await open(puzzle);
  await button(page, 'check').click();
  const demand = page.locator('#demand');
  await demand.getByText('Are all tests green?').waitFor();
  await demand.getByLabel('Reason').fill('I ran them.');
  await button(demand, 'Yes, go on').click();
  await demand.getByText('Have you read it?').waitFor();
  assert.equal((await history(puzzle)).length, 2, 'nothing is done yet');
  await button(demand, 'Yes, go on').click();
  await page.locator('#records > li[id="3"]', { hasText: 'I ran them.' }).waitFor();
  await demand.waitFor({ state: 'hidden' });
  await page.locator('#do-act input[name="version"][value="3"]').first().waitFor({ state: 'attached' });
  await button(page, 'check').click();
  await button(demand, 'No').click();
  await page.getByRole('alert').getByText('has refused').waitFor();
});

test('an act on what was not seen is none', async () => {
  const puzzle = await inReview('late');
  const page = await open(puzzle, { isDeaf: true });
  await act(ada, puzzle, 'send back');
  await button(page, 'send back').click();
  await page.getByRole('alert').getByText('The puzzle is in `draft` now.').waitFor();
  await button(page, 'send back').click();
  await page.getByRole('alert').getByText('is no action of').waitFor();
  assert.equal((await history(puzzle)).length, 3);
});

test('without JavaScript a person looks and acts, and a guard refuses whom it cannot know', async () => {
  const puzzle = await inReview('plain');
  const page = await open(puzzle, { javaScriptEnabled: false });
  await button(page, 'send back').click();
  await isIn(page, 'draft');
  await button(page, 'submit').click();
  await isIn(page, 'review');
  await act(ada, puzzle, 'approve');
  await page.goto(page.url());
  await page.locator('.card textarea').fill('Good.');
  await button(page, 'Let it pass').click();
  await page.getByRole('alert').getByText('needs @user himself').waitFor();
  assert.equal(await page.locator('.card textarea').inputValue(), 'Good.');
  assert.equal(await stands(puzzle), 'review');
});

test('the room of a puzzle leads to it and shows where it stands', async () => {
  const puzzle = await add(release('lodged'));
  const page = await visit(browser, hub, puzzle);
  await page.locator('#puzzles-here', { hasText: 'waits for @Ada' }).waitFor();
  await act(ada, puzzle, 'submit');
  await page.locator('#puzzles-here', { hasText: 'waits for @Bob' }).waitFor();
  await page.locator('#log').getByRole('link', { name: /submit/ }).click();
  await page.locator('[id="2"]', { hasText: 'submit' }).waitFor();
  assert.equal(new URL(page.url()).hash, '#2');
});

test('a puzzle is moved by keys', async () => {
  const puzzle = await inReview('keys');
  await act(ada, puzzle, 'approve');
  const page = await open(puzzle);
  const focused = (selector) => page.waitForFunction((selector) => document.activeElement.matches(selector), selector);
  await page.locator('body').press('j');
  await focused('#records article');
  await page.keyboard.press('r');
  await focused('#decide textarea');
  await page.keyboard.type('Good.');
  await page.keyboard.press('Tab');
  await focused('[value="pass"]');
  await page.keyboard.press('Enter');
  await isIn(page, 'published');
  await focused('#decide h2, #decide *');
});

test('hostile names of a machine do not run', async () => {
  const words = `"><svg onload="alert(1)"><script>alert(2)</script>`;
  const config = { id: 'hostile', name: words, description: words, initialState: words, states: {
    [words]: { description: words, actions: { [words]: to('</text></svg><img src=x onerror=alert(3)>', asks(words)) } },
    '</text></svg><img src=x onerror=alert(3)>': { final: true },
  } };
  await add(config);
  const page = await open('hostile');
  await act(ada, 'hostile', words);
  await page.locator('.card', { hasText: 'You are asked' }).waitFor();
  for (const path of ['/', '/puzzles', '/rooms/hostile', '/puzzles/hostile']) await page.goto(hub.url + path);
  await button(page, 'Let it pass').click();
  await page.locator('#status', { hasText: 'It has ended.' }).waitFor();
  assert.deepEqual([page.seen.dialogs, page.seen.popups, page.seen.errors], [[], [], []]);
  assert.equal(await page.locator('main img, main script, main svg svg, main [onload]').count(), 0);
  assert.ok(page.seen.requests.every((url) => url.startsWith(hub.url)), page.seen.requests.join());
});

test('puzzles fit a phone and axe finds nothing serious', async () => {
  const long = 'x'.repeat(90);
  await inReview('phone');
  await act(ada, 'phone', 'approve');
  const states = Object.fromEntries(Array.from({ length: 30 }, (_, state) => [`state ${state}`, {
    actions: { [`${long} ${state}`]: to(`state ${(state + 1) % 30}`), over: to(`state ${(state + 7) % 30}`) },
  }]));
  states[long] = { actions: { in: to('state 20') } };
  await add({ id: 'wide', name: long, description: long, initialState: long, states });
  await act(ada, 'wide', 'in');
  await add({ id: 'long', name: long, initialState: long, states });
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  for (const colorScheme of ['light', 'dark']) {
    const page = await visit(browser, hub, undefined, { ...phone, colorScheme, reducedMotion: 'reduce', bypassCSP: true });
    for (const path of ['/', '/puzzles', '/puzzles/phone', '/puzzles/wide', '/puzzles/new', '/rooms/phone']) {
      await page.goto(hub.url + path);
      await unfold(page);
      assert.equal(await isWide(page), false, `${path} is no wider than the screen`);
      const small = await page.locator('.top a, main button, .board-head a, .rooms .what, .machine summary').evaluateAll((targets) => targets
        .filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < 43.5)
        .map((target) => target.outerHTML.slice(0, 80)));
      assert.deepEqual(small, [], `${path}: everything to touch is 44 px high`);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => axe.run());
      const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
      assert.deepEqual(serious.map(({ id, nodes }) => [path, id, ...nodes.map((node) => `${node.html} ${node.failureSummary}`)]), []);
    }
    await page.goto(`${hub.url}/puzzles/wide`);
    await page.waitForFunction(() => {
      const [box, frame] = ['#machine .current', '.drawing'].map((one) => document.querySelector(one).getBoundingClientRect());
      return box.top >= frame.top && box.bottom <= frame.bottom && box.left >= frame.left && box.right <= frame.right;
    });
  }
});
