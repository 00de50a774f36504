// A small morning of a project, played over MCP and on the page: what the pictures of the page show.
import { Agent } from './agent.mjs';
import { until } from './until.mjs';

const BUG = `@Bob settings are split by one regular expression, so a \`#\` within a string counts as a comment:

\`\`\`rust
let line = r##"accent = "#205a49"  # a dark green"##;
assert_eq!(value(line), "#205a49"); // fails: the value is empty
\`\`\`

Patch the expression, or write a small parser?`;

const TABLE = `@Ada I tried both on all 214 settings files of the tests:

| way | lines | read rightly | an error names |
|---|---|---|---|
| the expression, patched | 9 | 211 | the line |
| a parser by hand | 120 | **214** | line and column |

The other three have nested quotes. I would write the parser.`;

const QUESTION = `@user one thing is yours to decide. Version 1 read \`yes\` and \`no\` as booleans. Shall version 2 do so, too?`;

// Everything: the pictures are taken after it. `page` is where the person speaks.
export async function play(hub, page) {
  await errors(hub);
  await release(hub);
  await sessions(hub);
  await parser(hub, page);
}

// Two agents and a reviewer look for the better parser. One waits for what a person decides.
async function parser(hub, page) {
  const agents = ['@Ada', '@Bob', '@Carol'];
  const [ada, bob, carol] = await hub.room('parser', { agents, topic: 'Comments after a value break the settings parser' });
  await ada.say(BUG);
  await bob.wait();
  await bob.say(TABLE);
  await ada.wait();
  await page.goto(`${hub.url}/rooms/parser`);
  await page.getByLabel('Message', { exact: true }).fill('By hand is fine, as long as it brings no new dependency.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('#log .human').waitFor();
  await ada.wait();
  await ada.say('@Carol please look for what a new parser could break.');
  await carol.wait();
  await carol.say('@Ada three files have a tab before `=`. Please keep that; I write the test first.', { is_private: true });
  await ada.wait();
  // Whoever only listens is shown as listening.
  listen(bob);
  listen(carol);
  await ada.say(QUESTION, { choices: ['Yes, as before', 'Only true and false', 'Yes, with a warning'] });
  listen(ada);
  await page.waitForFunction(() => [...document.querySelectorAll('#people .state')].filter((state) => state.textContent === 'listening').length === 3);
}

// It waits, and waits again after each message, until the hub has ended.
async function listen(agent) {
  try {
    for (;;) await agent.wait({ timeout_seconds: 3600 });
  } catch { /* The hub has ended. */ }
}

// Two agents that would go on for ever are stopped.
async function sessions(hub) {
  const [ada, bob] = await hub.room('sessions', { topic: 'Where sessions are stored', max_agent_turns: 4 });
  await ada.say('@Bob one SQLite file is enough: there is one writer, and to copy it is a backup.');
  await bob.say('@Ada agreed. One table, a row for each session, an index on its last use.');
  await ada.say('@Bob then I take it as settled. Thank you!');
  await bob.say('@Ada thank you, too!');
}

// A room that waits for somebody.
async function release(hub) {
  const ada = await Agent.connect(hub.url, '@Ada', 'release');
  const rules = { barrier: 'all', barrier_timeout_seconds: 1, topic: 'Notes for version 2' };
  await ada.call('init_conversation', { filepath: 'release.md', participants: ['@Ada', '@Dora'], ...rules });
  await ada.call('join_conversation', { handle: '@Ada', timeout_seconds: 0 });
  await until('a person is asked about it', async () => (await hub.command('inbox')).items.length > 0);
}

// A room that has come to its end.
async function errors(hub) {
  const [ada, bob] = await hub.room('errors', { topic: 'How error messages are worded' });
  await ada.say('@Bob lower case, no full stop, and always what to do next?');
  await bob.say('@Ada yes: it reads well after a colon.');
  const summary = 'Error messages are in lower case, have no full stop, and say what to do next.';
  await ada.call('close_conversation', { handle: '@Ada', summary });
}

const DESIGN = `## Idea

Values are read by a small parser, one line at a time; the old expression goes.

| part | change |
|---|---|
| \`src/value.rs\` | new: quotes, escapes, comments |
| \`src/settings.rs\` | calls it; errors name line and column |

## How one sees that it is done

- [ ] all 214 settings files of the tests are read rightly
- [ ] a \`#\` within quotes is no comment`;

const CHANGES = `The parser is in \`src/value.rs\`, 118 lines, no new dependency. All 214 files are read rightly.

\`\`\`rust
assert_eq!(value(r##"accent = "#205a49"  # a dark green"##), "#205a49");
\`\`\``;

const REVIEW = `Read line by line, and run against the old expression on 20,000 random lines: they differ only where it was wrong.

1. \`value.rs:71\`: a tab before \`=\` is kept. **Settled** by the test \`a_tab_is_no_part_of_a_name\`.`;

// Tasks in all states: what the pictures of the board show.
export async function playTasks(hub) {
  const agent = await Agent.connect(hub.url, '@Ada', 'tasks');
  const bob = Object.assign(Object.create(agent), { handle: '@Bob' });
  const carol = Object.assign(Object.create(agent), { handle: '@Carol' });
  const begin = (title, rest) => agent.task(title, rest);
  const design = (task) => agent.publish(task, 'architect', 'design', 'A parser by hand instead of the expression', { body: DESIGN });
  const change = (task) => bob.publish(task, 'executor', 'code_changes', 'The parser, with tests', { body: CHANGES, commits: ['3f9c2ab', '81d07e4'], model: 'sonnet' });
  const review = (task, verdict) => carol.publish(task, 'reviewer', 'review', 'Nothing is left to mend', { body: REVIEW, verdict, ref_version: 2 });
  const approve = (task, decision, version) => hub.tool('context_decide', { task_id: task, decision, by: '@user', expected_version: version });

  const parser = await begin('Parser for settings', { description: 'Comments after a value break the settings parser. Replace the regular expression, and keep what is read today.' });
  await design(parser);
  await change(parser);
  await review(parser, 'pass');
  await begin('Time zones in the log');
  const search = await begin('Search that ranks by age');
  await design(search);
  const theme = await begin('Dark theme', { flow: 'direct' });
  await change(theme);
  const errors = await begin('Errors say what to do next');
  await design(errors);
  await change(errors);
  const keys = await begin('Keys of the list', { flow: 'direct' });
  await change(keys);
  await review(keys, 'fail_code');
  const backup = await begin('Backup while the hub runs');
  await change(backup);
  const names = await begin('Names of the commands', { flow: 'solo' });
  await design(names);
  await change(names);
  await approve(names, 'approve', 2);
  return parser;
}

const LIST = `Before a release leaves the house:

1. every line of the changelog says what a user gets,
2. the examples of the manual were typed by hand once,
3. a backup of version 1 opens in version 2.`;

const VERSION_2 = { id: 'version-2', name: 'Version 2 goes out', description: 'How a release leaves the house. Nobody sends it out alone.', initialState: 'draft', states: {
  draft: { who: ['@Ada'], description: 'The notes are written.', actions: { submit: { targetState: 'review', description: 'The notes are whole' } } },
  review: {
    who: ['@Carol'], description: 'Somebody else reads it, by the list.', resource: { text: LIST, mimeType: 'text/markdown' },
    actions: {
      'send back': { targetState: 'draft' },
      approve: { targetState: 'ready', allowed: ['@Carol'], guard: { participant: ['@Bob'], question: 'Do all tests pass on your machine?' } },
    },
  },
  ready: {
    who: ['@Ada'], after: { 172800000: 'draft' },
    actions: { publish: { targetState: 'published', guard: { participant: ['@user'], question: 'All 214 settings files are read rightly, and the changelog has **nine** lines. May version 2 go out today?' } } },
  },
  published: { final: true },
} };

// A release on its way out: what is left is the word of a person.
export async function playPuzzle(hub) {
  const agent = await Agent.connect(hub.url, '@Ada');
  const act = (actor, actionName) => agent.call('perform_action_on_puzzle', { puzzleId: 'version-2', actionName, actor });
  await agent.call('add_puzzle', { config: VERSION_2, by: '@Ada' });
  await act('@Ada', 'submit');
  await act('@Carol', 'send back');
  await act('@Ada', 'submit');
  const { pending } = await act('@Carol', 'approve');
  await agent.call('answer_guard', { puzzleId: 'version-2', guardId: pending[0].guardId, by: '@Bob', verdict: 'pass', reason: 'All 1,204 pass.' });
  await act('@Ada', 'publish');
}
