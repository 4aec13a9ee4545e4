/** @module-tag slow */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSoundModal, fillLogIn, keptSession, logIn, logOut, modalOf } from '../../support/accounts.ts';
import { desktop, hydrated, mobile, sound, useBrowser } from '../../support/browser/browser.ts';

const browser = useBrowser({ images: false });
const listener = { email: 'listener@sotto.example', password: 'listener' };
const subscriber = { email: 'subscriber@sotto.example', password: 'subscriber' };

/** The browser logs an unknown promo code as an error. */
const refused =
  'Failed to load resource: the server responded with a status of 400 (Bad Request) /v1/api/subscription/preview';
const free = '/audio/how-do-i-love-thee';
const locked = {
  path: '/audio/a-long-rain',
  title: 'A Long Rain on the Conservatory Roof, with Marvell’s Garden Read Very Quietly Underneath',
};

async function leave(page: Page): Promise<void> {
  await modalOf(page).waitFor();
  await page.keyboard.press('Escape');
  await modalOf(page).waitFor({ state: 'detached' });
}

const forSubscribers = `“${locked.title}” is for subscribers`;

test('actions that need an account ask a visitor to sign in and name the item; dismissing changes nothing', async () => {
  const { page, quiet } = await browser.open(locked.path, mobile);
  const main = page.locator('main');
  const player = page.getByRole('region', { name: 'Player' });
  const preview = await player.locator('.player__title').textContent();
  const menu = async (item: string) => {
    await main.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const pressEach = async (asked: [string, () => Promise<void>][]) => {
    for (const [to, press] of asked) {
      const heading = to === forSubscribers ? to : `Sign in to ${to}`;
      await press();
      await modalOf(page).getByRole('heading', { name: heading, exact: true }).waitFor();
      expect(await page.getByRole('dialog', { name: heading, exact: true }).count()).toBe(1);
      await leave(page);
    }
  };
  await pressEach([
    [`keep “${locked.title}”`, () => main.getByRole('button', { name: `Favorite ${locked.title}` }).click()],
    [forSubscribers, () => main.getByRole('button', { name: /^Play/ }).first().click()],
    [`comment on “${locked.title}”`, () => main.getByRole('button', { name: 'Say something kind…' }).click()],
    [`add “${locked.title}” to your Queue`, () => menu('Add to queue')],
    [`add “${locked.title}” to a playlist`, () => menu('Add to playlist')],
    [`share “${locked.title}”`, () => menu('Copy link')],
  ]);
  await page.setViewportSize(desktop.viewport);
  await pressEach([
    ['see your Queue', () => player.getByRole('button', { name: 'Go to Queue' }).click()],
    [`share “${preview}”`, () => player.getByRole('button', { name: 'Copy', exact: true }).click()],
  ]);
  expect(await main.getByRole('button', { pressed: true }).count()).toBe(0);
  expect((await sound(page)).paused).toBe(true);
  await quiet();
});

test('the prompt is sound in both sizes and themes, also for a title of many words', async () => {
  const { page, quiet } = await browser.open(locked.path, desktop);
  await page
    .locator('main')
    .getByRole('button', { name: `Favorite ${locked.title}` })
    .click();
  await expectSoundModal(page, `Sign in to keep “${locked.title}”`);
  await quiet();
});

test('a visitor’s previous and next are off, and the Library names itself', async () => {
  const { page, quiet } = await browser.open('/library', desktop);
  const player = page.getByRole('region', { name: 'Player' });
  for (const name of ['Previous', 'Next'])
    expect(await player.getByRole('button', { name, exact: true }).first().isDisabled()).toBe(true);
  await page.getByRole('heading', { name: 'Sign in to see your Library' }).waitFor();
  await hydrated(page);
  for (const [key, to] of [
    ['n', 'play the next audio'],
    ['p', 'play the previous audio'],
  ] as const) {
    await page.keyboard.press(key);
    await modalOf(page)
      .getByRole('heading', { name: `Sign in to ${to}` })
      .waitFor();
    await leave(page);
  }
  await page.locator('main').getByRole('button', { name: 'Get Started' }).click();
  await modalOf(page).getByRole('heading', { name: 'Create your account' }).waitFor();
  await leave(page);
  await page.goto('/playlists/start-here');
  for (const [label, to] of [
    ['Add all to queue', 'add “Start Here” to your Queue'],
    ['Copy link', 'share “Start Here”'],
  ]) {
    await page.locator('main').getByRole('button', { name: label, exact: true }).click();
    await modalOf(page)
      .getByRole('heading', { name: `Sign in to ${to}` })
      .waitFor();
    await leave(page);
  }
  await quiet();
});

test('a pressed action runs after the log-in that it led to, and not after another one', async () => {
  const { page, quiet } = await browser.open(free, {
    ...desktop,
    permissions: ['clipboard-write', 'clipboard-read'],
  });
  const share = async () => {
    await page.locator('main').getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Copy link' }).click();
  };
  const modal = modalOf(page);
  const copied = page.locator('.toast', { hasText: 'Link copied' });
  await share();
  await leave(page);
  await logIn(page, listener);
  expect(await copied.count()).toBe(0);
  await logOut(page);

  await share();
  // After other windows the action still waits.
  await modal.getByRole('button', { name: 'Get Started' }).click();
  await modal.getByRole('button', { name: 'Log in', exact: true }).click();
  await fillLogIn(modal, listener);
  await copied.waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(new URL(`${free}?via=share`, page.url()).href);
  await quiet();
});

test('a locked audio starts without being asked for again once a subscriber is in', async () => {
  const { page, quiet } = await browser.open(locked.path, mobile);
  await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
  const modal = modalOf(page);
  await modal.getByRole('button', { name: 'Log in' }).click();
  await fillLogIn(modal, subscriber);
  await expect.poll(async () => (await sound(page)).time, { timeout: 15_000 }).toBeGreaterThan(0.2);
  expect(await modal.count()).toBe(0);
  await quiet();
});

test('a promo code opens the sign-up window for visitors, on arrival and after a log-out, and for nobody else', async () => {
  const { page, quiet } = await browser.open('/about?promoCode=NIGHT', desktop);
  const signUp = modalOf(page).getByRole('heading', { name: 'Create your account' });
  await signUp.waitFor();
  await modalOf(page).getByRole('button', { name: 'Log in', exact: true }).click();
  await fillLogIn(modalOf(page), listener);
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
  await modalOf(page).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(await modalOf(page).count()).toBe(0);
  expect(new URL(page.url()).search).toBe('?promoCode=NIGHT');

  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await signUp.waitFor();
  expect(await keptSession(page)).toBeNull();
  await leave(page);
  // Once dismissed, it stays closed until the address changes.
  await page.getByRole('link', { name: 'Creators' }).first().click();
  await page.waitForURL('**/creators');
  expect(await modalOf(page).count()).toBe(0);
  // Each window requests the price with the code, which does not exist.
  await quiet(Array(2).fill(refused));
});

test.each(['facebook', 'instagram'])(
  'by an advertisement on %s the window to join opens, is remembered in this tab, and leads home after the log-in',
  async (source) => {
    const { page, quiet } = await browser.open(`/about?utm_source=${source}`, desktop);
    const modal = modalOf(page);
    await modal.getByRole('heading', { name: 'Every voice, every night' }).waitFor();
    await modal.getByRole('button', { name: 'Continue' }).click();
    await modal.getByRole('button', { name: 'Log in' }).click();
    await modal.getByRole('heading', { name: 'Welcome back' }).waitFor();
    await fillLogIn(modal, subscriber);
    await page.waitForURL((url) => url.pathname === '/');
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
    await modalOf(page).waitFor({ state: 'detached' });

    // Only once: the next log-in does not navigate.
    await page.goto('/categories');
    await logOut(page);
    await logIn(page, listener);
    expect(new URL(page.url()).pathname).toBe('/categories');
    await page.goto(`/about?utm_source=${source}`);
    await page.waitForLoadState('networkidle');
    expect(await modalOf(page).count()).toBe(0);
    await quiet();
  },
);

test('that window, once closed, does not come back by a reload, but by another advertisement, and a later log-in still leads home', async () => {
  const { page, quiet } = await browser.open('/about?utm_source=instagram', desktop);
  await modalOf(page).getByRole('heading', { name: 'Every voice, every night' }).waitFor();
  await leave(page);
  await page.reload();
  await page.waitForLoadState('networkidle');
  expect(await modalOf(page).count()).toBe(0);
  await page.goto('/about?utm_source=facebook');
  await modalOf(page).getByRole('heading', { name: 'Every voice, every night' }).waitFor();
  await leave(page);
  await page.goto('/categories');
  await logIn(page, listener);
  await page.waitForURL((url) => url.pathname === '/');
  await quiet();
});

test('any other source, or an empty code, opens nothing', async () => {
  const { page, quiet } = await browser.open('/about?utm_source=newsletter&promoCode=%20', desktop);
  await page.waitForLoadState('networkidle');
  expect(await modalOf(page).count()).toBe(0);
  await quiet();
});
