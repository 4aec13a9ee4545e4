/** @module-tag slow */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { operator } from '#domain/kernel/actor.ts';
import {
  agree,
  field,
  keptSession,
  logOut,
  modalOf,
  newPerson,
  openLogIn,
  openSignUp,
  registered,
  visitorOf,
} from '../../support/accounts.ts';
import { desktop, mobile, useBrowser, workerInCharge } from '../../support/browser/browser.ts';
import { type Person, allowAs } from '../../support/servers/openid.ts';
import { startWholeSite } from '../../support/whole-site.ts';

const site = await startWholeSite({ APP_STORE_URL: 'https://apps.example/sotto' });
const browser = useBrowser({ images: false });
const open = (path: string, layout = desktop) => browser.open(path, visitorOf(site, layout));

function newSocialPerson(): Person {
  return { id: String(Math.floor(Math.random() * 1e15)), email: newPerson().email };
}

/** Presses the button of a provider. @returns its window */
async function press(page: Page, name: 'Google' | 'Facebook'): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await modalOf(page).getByRole('button', { name, exact: true }).click();
  const popup = await opened;
  await popup.getByRole('button', { name: 'Allow' }).waitFor();
  return popup;
}

async function signIn(page: Page, name: 'Google' | 'Facebook', person: Person): Promise<void> {
  await allowAs(await press(page, name), person);
}

async function chooseUsername(modal: Locator, username: string): Promise<void> {
  await field(modal, 'Username').fill(username);
  await modal.getByText('Available', { exact: true }).waitFor();
  await agree(modal);
  await modal.getByRole('button', { name: 'Continue' }).click();
}

describe.each(['Google', 'Facebook'] as const)('with %s', (name) => {
  test('a new account chooses a username and is welcomed; the same person is then just logged in', async () => {
    const { page, quiet } = await open('/about');
    // It sees the provider's redirect to the site, whose address works only once.
    await workerInCharge(page);
    const person = newSocialPerson();
    const { username } = newPerson();
    const modal = await openSignUp(page);
    const popup = await press(page, name);
    // The email was left for another sign-in method, which is no error.
    expect(await modal.locator('.err').allTextContents()).toEqual([]);
    await allowAs(popup, person);
    await modal.getByRole('heading', { name: 'Choose a username' }).waitFor();
    expect(await modal.locator('.err').allTextContents()).toEqual([]);
    await chooseUsername(modal, username);
    await modal.getByRole('heading', { name: `Welcome, ${username}` }).waitFor();
    // One store is set; the other badge installs the site.
    expect(await modal.locator('a.badge').allTextContents()).toEqual(['Download on the App Store']);
    expect(await modal.locator('button.badge').allTextContents()).toEqual(['Install on this device']);
    await page.keyboard.press('Escape');
    await modal.waitFor({ state: 'detached' });
    await page.goto('/account');
    await page.getByText(person.email).waitFor();
    await page.getByText('None: you sign in with Google or Facebook').waitFor();

    await logOut(page);
    await openLogIn(page);
    await signIn(page, name, person);
    await page.getByRole('heading', { name: username, level: 1 }).waitFor();
    await modal.waitFor({ state: 'detached' });
    await quiet();
  });

  test('an address of an account with a password is not taken over: the window shows an error and the next step', async () => {
    const { page, quiet } = await open('/about');
    const { email } = await registered(site);
    const modal = await openLogIn(page);
    await signIn(page, name, { ...newSocialPerson(), email });
    await modal.getByRole('heading', { name: `We could not sign you in with ${name}` }).waitFor();
    await modal
      .getByText(
        'An account already exists with the same email address but different sign-in credentials. Please sign in using a provider associated with this email address.',
        { exact: true },
      )
      .waitFor();
    expect(await keptSession(page)).toBeNull();
    await modal.getByRole('button', { name: 'Try another way' }).click();
    await modal.getByRole('heading', { name: 'Create your account' }).waitFor();
    await signIn(page, name, { ...newSocialPerson(), email });
    await modal.getByRole('button', { name: 'Log in with email' }).click();
    await modal.getByRole('heading', { name: 'Welcome back' }).waitFor();

    // Closed, and removed from the page.
    await signIn(page, name, { ...newSocialPerson(), email });
    await modal.getByRole('heading', { name: `We could not sign you in with ${name}` }).waitFor();
    await modal.getByRole('button', { name: 'Close' }).click();
    await modal.waitFor({ state: 'detached' });
    await openLogIn(page);
    expect(await modal.getByText('different sign-in credentials').count()).toBe(0);
    await quiet();
  });

  test('refusing there, or closing the window, returns to where the window was opened', async () => {
    const { page, quiet } = await open('/about');
    const modal = await openLogIn(page);
    const button = modal.getByRole('button', { name, exact: true });
    const refusing = await press(page, name);
    expect(await modal.getByRole('button', { name: 'Signing in…' }).count()).toBe(1);
    const gone = refusing.waitForEvent('close');
    await refusing.getByRole('link', { name: 'Refuse' }).click();
    await gone;
    await button.waitFor();
    await (await press(page, name)).close();
    await button.waitFor();
    await modal.getByRole('heading', { name: 'Welcome back' }).waitFor();
    expect(await modal.locator('.note').count()).toBe(0);
    await quiet();
  });
});

test('a browser that opens no window, and a site that cannot be reached, are named', async () => {
  const { page } = await open('/about');
  await page.evaluate(() => {
    const own = window.open.bind(window);
    let isBlocked = true;
    window.open = (...asked) => {
      if (!isBlocked) return own(...asked);
      isBlocked = false;
      return null;
    };
  });
  const modal = await openLogIn(page);
  await modal.getByRole('button', { name: 'Google', exact: true }).click();
  await modal
    .getByText('Your browser blocked the sign-in window. Allow pop-ups for this site and try again.')
    .waitFor();
  await modal.getByRole('button', { name: 'Log in with email' }).click();

  await page.route('**/v1/api/auth/login', (route) => route.abort(), { times: 1 });
  await signIn(page, 'Google', newSocialPerson());
  await modal.getByText('No internet connection').waitFor();
  await modal.getByRole('button', { name: 'Log in with email' }).click();
  await page.route(
    '**/v1/api/auth/login',
    (route) => route.fulfill({ status: 500, json: { error: { code: 'server/failed', message: 'x' } } }),
    { times: 1 },
  );
  await signIn(page, 'Facebook', newSocialPerson());
  await modal.getByRole('heading', { name: 'We could not sign you in with Facebook' }).waitFor();
  await modal.getByText('Something went wrong. Please try again.').waitFor();
});

describe('the username of a new account', () => {
  test('is asked for with both consents; each refusal shows the text of the specification', async () => {
    const { page } = await open('/about');
    const modal = await openSignUp(page);
    await signIn(page, 'Google', newSocialPerson());
    await modal.getByRole('heading', { name: 'Choose a username' }).waitFor();
    const submit = modal.locator('button[type=submit]');
    expect(await submit.isDisabled()).toBe(true);
    await field(modal, 'Username').focus();
    await page.keyboard.press('Tab');
    await modal.getByText('Please enter username').waitFor();
    const boxes = modal.getByRole('checkbox');
    for (const box of await boxes.all()) {
      await box.press('Space');
      await box.press('Space');
      await box.press('Tab');
    }
    await modal.getByText('You must be at least 18 years old').waitFor();
    await modal.getByText('You must accept the terms and conditions').waitFor();
    await field(modal, 'Username').fill((await registered(site)).username);
    await modal.getByText('This username is unavailable').waitFor();

    const { username } = newPerson();
    await field(modal, 'Username').fill(username);
    await modal.getByText('Available', { exact: true }).waitFor();
    await agree(modal);
    await expect.poll(() => submit.isEnabled()).toBe(true);
    await page.context().setOffline(true);
    await submit.click();
    await modal.getByRole('alert').getByText('Something went wrong. Please try again.').waitFor();
    await page.context().setOffline(false);
    await page.route(
      '**/user/profile',
      (route) => route.fulfill({ status: 400, json: { error: { code: 'auth/under-age', message: 'Not yet' } } }),
      { times: 1 },
    );
    await submit.click();
    await modal.getByRole('alert').getByText('Not yet').waitFor();
    await site.site.identity.signUp({ ...newPerson(), username });
    await submit.click();
    await expect.poll(() => modal.locator('.field .err').allTextContents()).toEqual(['This username is unavailable']);
    expect(await field(modal, 'Username').evaluate((input) => input === document.activeElement)).toBe(true);
  });

  test('can be put off: the account stays incomplete, and is asked again by each page and by what needs it', async () => {
    const { page, quiet } = await open('/about', mobile);
    const person = newSocialPerson();
    await page.getByRole('banner').getByRole('link', { name: 'Get Started' }).click();
    const modal = modalOf(page);
    await modal.getByRole('heading', { name: 'Create your account' }).waitFor();
    await signIn(page, 'Facebook', person);
    const asked = modal.getByRole('heading', { name: 'Choose a username' });
    const putOff = async () => {
      await asked.waitFor();
      await modal.getByRole('button', { name: 'Close' }).click();
      await modal.waitFor({ state: 'detached' });
    };
    await putOff();
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
    await page.goto('/account');
    await putOff();
    await page.locator('main').getByRole('heading', { name: 'Choose a username' }).waitFor();
    await page.locator('main').getByRole('button', { name: 'Choose a username' }).click();
    await asked.waitFor();
    const { username } = newPerson();
    await chooseUsername(modal, username);
    await modal.getByRole('heading', { name: `Welcome, ${username}` }).waitFor();
    await modal.getByRole('button', { name: 'Continue in the browser' }).click();
    await modal.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: username, level: 1 }).waitFor();
    await page.reload();
    await page.waitForLoadState('networkidle');
    expect(await modal.count()).toBe(0);
    await quiet();
  });
});

test('while the site takes no new accounts, every way to sign up leads to the log-in, which says so', async () => {
  const { site: siteAdmin } = site.site.admin;
  const turn = async (signUp: boolean) => {
    const { value, revision } = (await siteAdmin.findSiteSettings(operator)).features;
    await siteAdmin.changeSection(operator, 'features', { value: { ...value, signUp }, revision });
  };
  await turn(false);
  const { page, quiet } = await open('/about?promoCode=NIGHT');
  const modal = modalOf(page);
  await modal.getByRole('heading', { name: 'Welcome back' }).waitFor();
  const closed = modal.getByText('This site does not accept new accounts at the moment.', { exact: true });
  await closed.waitFor();
  await signIn(page, 'Google', newSocialPerson());
  await modal.getByRole('heading', { name: 'We could not sign you in with Google' }).waitFor();
  await closed.waitFor();
  expect(await modal.getByRole('button', { name: 'Try another way' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.goto('/library');
  await turn(true);
  await quiet(['Failed to load resource: the server responded with a status of 403 (Forbidden) /v1/api/auth/login']);
});
