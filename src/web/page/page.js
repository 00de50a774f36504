// What the page does by itself. Without this file it is plain forms and links; with it the page follows the room.
// It takes HTML from our own server only, parses it apart from the page, and moves the elements over.
'use strict';

const page = document.body;
const find = (id) => document.getElementById(id);
const log = find('log');
const records = find('records');
const room = page.dataset.room;

// What this browser remembers: drafts, and what was shown. It may refuse to; then both live as long as the page.
function keep(name, value) {
  try { localStorage.setItem(name, value); } catch { /* As said. */ }
}

function kept(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

// A cookie is shown to every server of this machine; what is kept for this origin is not. So the link that let this
// browser in has left a key in the address, where no server sees it, and the hub takes the words of a page that shows
// the key for those of a person.
const given = location.hash.match(/^#key=(\w+)$/)?.[1];
if (given) history.replaceState(null, '', location.pathname + location.search);
const keyOfPage = () => kept('key') ?? given;

function tellVerified(isVerified = Boolean(keyOfPage())) {
  if (find('unverified')) find('unverified').hidden = isVerified;
}

// Anybody can make a link to this page with a key that is none: such a one does not take the place of a right one.
async function takeKey() {
  if (!kept('key')) keep('key', given);
  const look = { method: 'HEAD', headers: { 'x-turnroom-page': given }, signal: AbortSignal.timeout(PATIENCE) };
  const answer = await fetch('/enter', look).catch(() => null);
  if (answer?.ok) keep('key', given);
  tellVerified();
}

addEventListener('storage', (event) => { if (event.key === 'key') tellVerified(); });

// The message field is one per room; the id of an answer's field names the room and the question.
const draftOf = (field) => `draft ${field.id === 'content' ? room : field.id}`;

// Sizes that the style sheet needs: of the bar on top and of the message field below.
const heightOf = (part) => document.querySelector(part)?.offsetHeight ?? 0;
const measured = new ResizeObserver(() => {
  for (const [name, part] of [['--top', '.top'], ['--alert', '#alert'], ['--foot', '.foot']]) {
    document.documentElement.style.setProperty(name, `${heightOf(part)}px`);
  }
});
for (const part of document.querySelectorAll('.top, #alert, .foot')) measured.observe(part);

// Times: in the reader's own zone, and counted on once a second.

const span = (seconds) => {
  if (seconds < 60) return `${Math.max(0, seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86400)} d`;
};

// Less than two of a unit is said in the one below, so that nearly two days are not one.
const spanLeft = (seconds) => {
  if (seconds >= 3600 && seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  return seconds >= 86400 && seconds < 172800 ? `${Math.floor(seconds / 3600)} h` : span(seconds);
};

function tellTime(time) {
  const at = new Date(time.dateTime);
  const past = Math.floor((Date.now() - at) / 1000);
  const words = {
    clock: () => at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }),
    ago: () => (past < 1 ? 'now' : `${span(past)} ago`),
    lasting: () => span(past),
    left: () => spanLeft(-past),
  }[time.dataset.form]();
  if (time.textContent !== words) time.textContent = words;
  if (!time.title) time.title = at.toLocaleString();
  if (time.dataset.form === 'left') time.parentElement.classList.toggle('low', past > -60);
}

const tellTimes = (root, form = '') => root.querySelectorAll(`time[data-form]${form}`).forEach(tellTime);
setInterval(() => tellTimes(document, ':not([data-form=clock])'), 1000);

// The line between days is where the reader's own day begins.
const dayOf = (entry) => new Date(entry.querySelector('time').dateTime).toDateString();

function divide(entry) {
  let before = entry.previousElementSibling;
  if (before?.classList.contains('day')) before = before.previousElementSibling;
  if (before && dayOf(before) === dayOf(entry)) return;
  const words = new Date(entry.querySelector('time').dateTime)
    .toLocaleDateString([], { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const line = document.createElement('li');
  line.className = 'day';
  line.append(Object.assign(document.createElement('span'), { textContent: words }));
  entry.before(line);
}

// What only works with this script is shown by it, and what scrolls by itself can be reached by keys.
function enliven(root) {
  tellTimes(root);
  root.querySelectorAll('pre, .table').forEach((box) => { if (box.scrollWidth > box.clientWidth) box.tabIndex = 0; });
  root.querySelectorAll('[data-unread]').forEach((place) => {
    const seen = kept(`seen ${place.dataset.unread}`);
    const count = place.dataset.last - (seen ?? 0);
    place.hidden = count <= 0;
    place.textContent = seen === null ? 'new · ' : `${count} unread · `;
  });
  root.querySelectorAll('[data-send]').forEach((field) => { field.value ||= kept(draftOf(field)) ?? ''; });
  if (navigator.clipboard) root.querySelectorAll('[data-copy]').forEach((button) => { button.hidden = false; });
}

// Scrolling: the page follows while its reader is at the end, and otherwise says how much is new.

const news = find('news');
let unseen = 0;
const isElsewhen = 'elsewhen' in page.dataset;
const isAtEnd = () => end().getBoundingClientRect().bottom <= innerHeight - heightOf('#composer') + 60;

// On a narrow page what waits stands below the log. It is the end, unless it is too high to be seen as a whole.
function end() {
  const { top, height } = find('inbox').getBoundingClientRect();
  const isBelow = top >= log.getBoundingClientRect().bottom;
  const isSeen = height > 0 && height <= innerHeight - heightOf('.top') - heightOf('.foot');
  return isBelow && isSeen ? find('inbox') : log.lastElementChild ?? log;
}

function toEnd() {
  end().scrollIntoView({ block: 'end', behavior: 'instant' });
  countNews(0);
  keep(`seen ${room}`, last);
}

function countNews(count) {
  unseen = count;
  news.hidden = count === 0;
  news.textContent = `${count} new ↓`;
}

function take(html) {
  const entry = parse(html).querySelector('li');
  if (!entry || find(entry.id)) return;
  last = Math.max(last, Number(entry.id));
  if (isElsewhen) return countNews(unseen + 1);
  entry.classList.add('new');
  const isFollowed = follow(() => {
    find('nothing')?.remove();
    log.append(entry);
    divide(entry);
    enliven(entry);
  });
  if (isFollowed) toEnd();
  else countNews(unseen + 1);
}

// A record of a task: the reader stays where he is.
function takeRecord(html) {
  const record = parse(html).querySelector('li');
  if (!record || find(record.id)) return;
  last = Math.max(last, Number(record.id));
  if (isElsewhen) return;
  record.classList.add('new');
  find('nothing')?.remove();
  records.append(record);
  enliven(record);
}

// Who is at the end stays there, whatever comes.
function follow(change) {
  const isFollowed = log && !isElsewhen && isAtEnd() && !document.hidden && !isLate;
  change();
  if (isFollowed && !isAtEnd()) toEnd();
  return isFollowed;
}

// Fragments of the server: new elements in the place of the old ones with their ids. Where the reader writes or
// has the focus nothing is taken away, and what could not be changed is changed when the focus has gone on.

// How far a task was when its reader was told that his decision came too late: the next one is about that, too.
const told = new Map();
const taskOf = (form) => form.getAttribute('action').split('/').slice(0, 3).join('/');

// What a form is about: its words say what it sends.
function tellAbout(form, version) {
  form.elements.version.value = version;
  const words = form.querySelector('[data-about]');
  if (words) words.textContent = version === 1 ? 'record 1' : `records 1 to ${version}`;
}

// A form of a task that comes anew goes on to be about what its reader has seen, however far the task is by now.
function keepAbout(fresh) {
  for (const form of fresh.querySelectorAll('form[action^="/tasks/"]')) {
    if (!form.elements.version) continue;
    const card = form.closest('[data-title]');
    const old = card && find(card.id);
    const isSame = old && old.dataset.title === card.dataset.title && !old.matches('[data-done]');
    const before = isSame && old.querySelector(`form[action="${CSS.escape(form.getAttribute('action'))}"]`);
    const seen = Number((before || form).elements.version.value);
    tellAbout(form, Math.max(seen, told.get(taskOf(form)) ?? 0));
  }
}

const parse = (html) => document.adoptNode(new DOMParser().parseFromString(html, 'text/html').body);
const waiting = new Map();

function replace(html, only = null) {
  for (const fresh of [...parse(html).children]) {
    const old = find(fresh.id);
    if (!old || only && only !== fresh.id) continue;
    enliven(fresh);
    keepAbout(fresh);
    if (isBusy(old)) waiting.set(fresh.id, html);
    else waiting.delete(fresh.id);
    merge(old, fresh);
  }
  tellState();
}

function catchUp() {
  const late = [...waiting];
  waiting.clear();
  late.forEach(([id, html]) => replace(html, id));
}

addEventListener('focusout', () => setTimeout(catchUp));

const FIELDS = 'textarea, input:not([type=hidden]), select';

function isBusy(element) {
  if (element.contains(document.activeElement) && !document.activeElement.closest('[data-done]')) return true;
  const fields = element.matches(FIELDS) ? [element] : [...element.querySelectorAll(FIELDS)];
  return fields.some((field) => !field.closest('[data-done]') && isWritten(field));
}

function isWritten(field) {
  if (field.options) return field.selectedIndex > 0 && !field.options[field.selectedIndex].defaultSelected;
  return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
}

const keyOf = (element) => element.id || `${element.tagName} ${element.className}`;

function merge(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (!isBusy(old)) {
    for (const details of old.querySelectorAll('details[open][id]')) {
      const same = fresh.querySelector(`[id="${CSS.escape(details.id)}"]`);
      if (same) same.open = true;
    }
    return moveFocus(old, fresh);
  }
  if (old.matches(`${FIELDS}, button`)) return;
  for (const { name, value } of fresh.attributes) if (!['hidden', 'open'].includes(name)) old.setAttribute(name, value);
  old.hidden = false;
  const left = [...old.children];
  let place = null;
  for (const child of [...fresh.children]) {
    const index = left.findIndex((known) => keyOf(known) === keyOf(child));
    const known = index < 0 ? null : left.splice(index, 1)[0];
    const here = known && isBusy(known) ? known : child;
    if (known) merge(known, child);
    else if (place) place.after(child);
    else old.prepend(child);
    place = here;
  }
  for (const gone of left) isBusy(gone) ? settle(gone) : moveFocus(gone, null);
}

// A question that somebody else has answered while this reader still writes: the words stay. That it is his own answer
// is known only when the hub has said so.
function settle(gone) {
  if (!gone.matches('.card') || gone.matches('.settled') || gone.querySelector('[data-sending]')) return;
  gone.classList.add('settled');
  const words = 'This is settled. What you wrote stays here until you empty the field.';
  gone.append(Object.assign(document.createElement('p'), { className: 'settled-note', textContent: words }));
}

// What has the focus is taken away only after its own form was sent; then the focus stays near.
function moveFocus(old, fresh) {
  const { id } = document.activeElement;
  const hadFocus = old.contains(document.activeElement);
  const section = old.closest('section');
  if (fresh) old.replaceWith(fresh);
  else old.remove();
  if (!hadFocus) return;
  const heading = (fresh?.closest('section') ?? section)?.querySelector('h2') ?? find('main');
  heading.tabIndex = -1;
  ((id && find(id)) || heading).focus({ preventScroll: true });
}

// What waits: in the title, in the bar, and as a notice of the system.

let known = null;
let counted = 0;

function tellState() {
  const inbox = find('inbox');
  const sentence = find('status')?.dataset.sentence;
  if (sentence && sentence !== page.dataset.sentence) announce(page.dataset.sentence ? sentence : '');
  if (sentence) page.dataset.sentence = sentence;
  // In a room that was closed nothing can be said; words that were typed stay.
  if (find('status')?.matches('.closed') && find('composer') && !isBusy(find('composer'))) find('composer').remove();
  if (!inbox) return;
  const count = Number(inbox.dataset.count);
  document.title = (count ? `(${count}) ` : '') + page.dataset.name;
  const chip = document.querySelector('[data-waiting]');
  if (chip) {
    chip.hidden = count === 0;
    chip.firstElementChild.textContent = count;
    if (room) chip.setAttribute('href', inbox.querySelector('.card') ? '#inbox' : '/');
  }
  const items = [...inbox.querySelectorAll('[data-title]')].map((item) => [item.dataset.item ?? item.id, item.dataset.title]);
  let fresh = known ? items.filter(([id]) => !known.has(id)) : [];
  // Of very many not all are shown: then one that comes into sight is no news, and the news may be out of sight.
  if ('cut' in inbox.dataset) fresh = known && count > counted ? [['more', `${count} things wait for you`]] : [];
  known = new Set(items.map(([id]) => id));
  counted = count;
  for (const [id, title] of fresh) {
    announce(title);
    if (document.hidden || !document.hasFocus()) notify(title, id);
  }
}

function announce(words) {
  find('announce').textContent = words;
}

const mayNotify = 'Notification' in window && isSecureContext;

function notify(words, tag) {
  if (!mayNotify || Notification.permission !== 'granted') return false;
  const notice = new Notification('turnroom', { body: words, tag, icon: document.querySelector('link[rel=icon]').href });
  notice.onclick = () => { window.focus(); notice.close(); };
  return true;
}

function tellNotices() {
  if (!find('notices') || !mayNotify) return;
  find('notices').hidden = false;
  find('notify').hidden = Notification.permission !== 'default';
  find('notify-state').textContent = {
    granted: 'Notices are on.', denied: 'This browser blocks notices of this page.', default: '',
  }[Notification.permission];
}

// The stream of events. Whoever connects, also anew, names the last entry that it got, and what its forms are about.

let source = null;
let last = Number(page.dataset.last ?? 0);
let retry = 0;
// Whether it was asleep, and has not caught up yet: what came meanwhile is new to its reader.
let isLate = false;

function connect() {
  clearTimeout(retry);
  source?.close();
  const address = new URL(page.dataset.stream, location.href);
  if (log || records) address.searchParams.set('after', last);
  const { forms, seen } = find('decide')?.dataset ?? {};
  if (seen) Object.entries({ forms, seen }).forEach((pair) => address.searchParams.set(...pair));
  source = new EventSource(address);
  source.onopen = () => tellConnection(true);
  source.onerror = connectLater;
  const on = (name, act) => source.addEventListener(name, (event) => act(event.data));
  if (log) on('entry', take);
  if (records) on('record', takeRecord);
  ['status', 'inbox', 'rooms'].forEach((name) => on(name, (html) => follow(() => replace(html))));
  on('status', () => { isLate = false; showCurrent(); });
  on('delivery', (data) => {
    for (const [seq, words] of Object.entries(JSON.parse(data))) {
      const line = find(`d-${seq}`);
      if (line) line.textContent = words;
    }
  });
  on('resync', loadAnew);
  on('gone', connectLater);
}

function connectLater() {
  tellConnection(false);
  source.close();
  clearTimeout(retry);
  retry = setTimeout(connect, 1000);
}

function sleep() {
  clearTimeout(retry);
  source?.close();
  source = null;
  isLate = true;
}

// A browser opens six connections to one host, for all its pages together. So whoever is looked at follows, and of the
// others only who holds one of three places; the next one waits in line for the place of one of them.
const PLACES = ['turnroom 1', 'turnroom 2', 'turnroom 3'];
const HIDDEN_FOR = 60_000;
let looked = new AbortController();

function attend() {
  looked.abort();
  looked = new AbortController();
  const { signal } = looked;
  if (!document.hidden) {
    if (!source) connect();
  } else if (navigator.locks) {
    followUnseen(signal);
  } else {
    if (!source) connect();
    const bedtime = setTimeout(sleep, HIDDEN_FOR);
    signal.addEventListener('abort', () => clearTimeout(bedtime));
  }
}

async function followUnseen(signal) {
  const follow = (place) => {
    if (!place || signal.aborted) return null;
    if (!source) connect();
    return new Promise((leave) => signal.addEventListener('abort', leave));
  };
  for (const place of PLACES) {
    await navigator.locks.request(place, { ifAvailable: true }, follow);
    if (signal.aborted) return;
  }
  sleep();
  const place = PLACES[Math.floor(Math.random() * PLACES.length)];
  await navigator.locks.request(place, { signal }, follow).catch(() => { /* It is looked at again. */ });
}

// Too much was missed to catch up with. Drafts come back by themselves; other words must not be lost.
function loadAnew() {
  source.close();
  const isWriting = [...document.querySelectorAll(FIELDS)].some((field) => field.id !== 'content' && isWritten(field));
  if (isWriting) tellProblem({ message: 'This page has missed too much.', next: 'Load it again when you have finished writing.' });
  else retry = setTimeout(() => location.reload(), 1000);
}

function tellConnection(isThere) {
  const place = find('connection');
  const words = isThere ? 'connected' : 'not connected';
  if (!place || place.textContent === words) return;
  if (place.textContent) announce(isThere ? 'Connected again' : 'Not connected');
  place.hidden = false;
  place.textContent = words;
  place.classList.toggle('lost', !isThere);
}

// Forms are sent without leaving the page.

function tellProblem(error) {
  const place = find('alert');
  place.replaceChildren();
  place.hidden = !error;
  if (!error) return;
  place.append(Object.assign(document.createElement('strong'), { textContent: error.message }));
  const more = [error.allowed?.length ? `Allowed: ${error.allowed.join(', ')}.` : '', error.next ?? ''];
  for (const words of more.filter(Boolean)) place.append(' ', Object.assign(document.createElement('span'), { textContent: words }));
}

// No answer in this time is none.
const PATIENCE = 15_000;

// The same words to the same place after a lost answer are the same message: they keep their id.
const tries = new Map();

function idOf(key) {
  if (!tries.has(key)) tries.set(key, [...crypto.getRandomValues(new Uint32Array(4))].join('-'));
  return tries.get(key);
}

async function send(form, button) {
  if (form.dataset.sending) return;
  form.dataset.sending = 'yes';
  try {
    const body = new URLSearchParams(new FormData(form, button));
    body.delete('request_id');
    // A field of a form may be called `action`, and then stands in the place of the address.
    const address = form.getAttribute('action');
    const key = `${address} ${body}`;
    body.set('request_id', idOf(key));
    const headers = { accept: 'application/json', 'x-turnroom-page': keyOfPage() ?? '' };
    const answer = await fetch(address, { method: 'POST', body, headers, signal: AbortSignal.timeout(PATIENCE) });
    if (!answer.headers.get('content-type')?.includes('json')) {
      return tellProblem({ message: `The hub did not take this (${answer.status}).`, next: 'What you wrote is kept. Load the page again, and send it anew.' });
    }
    const { error, verified, fresh } = await answer.json();
    tries.delete(key);
    if (error) {
      // Whoever is told what came in between decides about that, too, when he sends it again.
      if (error.version && form.elements.version) {
        told.set(taskOf(form), error.version);
        tellAbout(form, error.version);
      }
      // What was started before is started again only by who wants that.
      const again = form.querySelector('[data-again]');
      if (again && error.code === 'already_started') again.hidden = false;
      letGo(form);
      return tellProblem(error);
    }
    tellVerified(verified);
    if (form.dataset.then) {
      // Whoever leaves is not kept by a page that would begin anew.
      sleep();
      location.assign(form.dataset.then);
    }
    sent(form, body.get('content'));
    if (fresh) ask(fresh);
  } catch {
    tellProblem({ message: 'This was not sent: the hub did not answer.', next: 'What you wrote is kept. Send it again: it is said once, even if it has arrived.' });
  } finally {
    delete form.dataset.sending;
  }
}

// Buttons alone hold no words of anybody: they give way to those that fit by now, whatever has the focus.
function letGo(form) {
  if (form.querySelector(FIELDS)) return;
  form.dataset.done = 'yes';
  catchUp();
}

// What is asked of whoever has just acted, or nothing any more.
function ask(html) {
  replace(html);
  document.querySelector('#demand button')?.focus();
}

function sent(form, said) {
  tellProblem(null);
  const words = form.querySelector('textarea');
  // Whoever went on typing meanwhile goes on.
  if (words?.value === said) words.value = words.defaultValue = '';
  if (words?.matches('[data-send]')) keep(draftOf(words), words.value);
  (form.closest('.card') ?? form).dataset.done = 'yes';
  if (form.id === 'composer') {
    delete form.dataset.done;
    reply(null);
    words.focus({ preventScroll: true });
    toEnd();
  } else {
    catchUp();
  }
}

function reply(link) {
  const place = find('replying');
  if (!place) return;
  place.hidden = !link;
  place.querySelector('input').value = link?.dataset.reply ?? '';
  place.querySelector('span').textContent = link ? `Answering #${link.dataset.reply} of ${link.dataset.sender}` : '';
  if (link) find('content').focus();
}

addEventListener('submit', (event) => {
  if (!event.target.matches('[data-stay]')) return;
  event.preventDefault();
  send(event.target, event.submitter);
});

addEventListener('input', (event) => {
  if (event.target.matches('[data-send]')) keep(draftOf(event.target), event.target.value);
});

addEventListener('click', async (event) => {
  const at = (selector) => event.target.closest(selector);
  const replyTo = at('[data-reply]');
  const link = at('a[href^="?at="]');
  const copy = at('[data-copy]');
  if (replyTo && find('composer')) {
    event.preventDefault();
    reply(replyTo);
  } else if (at('#reply-off')) {
    event.preventDefault();
    reply(null);
    find('content').focus();
  } else if (link && find(link.hash.slice(1))) {
    event.preventDefault();
    location.hash = link.hash;
  } else if (copy) {
    const words = [...copy.childNodes];
    await navigator.clipboard.writeText(copy.dataset.copy);
    copy.replaceChildren('Copied');
    setTimeout(() => copy.replaceChildren(...words), 1500);
  } else if (at('#news')) {
    if (isElsewhen) location.assign(location.pathname);
    else toEnd();
  } else if (at('#alert')) {
    tellProblem(null);
  } else if (at('#keys-button')) {
    find('keys').showModal();
  } else if (at('#notify, #notify-test')) {
    event.preventDefault();
    if (Notification.permission === 'default') await Notification.requestPermission();
    tellNotices();
    if (at('#notify-test')) notify('This is a test: so you are told when something waits.', 'test');
  }
});

// A drawing that is larger than its place shows the present state.
function showCurrent() {
  const current = document.querySelector('#machine .current');
  const place = current?.closest('.drawing');
  if (!place) return;
  const [box, frame] = [current, place].map((element) => element.getBoundingClientRect());
  const isSeen = box.top >= frame.top && box.bottom <= frame.bottom && box.left >= frame.left && box.right <= frame.right;
  if (isSeen) return;
  place.scrollBy((box.left + box.right - frame.left - frame.right) / 2, (box.top + box.bottom - frame.top - frame.bottom) / 2);
}

// Keys, while nobody writes.

function step(by) {
  const stops = [...(log ?? records).querySelectorAll('article, .notice > p')];
  const here = stops.indexOf(document.activeElement.closest('[role=log] article, #log .notice > p'));
  const next = here < 0 ? (by > 0 ? stops.findIndex((stop) => stop.getBoundingClientRect().bottom > innerHeight / 3) : stops.length - 1) : here + by;
  stops[Math.min(Math.max(next, 0), stops.length - 1)]?.focus();
}

const KEYS = {
  j: () => (log ?? records) && step(1),
  k: () => (log ?? records) && step(-1),
  r: () => {
    const link = document.activeElement.closest('article')?.querySelector('[data-reply]');
    if (link && find('composer')) reply(link);
    else (document.querySelector('#inbox textarea, #demand textarea, #decide textarea') ?? find('content'))?.focus();
  },
  '/': () => find('search')?.focus(),
  p: () => find('pause-button')?.click(),
  '?': () => find('keys').showModal(),
};

addEventListener('keydown', (event) => {
  const isWriting = event.target.matches('input, textarea, select');
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && event.target.matches('[data-send]')) {
    event.preventDefault();
    event.target.form.requestSubmit();
  } else if (event.key === 'Escape') {
    tellProblem(null);
    if (isWriting) event.target.blur();
  } else if (!isWriting && !event.ctrlKey && !event.metaKey && !event.altKey && !find('keys').open && Object.hasOwn(KEYS, event.key)) {
    event.preventDefault();
    KEYS[event.key]();
  }
});

// Begin.

enliven(document);
showCurrent();
tellState();
tellNotices();
if (find('keys-button')) find('keys-button').hidden = false;
if (log) {
  log.querySelectorAll('.day').forEach((line) => line.remove());
  log.querySelectorAll(':scope > li').forEach(divide);
  addEventListener('scroll', () => {
    if (isElsewhen || !isAtEnd()) return;
    if (unseen) toEnd();
    else keep(`seen ${room}`, last);
  }, { passive: true });
  const isAsked = location.hash || location.search;
  if (!isAsked && !isElsewhen) requestAnimationFrame(() => requestAnimationFrame(toEnd));
}
tellVerified();
if (given) takeKey();
if (page.dataset.stream) {
  attend();
  document.addEventListener('visibilitychange', attend);
  addEventListener('pagehide', () => { looked.abort(); sleep(); });
  addEventListener('pageshow', (event) => { if (event.persisted) attend(); });
}
