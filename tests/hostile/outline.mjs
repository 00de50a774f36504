// What an engine saw, against the page that was meant, and what acts in a page.

// Schemes that run nothing; GitHub makes links of `mailto:` with any letters before it.
const SCHEME = /^(https?|ftp|.*mailto|.*xmpp)$/i;
const ACTIVE = new Set(['mermaid', 'dataview', 'dataviewjs', 'tasks', 'query', 'math', 'plantuml', 'chart', 'tikz', 'button',
  'leaflet', 'base', 'geojson', 'topojson', 'stl', 'graphviz', 'dot', 'ad-note', 'kanban']);

// Stand for an escaped character, and for what is no text.
export const ESCAPED = '\u0001';
export const OTHER = '\u0002';

/** Whether a target leads to the net, or to a place in the same folder. */
export function isSafeTarget(target) {
  let text = target;
  try { text = decodeURI(target); } catch { /* it stays as it is */ }
  const scheme = /^([a-z0-9+.-]*):/i.exec(text.replace(/[\u0000-\u0020\u007f-\u009f]/g, ''));
  return scheme === null || SCHEME.test(scheme[1]);
}

/** Whether a fence with this info string does more than show its code. */
export function isActiveFence(info) {
  const word = info.split(/[ \t,:{}]/).find((part) => part !== '') ?? '';
  return info.includes('{') || ACTIVE.has(word.toLowerCase());
}

/** Whether a plugin evaluates this code. */
export function isEvaluated(code) {
  return /^\s*(\$?=|dv[:=])/.test(code);
}

/** Names of what acts in a vault, in the text of one block with its escaped characters replaced. */
export function actsInVault(text, opensQuote, isAlive) {
  const rules = {
    'a comment': /%%/,
    'an embed': /!\[/,
    'a formula': /\$\$|\$[^\s$](?:[^$]*[^\s$])?\$(?!\d)/,
    'an inline footnote': /\^\[/,
    'the name of a block': /(^|\s)\^[A-Za-z0-9-]+[ \t]*$/m,
    'a tag of HTML': /<[A-Za-z/!?]/,
  };
  if (opensQuote) rules['a callout'] = /^\s*\[!/;
  if (!isAlive) {
    rules['a link of a vault'] = /\[\[/;
    rules['a tag of a vault'] = /(^|\s)#\p{L}/mu;
  }
  return Object.keys(rules).filter((name) => rules[name].test(text));
}

function meets(want, seen) {
  const [wanted, words] = want;
  const { kind, text } = seen;
  if (wanted === 'quote') return (kind === 'quote' || kind === 'plain') && text.includes(words);
  if (wanted === 'p') return kind === 'p' && text.includes(words);
  if (wanted === 'plain') return kind === 'plain' && text.replace(/\n+$/, '') === words;
  return kind === wanted && text.trim() === words.trim();
}

/** What is wrong with what was seen: `{blocks: [{kind, text}], acts: [name]}`. */
export function problems(seen, want) {
  const found = seen.acts.map((name) => `acts: ${name}`);
  if (seen.blocks.length !== want.length) {
    return [...found, `blocks: ${seen.blocks.map((block) => block.kind).join(' ')}, not ${want.map((one) => one[0]).join(' ')}`];
  }
  want.forEach((one, at) => {
    if (!meets(one, seen.blocks[at])) found.push(`saw ${JSON.stringify(seen.blocks[at])}, not ${JSON.stringify(one)}`);
  });
  return found;
}
