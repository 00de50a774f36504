// Takes the pictures of the page for the README: a hub of its own, a scene over MCP, Chromium without a window.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { launch, visit } from './support/browser.mjs';
import { Hub } from './support/hub.mjs';
import { play, playPuzzle, playTasks } from './support/scene.mjs';

const FOLDER = resolve(process.argv[2] ?? new URL('../../docs/images', import.meta.url).pathname);
const DESK = { viewport: { width: 1200, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5, hasTouch: true, isMobile: true };

// The scene is over in a moment. The pictures show it as it were at this time, the rooms so many minutes after
// something happened there, so that the next ones differ only where the page does.
const NOW = '2026-03-04T09:41:00Z';
const MINUTES = {
  parser: 2, sessions: 9, release: 26, errors: 190,
  'parser-for-settings': 4, 'time-zones-in-the-log': 11, 'search-that-ranks-by-age': 18, 'dark-theme': 2,
  'version-2': 6,
  'errors-say-what-to-do-next': 37, 'keys-of-the-list': 7, 'backup-while-the-hub-runs': 3, 'names-of-the-commands': 55,
};
const BETWEEN = 1.5;

function setTimes({ now, minutes, between }) {
  const before = (count) => new Date(Date.parse(now) - count * 60_000).toISOString();
  const put = (time, at) => { time.dateTime = at; time.removeAttribute('title'); };
  const entries = '#log > li[id], #records > li[id]';
  const numbers = [...document.querySelectorAll(entries)].map((entry) => Number(entry.id));
  const last = Math.max(...numbers);
  for (const time of document.querySelectorAll('time')) {
    const entry = time.closest(entries);
    const room = time.closest('.card, .rooms li')?.querySelector('[href^="/rooms/"], [action^="/rooms/"]');
    const task = time.closest('.task-card')?.id.split('/')[1];
    const name = task ?? room?.getAttribute(room.matches('a') ? 'href' : 'action').split('/')[2] ?? document.body.dataset.room ?? location.pathname.split('/')[2];
    const ago = minutes[name] + (entry ? (last - entry.id) * between : 0);
    // A timer of a puzzle has two days, a turn a quarter of an hour.
    const whole = location.pathname.startsWith('/puzzles/') ? 2 * 24 * 60 : 15;
    put(time, time.dataset.form === 'left' ? before(minutes[name] - whole) : before(ago));
  }
  tellTimes(document);
  document.querySelectorAll('.day').forEach((line) => line.remove());
  document.querySelectorAll('#log > li').forEach(divide);
}

// A picture of what is seen of a page, or with `part` of one element and a little around it.
async function picture(page, path, name, { part, ...options } = {}) {
  await page.clock.setFixedTime(NOW);
  await page.goto(hub.url + path);
  await page.locator('#connection', { hasText: /^connected$/ }).waitFor({ state: 'attached' });
  // What the stream gives at its beginning has come, and the page has scrolled to its end.
  await page.evaluate(() => new Promise((done) => { setTimeout(done, 300); }));
  await page.evaluate(setTimes, { now: NOW, minutes: MINUTES, between: BETWEEN });
  if (part) {
    const { x, y, width, height } = await page.locator(part).boundingBox();
    options.clip = { x: x - 12, y: y - 12, width: width + 24, height: height + 24 };
  }
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled', caret: 'hide', ...options });
}

const hub = await Hub.start({ notes: 'home/transcripts' });
const browser = await launch();
try {
  mkdirSync(FOLDER, { recursive: true });
  const looks = { timezoneId: 'UTC', locale: 'en-GB' };
  await play(hub, await visit(browser, hub, null, looks));
  for (const colorScheme of ['light', 'dark']) {
    const desk = await visit(browser, hub, null, { ...looks, ...DESK, colorScheme });
    await picture(desk, '/', `rooms-${colorScheme}`, { fullPage: true });
    await picture(desk, '/', `inbox-${colorScheme}`, { part: '#inbox' });
    await picture(desk, '/rooms/parser', `room-${colorScheme}`);
    const phone = await visit(browser, hub, null, { ...looks, ...PHONE, colorScheme });
    await picture(phone, '/', `phone-rooms-${colorScheme}`);
    await picture(phone, '/rooms/parser', `phone-room-${colorScheme}`);
  }
  await playTasks(hub);
  for (const colorScheme of ['light', 'dark']) {
    const desk = await visit(browser, hub, null, { ...looks, ...DESK, colorScheme });
    await picture(desk, '/tasks', `tasks-${colorScheme}`, { clip: { x: 0, y: 0, width: 1200, height: 520 } });
  }
  await playPuzzle(hub);
  const desk = await visit(browser, hub, null, { ...looks, ...DESK, colorScheme: 'light' });
  await picture(desk, '/puzzles/version-2', 'puzzle-light', { clip: { x: 0, y: 0, width: 1200, height: 820 } });
} finally {
  await browser.close();
  await hub.end();
}
