// Tasks: agents publish, a person sees whose turn it is, decides, and is told what came in between.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Agent } from './support/agent.mjs';
import { isWide, launch, unfold, visit } from './support/browser.mjs';
import { Hub } from './support/hub.mjs';
import { until } from './support/until.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let hub, browser, ada, bob, carol;
before(async () => {
  [hub, browser] = await Promise.all([Hub.start(), launch()]);
  [ada, bob, carol] = await Promise.all(['@Ada', '@Bob', '@Carol'].map((handle) => Agent.connect(hub.url, handle)));
});
after(async () => { await browser?.close(); await hub?.end(); });

const state = (page, word) => page.locator('#status', { hasText: word }).waitFor();
const column = (page, status) => page.locator('.column', { has: page.getByRole('heading', { name: new RegExp(`^${status}`) }) });
const read = (task) => ada.call('context_read', { task_id: task });
const design = (task) => ada.publish(task, 'architect', 'design', 'By hand');
const change = (task, rest) => bob.publish(task, 'executor', 'code_changes', 'Done', rest);
const review = (task, verdict) => carol.publish(task, 'reviewer', 'review', 'Looked', { verdict });

async function atTheGate(title) {
  const task = await ada.task(title, { flow: 'solo' });
  await design(task);
  await change(task);
  return task;
}

test('a task goes from a form on the page to its close and each step shows by itself', async () => {
  const page = await visit(browser, hub);
  await page.getByRole('link', { name: 'Tasks' }).click();
  await page.getByRole('link', { name: 'Start a task' }).first().click();
  await page.getByLabel('Title').fill('The new parser');
  await page.getByLabel('What is to be done').fill('Read **all** files.');
  for (const [role, handle] of [['Architect', '@Ada'], ['Executor', '@Bob'], ['Reviewer', '@Carol']]) await page.getByLabel(role).fill(handle);
  await page.getByRole('button', { name: 'Start the task' }).click();
  await page.locator('.description strong', { hasText: 'all' }).waitFor();
  const task = 'the-new-parser';
  const board = await visit(browser, hub);
  await board.goto(`${hub.url}/tasks`);
  await column(board, 'designing').getByText('@Ada').waitFor();
  await state(page, '@Ada');
  const woken = bob.call('context_wait', { role: 'executor', task_id: task, timeout_seconds: 60 });
  await design(task);
  assert.equal((await woken).status, 'implementing');
  await page.locator('#records').getByText('By hand').first().waitFor();
  await state(page, 'implementing');
  await column(board, 'implementing').getByText('@Bob').waitFor();
  await change(task, { commits: ['3f9c2ab'], model: 'a model' });
  await page.locator('.commits code', { hasText: '3f9c2ab' }).waitFor();
  await page.getByText('executor · a model').waitFor();
  await review(task, 'fail_code');
  await page.getByText('the code has to be mended').waitFor();
  await bob.publish(task, 'executor', 'revision', 'Mended');
  await review(task, 'pass');
  await state(page, 'to approve or reject it');
  await column(board, 'pending approval').getByText('you', { exact: true }).waitFor();
  assert.deepEqual(await page.locator('#records > li').evaluateAll((all) => all.map((record) => record.id)), ['1', '2', '3', '4', '5']);
  // The person approves on the first page, and closes on that of the task.
  const home = await visit(browser, hub);
  const card = home.locator('.card', { hasText: `task ${task} waits for your decision` });
  await card.getByRole('button', { name: 'Approve' }).click();
  await home.locator('.card', { hasText: 'is approved, and not closed' }).waitFor();
  await state(page, 'to close it');
  await page.locator('[id="6"]').getByText('✓ verified, @user').waitFor();
  await page.getByLabel('What came of it').fill('It reads all files.');
  await page.getByRole('button', { name: 'Close the task' }).click();
  await page.locator('#status.closed').waitFor();
  await home.locator('.card', { hasText: task }).first().waitFor({ state: 'detached' });
  await board.locator('.task-card', { hasText: 'The new parser' }).waitFor({ state: 'detached' });
  assert.equal((await read(task)).status, 'closed');
  assert.equal((await read(task)).versions.at(-1).verified_by, '@user');
  await board.getByRole('link', { name: 'Closed tasks' }).click();
  await board.getByRole('link', { name: 'The new parser' }).click();
  await board.getByText('It reads all files.').waitFor();
  for (const seen of [page, board, home]) assert.deepEqual(seen.seen.errors, []);
});

test('what comes in while a person decides is told, the reason stays, and the next click decides', async () => {
  const task = await atTheGate('Conflict');
  const page = await visit(browser, hub);
  await page.goto(`${hub.url}/tasks/${task}`);
  await state(page, 'Pending approval');
  await page.getByLabel(/^Reason/).fill('A test is missing.');
  await bob.publish(task, 'executor', 'note', 'One more thing');
  await page.locator('#records').getByText('One more thing').waitFor();
  await page.getByText('Decides about records 1 to 2.').waitFor();
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByRole('alert').getByText('record 3, note of executor came in after what you saw').waitFor();
  assert.equal((await read(task)).status, 'pending_approval');
  await page.getByText('Decides about records 1 to 3.').waitFor();
  assert.equal(await page.getByLabel(/^Reason/).inputValue(), 'A test is missing.');
  await page.getByRole('button', { name: 'Reject' }).click();
  await state(page, 'Implementing');
  const last = (await read(task)).versions.at(-1);
  assert.deepEqual([last.payload.decision, last.payload.body, last.verified_by], ['reject', 'A test is missing.', '@user']);
  await page.getByRole('alert').waitFor({ state: 'hidden' });
});

test('what a form says it is about is what it decides about, whatever comes in', async () => {
  const task = await atTheGate('About');
  const [page, home] = [await visit(browser, hub), await visit(browser, hub)];
  await page.goto(`${hub.url}/tasks/${task}`);
  const card = home.locator('.card', { hasText: `task ${task} waits for your decision` });
  const note = async (number) => {
    await bob.publish(task, 'executor', 'note', `Note ${number}`);
    await page.locator(`[id="${number}"]`).waitFor();
    await page.locator('#status').getByText(`${number} records`).waitFor();
  };
  const about = async (place, version) => {
    await place.getByText(`Decides about records 1 to ${version}.`).waitFor();
    const hidden = await place.locator('form[action$="/decide"] input[name="version"]').evaluateAll((all) => all.map((field) => field.value));
    assert.deepEqual([...new Set(hidden)], [`${version}`]);
  };
  await about(card, 2);
  await note(3);
  await about(page, 2);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('alert').getByText('record 3').waitFor();
  await about(page, 3);
  await note(4);
  await about(page, 3);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('alert').getByText('record 4').waitFor();
  await about(page, 4);
  // On the first page nothing changes under the pointer either.
  await about(card, 2);
  await card.getByRole('button', { name: 'Approve' }).click();
  await home.getByRole('alert').getByText('came in after what you saw').waitFor();
  await about(card, 4);
  assert.equal((await read(task)).status, 'pending_approval');
  await card.getByRole('button', { name: 'Approve' }).click();
  await state(page, 'to close it');
  assert.equal((await read(task)).version, 5);
});

test('a page that hears of a record late does not change what its form is about', async () => {
  const task = await atTheGate('Late');
  const page = await visit(browser, hub);
  let connects;
  const asked = new Promise((tell) => page.context().route('**/stream?task=*', (route) => { connects = () => route.continue(); tell(); }));
  await page.goto(`${hub.url}/tasks/${task}`);
  await asked;
  await bob.publish(task, 'executor', 'note', 'One more thing');
  await connects();
  const isAbout = async (records) => {
    await page.locator('#status').getByText(`${records} records`).waitFor();
    await page.getByText('Decides about records 1 to 2.').waitFor();
    assert.equal(await page.locator('#do-decide input[name="version"]').inputValue(), '2');
  };
  await isAbout(3);
  await page.context().unroute('**/stream?task=*');
  await page.evaluate(() => source.close());
  await bob.publish(task, 'executor', 'note', 'And another');
  await page.evaluate(() => connect());
  await isAbout(4);
});

test('a rejection without a reason is none', async () => {
  const task = await atTheGate('No reason');
  const page = await visit(browser, hub);
  await page.goto(`${hub.url}/tasks/${task}`);
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByRole('alert').getByText('A rejection needs a reason.').waitFor();
  assert.equal((await read(task)).version, 2);
});

test('what did not fit is marked until a person has seen it', async () => {
  const task = await ada.task('Attention');
  const page = await visit(browser, hub);
  await page.goto(`${hub.url}/tasks/${task}`);
  await change(task);
  await state(page, 'to look at what did not fit');
  await page.locator('[id="1"]').getByText('does not fit', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'I have seen it' }).click();
  await state(page, '@Ada');
  await page.locator('#attention').waitFor({ state: 'detached' });
  assert.deepEqual((await read(task)).warnings, []);
  await review(task, 'pass');
  const home = await visit(browser, hub);
  await home.locator('.card', { hasText: 'task attention needs a look' }).getByRole('button', { name: 'I have seen it' }).click();
  await home.locator('.card', { hasText: 'task attention needs a look' }).waitFor({ state: 'detached' });
});

test('a decision of an agent is a proposal until a person decides', async () => {
  const task = await atTheGate('Proposal');
  await ada.call('context_decide', { task_id: task, decision: 'approve', by: '@user' });
  const page = await visit(browser, hub);
  await page.goto(`${hub.url}/tasks/${task}`);
  await page.locator('[id="3"]').getByText('proposal, not verified').waitFor();
  await page.getByText('It counts only when you decide.').waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await state(page, 'Approved');
});

test('the room of a task leads to it and shows where it stands', async () => {
  const task = await ada.task('In a room');
  const page = await visit(browser, hub, task);
  await page.locator('#tasks-here', { hasText: 'waits for @Ada, architect' }).waitFor();
  await design(task);
  await page.locator('#tasks-here', { hasText: 'waits for @Bob, executor' }).waitFor();
  await page.locator('#log').getByRole('link', { name: /record 1/ }).click();
  await page.locator('[id="1"]', { hasText: 'By hand' }).waitFor();
  assert.equal(new URL(page.url()).hash, '#1');
});

test('a task is decided by keys', async () => {
  const task = await atTheGate('By keys');
  const page = await visit(browser, hub);
  await page.goto(`${hub.url}/tasks/${task}`);
  await page.locator('#connection', { hasText: /^connected$/ }).waitFor({ state: 'attached' });
  const focused = (selector) => page.waitForFunction((selector) => document.activeElement.matches(selector), selector);
  await page.locator('body').press('j');
  await focused('#records article');
  await page.keyboard.press('r');
  await focused('#reason');
  await page.keyboard.type('Good.');
  await page.keyboard.press('Tab');
  await focused('[value="approve"]');
  await page.keyboard.press('Enter');
  await state(page, 'Approved');
  // The focus stays near.
  await focused('#decide h2, #decide *');
});

test('without JavaScript a person reads, and a decision is kept as a proposal', async () => {
  const task = await atTheGate('Plain');
  const page = await visit(browser, hub, undefined, { javaScriptEnabled: false });
  await page.goto(`${hub.url}/tasks`);
  await page.getByRole('link', { name: 'Plain' }).click();
  await page.getByLabel(/^Reason/).fill('Not yet.');
  await bob.publish(task, 'executor', 'note', 'Late');
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByRole('alert').getByText('Nothing was done').waitFor();
  assert.equal(await page.getByLabel(/^Reason/).inputValue(), 'Not yet.');
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.locator('[id="4"]').getByText('proposal, not verified').waitFor();
  assert.equal((await read(task)).status, 'pending_approval');
  assert.equal(new URL(page.url()).pathname, `/tasks/${task}`);
});

// A hub that knows how to start agents: an architect that works for long, and an executor that does nothing.
async function office(t) {
  const settings = `
[tasks.start.architect]
command = ["sh", "-c", "echo $TURNROOM_HANDLE >> starts; exec sleep 600"]
[tasks.start.executor]
command = ["sh", "-c", "echo it cannot >&2; exit 3"]
`;
  const hub = await Hub.start({ settings });
  t.after(() => hub.end());
  const cast = { architect: '@Ada', executor: '@Bob', reviewer: '@Carol' };
  const { task_id: task } = await hub.tool('context_create', { title: 'By hand', description: 'Do it', creator: '@user', role: 'human', cast });
  await until('a person is told whose turn it is', async () => (await hub.command('inbox')).items.some(({ kind }) => kind === 'task_turn'));
  const starts = () => (existsSync(join(hub.folder, 'starts')) ? readFileSync(join(hub.folder, 'starts'), 'utf8').split('\n').length - 1 : 0);
  return { hub, task, starts };
}

const startButton = (place) => place.getByRole('button', { name: 'Start the agent' });

test('an agent that does not come is started with a button, and twice only by who wants it', async (t) => {
  const { hub, task, starts } = await office(t);
  const home = await visit(browser, hub);
  const card = home.locator('.card', { hasText: 'it is the turn of @Ada (architect)' });
  await startButton(card).waitFor();
  const [board, page, late] = await Promise.all([visit(browser, hub), visit(browser, hub), visit(browser, hub, undefined, { isDeaf: true })]);
  await board.goto(`${hub.url}/tasks`);
  for (const seen of [page, late]) await seen.goto(`${hub.url}/tasks/${task}`);
  for (const place of [board.locator('.task-card'), page.locator('#agent'), late.locator('#agent')]) await startButton(place).waitFor();
  await startButton(card).click();
  await until('it is started', () => starts() === 1);
  await card.waitFor({ state: 'detached' });
  for (const place of [board.locator('.task-card'), page.locator('#agent')]) await startButton(place).waitFor({ state: 'detached' });
  // Who was not told of it is told now.
  const again = late.getByRole('button', { name: 'Start again' });
  await again.waitFor({ state: 'hidden' });
  await startButton(late).click();
  await late.getByRole('alert').getByText('@Ada (architect) was started for this turn of task `by-hand`, and still runs').waitFor();
  assert.equal(starts(), 1);
  await again.click();
  await until('it is started again', () => starts() === 2);
  await late.getByRole('alert').waitFor({ state: 'hidden' });
  // The executor ends without having done anything.
  await hub.tool('context_publish', { task_id: task, role: 'architect', content_type: 'design', payload: { summary: 's', body: 'b' } });
  await startButton(board.locator('.task-card')).click();
  await page.locator('#agent').getByText('it cannot').waitFor();
  await page.getByRole('button', { name: 'Start again' }).click();
  await page.locator('#agent').getByText('It was started 2 times').waitFor();
  for (const seen of [home, board, page]) assert.deepEqual(seen.seen.errors, []);
});

test('without JavaScript nobody is started, and the page says what to do', async (t) => {
  const { hub, task, starts } = await office(t);
  const page = await visit(browser, hub, undefined, { javaScriptEnabled: false });
  for (const path of ['/', '/tasks', `/tasks/${task}`]) {
    await page.goto(hub.url + path);
    await startButton(page).click();
    await page.getByRole('alert').getByText('Nothing was started').waitFor();
    await page.getByRole('alert').getByText('let this browser in anew').waitFor();
  }
  assert.equal(starts(), 0);
});

test('hostile words of a task do not run', async () => {
  const words = `"><img src=x onerror="alert(1)"><script>alert(2)</script>`;
  const task = await ada.task(words, { flow: 'solo', description: words, creator: words });
  await ada.publish(task, words, 'design', words, { agent: words, model: words, commits: [words], more: words });
  await ada.publish(task, 'reviewer', 'review', words, { verdict: words });
  const page = await visit(browser, hub);
  for (const path of ['/', '/tasks', `/tasks/${task}`, `/rooms/${task}`]) await page.goto(hub.url + path);
  await page.goto(`${hub.url}/tasks/${task}`);
  await ada.publish(task, words, words, words);
  await page.locator('[id="3"]').waitFor();
  assert.deepEqual([page.seen.dialogs, page.seen.popups, await page.locator('main img').count()], [[], [], 0]);
  assert.ok(page.seen.requests.every((url) => url.startsWith(hub.url)), page.seen.requests.join());
});

test('tasks fit a phone and axe finds nothing serious', async () => {
  const task = await atTheGate(`A title that is far too long for one line of a phone ${'x'.repeat(80)}`);
  await bob.publish(task, 'executor', 'note', 'y'.repeat(200), { commits: ['z'.repeat(100)], ref_version: 2 });
  await review(task, 'unknown');
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  for (const colorScheme of ['light', 'dark']) {
    const page = await visit(browser, hub, undefined, { ...phone, colorScheme, reducedMotion: 'reduce', bypassCSP: true });
    for (const path of ['/', '/tasks', '/tasks?closed=yes', `/tasks/${task}`, '/tasks/new', `/rooms/${task}`]) {
      await page.goto(hub.url + path);
      await unfold(page);
      assert.equal(await isWide(page), false, `${path} is no wider than the screen`);
      const small = await page.locator('.top a, main button, .board-head a, .task-card .what, .commits button, #decide summary').evaluateAll((targets) => targets
        .filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < 43.5)
        .map((target) => target.outerHTML.slice(0, 80)));
      assert.deepEqual(small, [], `${path}: everything to touch is 44 px high`);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => axe.run());
      const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
      assert.deepEqual(serious.map(({ id, nodes }) => [path, id, ...nodes.map((node) => `${node.html} ${node.failureSummary}`)]), []);
    }
  }
});
