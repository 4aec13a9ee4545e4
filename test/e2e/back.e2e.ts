/** @module-tag slow */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { field, modalOf, newPerson, openLogIn, openSignUp } from '../support/accounts.ts';
import { desktop, layouts, mobile, useBrowser } from '../support/browser/browser.ts';

const browser = useBrowser({ images: false });
const pathOf = (page: Page) => new URL(page.url()).pathname;

/** Layers of the current entry. The code for it comes with the first layer. */
const expectLayers = (page: Page, layers: string[]) =>
  expect.poll(() => page.evaluate(() => history.state?.layers ?? [])).toEqual(layers);

/** A page with another one before it in the history. */
async function open(path: string, layout = desktop) {
  const opened = await browser.open('/about', layout);
  await opened.page.goto(path);
  return opened;
}

describe.each(layouts)('on %s', (_, layout) => {
  test('Back closes the sign-up, keeps what was typed, and then leads to the page before', async () => {
    const { page, quiet } = await open('/categories', layout);
    const { email } = newPerson();
    const modal = await openSignUp(page);
    await field(modal, 'Email').fill(email);
    await expectLayers(page, ['popup']);
    await page.goBack();
    await modal.waitFor({ state: 'detached' });
    expect(pathOf(page)).toBe('/categories');
    // Nothing to open again: Forward stays on the page.
    await page.goForward();
    await expectLayers(page, []);
    expect(await modal.count()).toBe(0);

    await openSignUp(page);
    expect(await field(modal, 'Email').inputValue()).toBe(email);
    await page.keyboard.press('Escape');
    await modal.waitFor({ state: 'detached' });
    await openLogIn(page);
    await modal.getByRole('button', { name: 'Close' }).click();
    await modal.waitFor({ state: 'detached' });
    await expectLayers(page, []);
    await page.goBack();
    await page.waitForURL('**/about');
    await quiet();
  });
});

test('Back closes a menu, with the focus on its button; a page opened from it takes its place', async () => {
  const { page, quiet } = await open('/categories', mobile);
  const button = page.getByRole('banner').getByRole('button', { name: 'Menu', exact: true });
  const menu = page.getByRole('menu');
  await button.click();
  await menu.waitFor();
  await expectLayers(page, ['popup']);
  await page.goBack();
  await menu.waitFor({ state: 'detached' });
  expect(pathOf(page)).toBe('/categories');
  await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true);
  await button.click();
  await menu.getByRole('menuitem').filter({ hasText: 'Creators' }).click();
  await page.waitForURL('**/creators');
  await page.goBack();
  await page.waitForURL('**/categories');
  expect(await menu.count()).toBe(0);
  await page.goBack();
  await page.waitForURL('**/about');
  await quiet();
});

test('what opens above the player, and above a dialog, closes first', async () => {
  const { page, quiet } = await open('/playlists/start-here', mobile);
  await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
  await page.getByRole('button', { name: 'Expand player' }).click();
  const player = page.getByRole('dialog', { name: 'Player' });
  await player.getByRole('button', { name: 'Sleep timer' }).click();
  const timer = page.getByRole('dialog', { name: 'Sleep timer' });
  await timer.waitFor();
  await expectLayers(page, ['player', 'popup']);
  await page.goBack();
  await timer.waitFor({ state: 'detached' });
  await player.getByRole('button', { name: 'Go to Queue' }).click();
  const modal = modalOf(page);
  await modal.waitFor();
  await expectLayers(page, ['player', 'popup']);
  await page.goBack();
  await modal.waitFor({ state: 'detached' });
  expect(await player.isVisible()).toBe(true);
  await page.goBack();
  await player.waitFor({ state: 'detached' });
  expect(pathOf(page)).toBe('/playlists/start-here');
  await page.goBack();
  await page.waitForURL('**/about');
  await quiet();
});

test('after a reload with an open window, Back leads to the page before', async () => {
  const { page, quiet } = await open('/categories');
  await openSignUp(page);
  await expectLayers(page, ['popup']);
  await page.reload();
  await expectLayers(page, []);
  await page.goBack();
  await page.waitForURL('**/about');
  await quiet();
});
