import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { startSite } from '../../bench/site-process.ts';
import { findBrowser } from '../../scripts/browser.mjs';
import { ensureBuilt } from '../../scripts/build.mjs';

/* Uses the site at random for some time, as one subscriber, and checks that the sound continues. The same seed
   makes the same choices: `npm run soak -- --minutes 30 --seed 7`. */
const { values: asked } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
const minutes = Number(asked.minutes ?? 5);
const seed = Number(asked.seed ?? 1);

const account = { email: 'subscriber@sotto.example', password: 'subscriber' };
const lists = ['/playlists/start-here', '/playlists/sonnets-after-midnight', '/creators/maren-holt'];
const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
/** Seconds within which requested sound must play, on a busy machine. */
const patience = 12;

type Sample = {
  time: number;
  paused: boolean;
  ended: boolean;
  src: string;
  duration: number;
  same: boolean;
  at: number;
};
type Failure = { what: string; acts: string[] };

let random = seed >>> 0;
/** Mulberry32. @returns 0 up to 1 */
function next(): number {
  random = (random + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(random ^ (random >>> 15), random | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
const upTo = (count: number) => Math.floor(next() * count);
const oneOf = <Item>(items: readonly Item[]): Item => items[upTo(items.length)] as Item;

let began = performance.now();
const acts: string[] = [];
const failures: Failure[] = [];
const counts = new Map<string, number>();
/** Network messages before this time are ignored. */
let awayUntil = 0;
let isAway = false;
let isWanted = false;
/** The running act may move the position, or change what plays. */
let mayJump = false;
let last: Sample | undefined;
let heardAt = performance.now();

const seconds = () => ((performance.now() - began) / 1000).toFixed(1);
function log(line: string): void {
  process.stdout.write(`${seconds().padStart(7)}  ${line}\n`);
}
function fail(what: string): void {
  failures.push({ what, acts: acts.slice(-20) });
  log(`FAILED  ${what}`);
}
const isConnected = () => !isAway && performance.now() > awayUntil;

await ensureBuilt();
const dataDir = await mkdtemp(join(tmpdir(), 'sotto-soak-'));
const site = await startSite({ DATA_DIR: dataDir });
const browser = await chromium.launch({
  executablePath: await findBrowser(),
  args: ['--mute-audio', '--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});
const context = await browser.newContext({ baseURL: site.url, viewport: desktop, reducedMotion: 'reduce' });
const page = await context.newPage();
page.on('console', (message) => {
  if (message.type() === 'error' && isConnected()) fail(`The console says: ${message.text()}`);
});
page.on('pageerror', (error) => isConnected() && fail(`The page threw: ${String(error)}`));
await page.addInitScript(() => {
  const mark = () => {
    const audio = document.querySelector('audio');
    if (audio === null) setTimeout(mark, 50);
    else (window as { firstAudio?: HTMLAudioElement }).firstAudio ??= audio;
  };
  document.addEventListener('DOMContentLoaded', mark);
});

function sample(): Promise<Sample> {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll('audio')];
    const { currentTime: time = -1, paused = true, ended = false, currentSrc: src = '', duration = 0 } = all[0] ?? {};
    const same = all.length === 1 && all[0] === (window as { firstAudio?: HTMLAudioElement }).firstAudio;
    return { time, paused, ended, src, duration, same, at: performance.timeOrigin };
  });
}

/** Compares the playing audio with the expected one and its allowed changes. */
async function check(): Promise<void> {
  const now = await sample();
  const before = last;
  last = now;
  if (before === undefined) return;
  if (now.at !== before.at) fail('The document was loaded again');
  else if (!now.same) fail('There is another <audio>, or none, or several');
  const isNearEnd = before.duration - before.time < 3;
  const isOther = now.src !== before.src;
  if (!mayJump && isOther && !isNearEnd && before.src !== '')
    fail(`Another audio plays after ${before.time.toFixed(1)} s`);
  if (!mayJump && !isOther && now.time < before.time - 1)
    fail(`The position went back from ${before.time.toFixed(1)} s to ${now.time.toFixed(1)} s`);
  if (isOther || now.time > before.time || !isConnected()) heardAt = performance.now();
  if (!isWanted) return;
  // The end of the list stops the player.
  if (now.paused && (now.ended || isNearEnd) && !(await canGoOn())) {
    isWanted = false;
    log('the list has ended');
  } else if (performance.now() - heardAt > patience * 1000) {
    fail(`No sound for ${patience} s (${now.paused ? 'paused' : 'not paused'} at ${now.time.toFixed(1)} s)`);
    isWanted = false;
  }
}

async function canGoOn(): Promise<boolean> {
  return page.evaluate(() => document.querySelector('button[aria-label="Next"]:not([disabled])') !== null);
}

/** Single keys control the player only outside of fields, buttons and windows. */
async function press(key: string): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press(key);
}

async function playList(): Promise<void> {
  mayJump = true;
  await page.keyboard.press('Escape');
  await page.evaluate((path) => {
    const router = window as { __reactRouterDataRouter?: { navigate(to: string): Promise<void> } };
    return router.__reactRouterDataRouter?.navigate(path);
  }, oneOf(lists));
  const play = page.locator('main').getByRole('button', { name: /^(Play|Resume)/ });
  await play.first().click();
  isWanted = true;
  heardAt = performance.now();
}

async function logIn(): Promise<void> {
  await page.setViewportSize(desktop);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Sign in' }).click();
  const dialog = page.locator('.modal');
  await dialog.getByLabel('Email').fill(account.email);
  await dialog.getByLabel('Password', { exact: true }).fill(account.password);
  await dialog.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
  await dialog.waitFor({ state: 'detached' });
}

/** Links of the page that lead to pages of this site. */
async function followLink(): Promise<string> {
  return page.evaluate((choice) => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]')].filter(
      (link) => !/\.\w+$|^\/(identity|media)\//.test(link.pathname) && link.target === '' && link.checkVisibility(),
    );
    const link = links[Math.floor(choice * links.length)];
    link?.click();
    return link?.pathname ?? 'no link';
  }, next());
}

type Act = { name: string; weight: number; needsConnection?: boolean; run(): Promise<string | void> };

const possible: Act[] = [
  { name: 'follow a link', weight: 10, run: followLink },
  {
    name: 'go back',
    weight: 4,
    run: () =>
      page.evaluate(() => ((history.state as { idx?: number } | null)?.idx ?? 0) > 0 && history.back()) as never,
  },
  { name: 'go forward', weight: 2, run: () => page.evaluate(() => history.forward()) },
  {
    name: 'connection away or back',
    weight: 4,
    async run() {
      isAway = !isAway;
      if (!isAway) awayUntil = performance.now() + 15_000;
      await context.setOffline(isAway);
      return isAway ? 'away' : 'back';
    },
  },
  {
    name: 'pause or play',
    weight: 3,
    needsConnection: true,
    async run() {
      const { paused } = await sample();
      await press('Space');
      isWanted = paused;
      heardAt = performance.now();
      return paused ? 'play' : 'pause';
    },
  },
  {
    name: 'seek',
    weight: 4,
    async run() {
      mayJump = true;
      const key = oneOf(['Shift+ArrowLeft', 'Shift+ArrowRight']);
      await press(key);
      return key;
    },
  },
  {
    name: 'next or previous',
    weight: 3,
    needsConnection: true,
    async run() {
      if (!(await canGoOn())) return 'the list has no next';
      mayJump = true;
      const key = oneOf(['n', 'p']);
      await press(key);
      // Both start their target.
      isWanted = true;
      heardAt = performance.now();
      return key;
    },
  },
  { name: 'favourite', weight: 2, run: () => press('f') },
  { name: 'queue', weight: 3, run: () => press('q') },
  {
    name: 'theme',
    weight: 2,
    async run() {
      await page.keyboard.press('Escape');
      const menu = page.getByRole('banner').getByRole('button', { name: 'Menu', exact: true });
      if ((await menu.count()) === 0) return 'no menu here';
      const theme = oneOf(['System', 'Dark', 'Light']);
      await menu.click();
      await page.getByRole('menuitemradio', { name: theme }).click();
      await page.keyboard.press('Escape');
      return theme;
    },
  },
  {
    name: 'size',
    weight: 2,
    async run() {
      const size = oneOf([desktop, phone]);
      await page.setViewportSize(size);
      return `${size.width}x${size.height}`;
    },
  },
  {
    name: 'expanded player',
    weight: 3,
    async run() {
      await page.keyboard.press('Escape');
      const name = /^(Expand player|Open full screen)$/;
      await page
        .getByRole('region', { name: 'Player' })
        .getByRole('button', { name })
        .filter({ visible: true })
        .first()
        .click();
      await wait(500);
      if (next() < 0.7) await page.keyboard.press('Escape');
    },
  },
  {
    name: 'log out and in',
    weight: 1,
    needsConnection: true,
    async run() {
      mayJump = true;
      isWanted = false;
      await page.keyboard.press('Escape');
      await page.setViewportSize(desktop);
      await page.getByRole('button', { name: 'Account menu' }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      await page.getByRole('button', { name: 'Account menu' }).waitFor({ state: 'detached' });
      await logIn();
      await playList();
    },
  },
  {
    name: 'load the document again',
    weight: 1,
    needsConnection: true,
    async run() {
      const before = await sample();
      const canCompare = isWanted && before.duration - before.time > 15;
      mayJump = true;
      isWanted = false;
      await page.reload();
      last = undefined;
      // The expanded player opens again and covers the header.
      await page.locator('[aria-label="Account menu"]').waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');
      if (!canCompare) return 'nothing to compare';
      await press('Space');
      await waitFor(async () => {
        const { time, paused } = await sample();
        return !paused && time > 0.2;
      }, 'nothing plays after the document was loaded again');
      const after = await sample();
      if (after.src !== before.src || Math.abs(after.time - before.time) > 10)
        fail(`The place was lost: ${before.time.toFixed(1)} s before, ${after.time.toFixed(1)} s after`);
      isWanted = true;
      heardAt = performance.now();
    },
  },
];

async function waitFor(condition: () => Promise<boolean>, what: string): Promise<void> {
  const until = performance.now() + patience * 1000;
  while (!(await condition())) {
    if (performance.now() > until) throw new Error(what);
    await wait(200);
  }
}

function choose(): Act {
  const open = possible.filter(({ needsConnection }) => !needsConnection || isConnected());
  let point = next() * open.reduce((sum, { weight }) => sum + weight, 0);
  return open.find(({ weight }) => (point -= weight) < 0) ?? oneOf(open);
}

/** Observes playback for some time. */
async function listen(milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds;
  while (performance.now() < until) {
    await check();
    mayJump = false;
    await wait(250);
  }
}

async function act(name: string, run: () => Promise<string | void>): Promise<void> {
  counts.set(name, (counts.get(name) ?? 0) + 1);
  let how: string | void = undefined;
  try {
    how = await run();
  } catch (error) {
    how = `not possible: ${String(error).split('\n')[0]}`;
    if (isConnected()) fail(`“${name}” was ${how}`);
  }
  const line = typeof how === 'string' ? `${name}: ${how}` : name;
  acts.push(`${seconds()} ${line}`);
  log(line);
}

page.setDefaultTimeout(15_000);
await page.goto('/about');
await page.waitForLoadState('networkidle');
await logIn();
began = performance.now();
await act('play a list', playList);
await listen(3000);
while (performance.now() - began < minutes * 60_000 && failures.length < 10) {
  const { name, run } = choose();
  await act(name, run);
  // The seek, the change and the start take time.
  if (mayJump) {
    await wait(1000);
    last = undefined;
  }
  await listen(500 + upTo(3000));
  if (!isWanted && isConnected() && next() < 0.5) await act('play a list', playList);
}

await browser.close();
await site.stop();
await rm(dataDir, { recursive: true, force: true });
for (const { what, acts } of failures) process.stdout.write(`\n${what}\n${acts.map((act) => `  ${act}\n`).join('')}`);
process.stdout.write(
  `\nSeed ${seed}, ${seconds()} s, ${failures.length} failures; ${[...counts].map(([name, count]) => `${name}: ${count}`).join(', ')}\n`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
