/** @module-tag slow */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  agree,
  expectCleanForAxe,
  expectSoundModal,
  field,
  modalOf,
  newPerson,
  openLogIn,
  openSignUp,
  registered,
  visitorOf,
} from '../../support/accounts.ts';
import { desktop, mobile, useBrowser } from '../../support/browser/browser.ts';
import { allowAs } from '../../support/servers/openid.ts';
import { startWholeSite } from '../../support/whole-site.ts';

const site = await startWholeSite({ APP_STORE_URL: 'https://apps.example/sotto' });
const browser = useBrowser({ images: false });
const open = (path: string, layout = desktop) => browser.open(path, visitorOf(site, layout));

/** Accessible name of the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: at } = document;
    const label = (at as HTMLInputElement | null)?.labels?.[0]?.textContent;
    return (label ?? at?.getAttribute('aria-label') ?? at?.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  });
}

/** Tabs until the focus is where it began. */
async function stopsOf(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<string[]> {
  const stops = [await focused(page)];
  for (;;) {
    await page.keyboard.press(key);
    // At both ends of the window the focus is moved a frame later.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const next = await focused(page);
    if (next === stops[0] || stops.length > 20) return stops;
    stops.push(next);
  }
}

describe('by keyboard alone', () => {
  test('the log-in window holds the focus in reading order, sends by Enter, and gives the focus back', async () => {
    const { page } = await open('/about');
    const opener = page.getByRole('banner').getByRole('link', { name: 'Log in' });
    await opener.focus();
    await page.keyboard.press('Enter');
    const modal = modalOf(page);
    await modal.getByRole('heading', { name: 'Welcome back' }).waitFor();
    await expect.poll(() => focused(page)).toBe('Email');
    const stops = [
      'Email',
      'Password',
      'Show password',
      'Forgot your password?',
      'Create account',
      'Close',
      'Google',
      'Facebook',
    ];
    expect(await stopsOf(page, 'Tab')).toEqual(stops);
    expect(await stopsOf(page, 'Shift+Tab')).toEqual([stops[0], ...stops.slice(1).toReversed()]);
    await page.keyboard.press('Escape');
    await modal.waitFor({ state: 'detached' });
    expect(await opener.evaluate((link) => link === document.activeElement)).toBe(true);

    const { email, password } = await registered(site);
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Email');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Account menu');
    await modal.waitFor({ state: 'detached' });
  });

  test('an account is made, from the header to the welcome and back', async () => {
    const { page, quiet } = await open('/about');
    const opener = page.getByRole('banner').getByRole('link', { name: 'Get Started' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Email');
    const modal = modalOf(page);
    const consents = ['I am at least 18 years old', 'I accept the Terms of Service and Privacy Policy'];
    expect(await stopsOf(page, 'Tab')).toEqual([
      'Email',
      'Username',
      'Password',
      'Show password',
      ...consents,
      'Terms of Service',
      'Privacy Policy',
      'Log in',
      'Close',
      'Google',
      'Facebook',
    ]);
    const { username, email, password } = newPerson();
    for (const text of [email, username, password]) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await modal.getByText('Available', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    for (let stop = 0; stop < 3; stop += 1) await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Create account');
    await page.keyboard.press('Enter');
    await modal.getByRole('heading', { name: `Welcome, ${username}` }).waitFor();
    await expect.poll(() => modal.evaluate((window) => window.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Escape');
    await modal.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Account menu');
    await quiet();
  });

  test.each([
    ['from the menu', 'Menu'],
    ['from a prompt', 'Get Started'],
  ])('opened %s, the focus comes back to what opened it', async (_how, opener) => {
    const { page, quiet } = await open('/library', opener === 'Menu' ? mobile : desktop);
    const modal = modalOf(page);
    const within = opener === 'Menu' ? page.getByRole('banner') : page.locator('main');
    await within.getByRole('button', { name: opener }).focus();
    await page.keyboard.press('Enter');
    if (opener === 'Menu') {
      await page.getByRole('menuitem', { name: 'Sign in' }).focus();
      await page.keyboard.press('Enter');
    }
    await modal.waitFor();
    // From one window to another: the focus still returns to what opened the first.
    await modal
      .getByRole('button', { name: /^(Create account|Log in)$/ })
      .last()
      .focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await modal.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe(opener);
    await quiet();
  });
});

test('typed text survives an accidental close, the email is shared by all forms, and nothing is stored', async () => {
  const { page } = await open('/about');
  const modal = await openSignUp(page);
  const { email, password } = newPerson();
  await field(modal, 'Email').fill(email);
  await field(modal, 'Password').fill(password);
  await page.keyboard.press('Escape');
  await modal.waitFor({ state: 'detached' });
  await openSignUp(page);
  expect(await field(modal, 'Email').inputValue()).toBe(email);
  expect(await field(modal, 'Password').inputValue()).toBe(password);
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect([stored.includes(password), stored.includes(email)]).toEqual([false, false]);
  await modal.getByRole('button', { name: 'Log in', exact: true }).click();
  await modal.getByRole('heading', { name: 'Welcome back' }).waitFor();
  expect(await field(modal, 'Email').inputValue()).toBe(email);
  await modal.getByRole('button', { name: 'Forgot your password?' }).click();
  expect(await field(modal, 'Email').inputValue()).toBe(email);
  await modal.getByRole('button', { name: 'Close' }).click();
  await modal.waitFor({ state: 'detached' });
  await openSignUp(page);
  expect(await field(modal, 'Email').inputValue()).toBe('');
});

test('a press beside a window closes it, one inside it does not, and nothing behind it can be reached', async () => {
  const { page, quiet } = await open('/about');
  const modal = await openLogIn(page);
  await modal.getByRole('heading', { name: 'Welcome back' }).click();
  expect(await modal.count()).toBe(1);
  expect(await page.getByRole('banner').count()).toBe(0);
  await page.mouse.click(20, 500);
  await modal.waitFor({ state: 'detached' });
  expect(await page.getByRole('banner').count()).toBe(1);
  await quiet();
});

describe('in both sizes and themes', () => {
  test('log-in and reset are sound, also with their mistakes', async () => {
    const { page } = await open('/about');
    const modal = await openLogIn(page);
    await expectCleanForAxe(page);
    await field(modal, 'Email').fill('nobody@example.org');
    await field(modal, 'Password').fill('wrong');
    await page.keyboard.press('Enter');
    await modal.getByRole('alert').waitFor();
    await expectSoundModal(page, 'Welcome back');
    await modal.getByRole('button', { name: 'Forgot your password?' }).click();
    await expectSoundModal(page, 'Reset your password');
    await field(modal, 'Email').fill('nobody@example.org');
    await page.keyboard.press('Enter');
    await expectSoundModal(page, 'Check your inbox');
  });

  test('sign-up is sound with all its mistakes', async () => {
    const { page } = await open('/about');
    const modal = await openSignUp(page);
    for (let stop = 0; stop < 7; stop += 1) await page.keyboard.press('Tab');
    for (const box of await modal.getByRole('checkbox').all()) {
      await box.press('Space');
      await box.press('Space');
    }
    await field(modal, 'Username').fill((await registered(site)).username);
    await modal.getByText('This username is unavailable').waitFor();
    await expectSoundModal(page, 'Create your account');
  });

  test('an empty email is an error for those who leave it, not on the way to Google or Facebook', async () => {
    const { page } = await open('/about');
    const modal = await openLogIn(page);
    const email = field(modal, 'Email');
    for (const name of ['Google', 'Facebook']) {
      await email.focus();
      const opened = page.waitForEvent('popup');
      await modal.getByRole('button', { name, exact: true }).click();
      await (await opened).close();
    }
    await email.focus();
    // Another window has the focus for a moment.
    await email.dispatchEvent('focusout');
    expect(await email.getAttribute('aria-invalid')).toBeNull();
    await page.keyboard.press('Tab');
    await expect.poll(() => email.getAttribute('aria-invalid')).toBe('true');
  });

  test('the social error, the username and the welcome are sound', async () => {
    const { page, quiet } = await open('/about');
    const modal = await openLogIn(page);
    const signIn = async (email: string) => {
      const opened = page.waitForEvent('popup');
      await modal.getByRole('button', { name: 'Google', exact: true }).click();
      await allowAs(await opened, { id: email, email });
    };
    await signIn((await registered(site)).email);
    await expectSoundModal(page, 'We could not sign you in with Google');
    await modal.getByRole('button', { name: 'Log in with email' }).click();
    const { email, username } = newPerson();
    await signIn(email);
    await expectSoundModal(page, 'Choose a username');
    await field(modal, 'Username').fill(username);
    await modal.getByText('Available', { exact: true }).waitFor();
    await agree(modal);
    await modal.getByRole('button', { name: 'Continue' }).click();
    await expectSoundModal(page, `Welcome, ${username}`);
    await quiet();
  });
});
