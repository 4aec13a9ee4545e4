import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { expectCleanForAxe, modalOf } from '../support/accounts.ts';
import { desktop, mobile, nextFrame, sound, useBrowser } from '../support/browser/browser.ts';
import { newListener, openAs } from '../support/listener.ts';
import { slow } from '../support/tags.ts';

const browser = useBrowser();

test('the menu closes by Escape, by a press beside it, and by Back, which leaves the page', async () => {
  const { page, quiet } = await browser.open('/about', desktop);
  const menu = page.getByRole('menu');
  const open = async () => {
    await page.getByRole('button', { name: 'Menu' }).click();
    await menu.waitFor();
  };
  await open();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'Menu' }).evaluate((button) => button === document.activeElement)).toBe(
    true,
  );
  await open();
  await page.mouse.click(400, 500);
  await menu.waitFor({ state: 'detached' });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Creators' }).click();
  await page.waitForURL('**/creators');
  await open();
  await page.goBack();
  await menu.waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe('/creators');
  await page.goBack();
  await page.waitForURL('**/about');
  await quiet();
});

test.each(['Menu', 'Sleep timer'])(
  '%s, opened by keyboard far down a page, leaves the page where it is',
  async (name) => {
    const { page, quiet } = await browser.open('/terms', desktop);
    await page.evaluate(() => window.scrollTo({ top: 1500, behavior: 'instant' }));
    await page.getByRole('button', { name, exact: true }).evaluate((opener) => opener.focus({ preventScroll: true }));
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.menu') !== null)).toBe(true);
    expect(await page.evaluate(() => window.scrollY)).toBe(1500);
    await quiet();
  },
);

test('in a window as low as at a zoom of 400 %, the header scrolls away and most of the page is in sight', async () => {
  const { page, quiet } = await browser.open('/terms', { ...desktop, viewport: { width: 360, height: 225 } });
  const scrollTo = async (top: number) => {
    await page.evaluate((position) => window.scrollTo({ top: position, behavior: 'instant' }), top);
    await nextFrame(page);
  };
  const headerEnd = () =>
    page.getByRole('banner').evaluate((header) => Math.max(0, header.getBoundingClientRect().bottom));
  const playerStart = () => page.locator('[data-player]').evaluate((player) => player.getBoundingClientRect().top);
  await scrollTo(600);
  expect((await playerStart()) - (await headerEnd())).toBeGreaterThanOrEqual(140);
  // A link that gets the focus is scrolled into the space between them.
  const next = page.getByRole('contentinfo').getByRole('link').first();
  await next.focus();
  const link = (await next.boundingBox()) ?? expect.fail('no link');
  expect(link.y).toBeGreaterThanOrEqual(await headerEnd());
  expect(link.y + link.height).toBeLessThanOrEqual(await playerStart());
  await page.setViewportSize(desktop.viewport);
  await scrollTo(600);
  expect([await headerEnd(), await playerStart()]).toEqual([80, 800]);
  await quiet();
});

test('on a phone the menu holds the navigation, and leaving by it closes it', async () => {
  const { page, quiet } = await browser.open('/about', mobile);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Creators' }).click();
  await page.waitForURL('**/creators');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('h1').textContent()).toBe('Creators');
  await quiet();
});

test('Download our app stands in both menus of a logged-in user too', slow, async () => {
  const { page, quiet } = await openAs(browser, await newListener(), '/about', desktop);
  for (const menu of ['Menu', 'Account menu']) {
    await page.getByRole('button', { name: menu, exact: true }).click();
    await page.getByRole('menuitem', { name: 'Download our app', exact: true }).click();
    await modalOf(page).getByRole('heading').first().waitFor();
    await page.keyboard.press('Escape');
    await modalOf(page).waitFor({ state: 'detached' });
  }
  await quiet();
});

describe('without a store’s address, Download our app', slow, () => {
  const openApp = async (page: Page) => {
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Download our app', exact: true }).click();
    const modal = modalOf(page);
    await modal.waitFor();
    return modal;
  };

  test.each([
    ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)', 'iPhone', 'Add to Home Screen'],
    ['an Android phone', 'Mozilla/5.0 (Linux; Android 10; K)', 'phone', 'Install app'],
  ])('says on %s how to install the site, with pictures', async (_what, userAgent, title, step) => {
    const { page, quiet } = await browser.open('/about', { ...mobile, userAgent });
    const modal = await openApp(page);
    await modal.getByRole('heading', { name: `Install Sotto on your ${title}` }).waitFor();
    expect(await modal.getByRole('listitem').count()).toBe(3);
    expect(await modal.locator('li svg').count()).toBe(3);
    expect(await modal.getByRole('list').textContent()).toContain(step);
    await expectCleanForAxe(page);
    await quiet();
  });

  test('installs it where the browser offers that', async () => {
    const { page, quiet } = await browser.open('/about', desktop);
    const modal = await openApp(page);
    await modal.getByText('Safari: open the File menu').waitFor();
    // Chromium makes its offer only after user interaction.
    await page.evaluate(() => {
      const prompt = () => {
        document.title = 'asked';
        return Promise.resolve({ outcome: 'accepted' });
      };
      window.dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }));
    });
    await modal.getByRole('button', { name: 'Install', exact: true }).click();
    await modal.waitFor({ state: 'detached' });
    expect(await page.title()).toBe('asked');
    await quiet();
  });
});

test('an empty search does nothing, a term leads to its results', async () => {
  const { page, quiet } = await browser.open('/about', desktop);
  const field = page.getByRole('combobox', { name: 'Search' });
  await field.press('Enter');
  await field.fill('   ');
  await field.press('Enter');
  expect(new URL(page.url()).pathname).toBe('/about');
  await field.fill('rain');
  await field.press('Enter');
  await page.waitForURL('**/search?search=rain');
  await expect.poll(() => page.locator('main').textContent()).toContain('A Long Rain on the Conservatory Roof');
  await quiet();
});

test('a list longer than a page loads more on scroll, and shows every item once', slow, async () => {
  const { page, quiet } = await browser.open('/audios', desktop);
  const titles = page.locator('main li .row__title');
  expect(await titles.count()).toBe(24);
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, 4000);
        return titles.count();
      },
      { timeout: 20_000 },
    )
    .toBe(88);
  expect(new Set(await titles.allTextContents()).size).toBe(88);
  await quiet();
});

test('the theme that was chosen is there from the first paint on', async () => {
  expect(await (await fetch(`${inject('siteUrl')}/about`)).text()).toContain(
    '<html lang="en" dir="ltr" data-theme="dark">',
  );
  const { page, quiet } = await browser.open('/about', { ...desktop, colorScheme: 'dark' });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitemradio', { name: 'Light' }).click();
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
  const html = await page.evaluate(async () => (await fetch('/terms')).text());
  expect(html).toContain('data-theme="light"');
  await quiet();
});

test('standalone has neither header nor player, for as long as the tab lives', async () => {
  const { page, quiet } = await browser.open('/about?standalone', desktop);
  expect(await page.getByRole('banner').count()).toBe(0);
  expect(await page.getByRole('region', { name: 'Player' }).count()).toBe(0);
  await page.goto('/terms');
  await expect.poll(() => page.getByRole('banner').count()).toBe(0);
  await quiet();
});

test('the skip link is the first stop of the keyboard and leads to the page', async () => {
  const { page, quiet } = await browser.open('/categories/sleep', desktop);
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  await quiet();
});

test('forbidden actions ask a visitor to sign in, and name the action', slow, async () => {
  const { page, quiet } = await browser.open('/audio/how-do-i-love-thee', desktop);
  const dialog = page.getByRole('dialog');
  await page
    .locator('main')
    .getByRole('button', { name: /^Favorite/ })
    .first()
    .click();
  await dialog.waitFor();
  expect(await dialog.textContent()).toContain('How Do I Love Thee?');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Go to Queue' }).click();
  await dialog.waitFor();
  expect(await dialog.textContent()).toContain('your Queue');
  await quiet();
});

test('on a low screen a modal begins at its first field, not at its end', slow, async () => {
  const { page, quiet } = await browser.open('/about', {
    viewport: { width: 720, height: 450 },
    reducedMotion: 'no-preference',
  });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign up' }).click();
  const field = page.getByRole('dialog').getByLabel('Email');
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  const top = () => field.evaluate((input) => input.getBoundingClientRect().top);
  await expect.poll(top).toBeLessThan(400);
  expect(await top()).toBeGreaterThan(100);
  await quiet();
});

test('a modal whose code fails to load shows an error, and opens once it loads', slow, async () => {
  const { page } = await browser.open('/about', { ...desktop, isFirstVisit: true });
  const modals = '**/assets/account-modals*';
  // The worker requests it.
  await page.context().route(modals, (route) => route.abort());
  const wayIn = page.getByRole('banner').getByRole('link', { name: 'Get Started' });
  await wayIn.click();
  await page.locator('.toast', { hasText: 'No internet connection' }).waitFor();
  await page.context().unroute(modals);
  await wayIn.click();
  await page.getByRole('dialog', { name: 'Create your account' }).waitFor();
});

test('a mail link without its secret shows an error and the next step', slow, async () => {
  const { page, quiet } = await browser.open('/reset-password', desktop);
  expect(await page.getByRole('alert').textContent()).toContain('This link was already used');
  await page.getByRole('button', { name: 'Send a new link' }).click();
  await page.getByRole('dialog', { name: 'Reset your password' }).waitFor();
  await page.goto('/confirm-email');
  await page.getByRole('link', { name: 'Go to your account' }).waitFor();
  await quiet();
});

test('an address with a time begins there', slow, async () => {
  const { page, quiet } = await browser.open('/audio/how-do-i-love-thee?t=95', desktop);
  await page
    .locator('main')
    .getByRole('button', { name: /^(Play|Resume)/ })
    .first()
    .click();
  await expect.poll(async () => (await sound(page)).time, { timeout: 15_000 }).toBeGreaterThan(95);
  // Back and a reload resume where the listener is.
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await quiet();
});
