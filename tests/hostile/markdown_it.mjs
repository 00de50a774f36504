// Reads hostile documents from stdin and says what markdown-it sees wrongly. It is the engine of VS Code.

import { createRequire } from 'node:module';
import readline from 'node:readline';
import { ESCAPED, OTHER, actsInVault, isActiveFence, isEvaluated, isSafeTarget, problems } from './outline.mjs';

const require = createRequire(new URL('../conformance/package.json', import.meta.url));
const MarkdownIt = require('markdown-it');
const { version } = require('markdown-it/package.json');

const SHOWN = 5;
const INSIDE = new Set(['text', 'text_special', 'softbreak', 'hardbreak', 'code_inline', 'em_open', 'em_close', 'strong_open',
  'strong_close', 's_open', 's_close', 'link_open', 'link_close']);
const IN_QUOTES = /^(paragraph|blockquote|bullet_list|ordered_list|list_item|table|thead|tbody|tr|th|td)_(open|close)$|^(fence|code_block|hr|inline)$/;
const IN_OURS = /^(paragraph|list_item|thead|tbody|tr|th|td)_(open|close)$|^inline$/;
const TOP = { paragraph_open: 'p', blockquote_open: 'quote', bullet_list_open: 'list', table_open: 'table' };

const engine = new MarkdownIt({ html: true, linkify: true });
// So that escaped characters can be told from others.
engine.core.ruler.disable('text_join');

function read(page, isAlive) {
  const environment = {};
  const tokens = engine.parse(page, environment);
  const seen = { blocks: [], acts: [] };
  if (Object.keys(environment.references ?? {}).length > 0) seen.acts.push('a definition');
  let block;
  tokens.forEach((token, at) => {
    if (token.level === 0 && token.nesting >= 0) {
      const kind = token.type === 'heading_open' ? token.tag : TOP[token.type] ?? token.type;
      block = { kind, text: '' };
      seen.blocks.push(block);
      if (kind === 'quote' && isPlain(tokens, at)) block.kind = 'plain';
    } else {
      take(token, tokens[at - 1], tokens[at - 2], block, seen, isAlive);
    }
  });
  return seen;
}

/** Whether a quote holds one fence with plain text, and nothing else. */
function isPlain(tokens, at) {
  const [first, end] = [tokens[at + 1], tokens[at + 2]];
  return first?.type === 'fence' && first.info.trim() === 'text' && end?.type === 'blockquote_close';
}

function take(token, before, beforeThat, block, seen, isAlive) {
  const isQuote = block.kind === 'quote' || block.kind === 'plain';
  const isEnd = token.level === 0;
  if (!isEnd && !(isQuote ? IN_QUOTES : IN_OURS).test(token.type)) seen.acts.push(token.type);
  if (token.type === 'fence' || token.type === 'code_block') {
    block.text += token.content;
    if (isActiveFence(token.info)) seen.acts.push('a fence that runs');
  } else if (token.type === 'inline') {
    inline(token, before, beforeThat, block, seen, isAlive);
  } else if (token.type === 'list_item_open' || token.type === 'tr_open') {
    if (block.text !== '') block.text += '\n';
  } else if ((token.type === 'td_open' || token.type === 'th_open') && !isQuote) {
    if (block.text !== '' && !block.text.endsWith('\n')) block.text += ' | ';
  } else if (token.type === 'paragraph_open' && isQuote && block.text !== '') {
    block.text += '\n';
  }
}

function inline(token, before, beforeThat, block, seen, isAlive) {
  const opensQuote = before?.type === 'paragraph_open' && beforeThat?.type === 'blockquote_open';
  let raw = '';
  for (const child of token.children) {
    if (!INSIDE.has(child.type)) seen.acts.push(child.type);
    if (child.type === 'link_open' && !isSafeTarget(child.attrGet('href'))) seen.acts.push('a link that runs');
    if (child.type === 'code_inline' && isEvaluated(child.content)) seen.acts.push('code that is evaluated');
    if (child.type === 'softbreak' || child.type === 'hardbreak') {
      block.text += '\n';
      raw += '\n';
    } else {
      block.text += child.content;
      if (child.type === 'text') raw += child.content;
      else if (child.type === 'text_special') raw += child.info === 'escape' ? ESCAPED : OTHER;
      else raw += OTHER;
    }
  }
  // The end of a cell is no end of a line.
  if (before?.type === 'td_open' || before?.type === 'th_open') raw += '|';
  seen.acts.push(...actsInVault(raw, opensQuote, isAlive).map((name) => `${name} in ${JSON.stringify(raw)}`));
}

let count = 0;
let bad = 0;
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { number, text, blocks, links } = JSON.parse(line);
  const found = problems(read(text, links), blocks);
  count += 1;
  if (found.length > 0) {
    bad += 1;
    if (bad <= SHOWN) console.log(`markdown-it, room ${number}\n${found.join('\n')}\n${text}\n`);
  }
}
console.log(`markdown-it ${version}: ${count} documents, ${bad} read wrongly`);
process.exitCode = bad > 0 || count === 0 ? 1 : 0;
