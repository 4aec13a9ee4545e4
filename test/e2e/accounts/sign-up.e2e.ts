import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  agree,
  field,
  fillSignUp,
  keptSession,
  modalOf,
  newPerson,
  openLogIn,
  openSignUp,
  registered,
  visitorOf,
} from '../../support/accounts.ts';
import { desktop, useBrowser } from '../../support/browser/browser.ts';
import { startWholeSite } from '../../support/whole-site.ts';
import { slow } from '../../support/tags.ts';

const site = await startWholeSite({
  APP_STORE_URL: 'https://apps.example/sotto',
  PLAY_STORE_URL: 'https://play.example/sotto',
});
const browser = useBrowser({ images: false });
const open = (path: string) => browser.open(path, visitorOf(site, desktop));

test(
  'every field says what is wrong with it once it was touched, in the words of the specification',
  slow,
  async () => {
    const { page } = await open('/about');
    const modal = await openSignUp(page);
    const submit = modal.getByRole('button', { name: 'Create account' });
    const errors = modal.locator('.err');
    expect(await errors.count()).toBe(0);
    expect(await submit.isDisabled()).toBe(true);

    // Left empty, one after the other; untouched fields show no error yet.
    await field(modal, 'Email').focus();
    for (const [next, ...messages] of [
      ['Username', 'enter email'],
      ['Password', 'enter email', 'enter username'],
      ['Show password', 'enter email', 'enter username', 'enter password'],
    ]) {
      await page.keyboard.press('Tab');
      await expect.poll(() => errors.allTextContents()).toEqual(messages);
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
        next === 'Show password' ? next : null,
      );
    }
    for (const box of await modal.getByRole('checkbox').all()) {
      await box.press('Space');
      await box.press('Space');
      await box.press('Tab');
    }
    await expect
      .poll(() => errors.allTextContents())
      .toEqual([
        'enter email',
        'enter username',
        'enter password',
        'You must be at least 18 years old',
        'You must accept the terms and conditions',
      ]);

    await field(modal, 'Email').fill('nobody');
    await modal.getByText('enter valid email').waitFor();
    await field(modal, 'Password').fill('12345');
    await modal.getByText('password too short').waitFor();
    await field(modal, 'Username').fill('night owl');
    await modal.getByText('Use Latin letters, digits, dots, hyphens and underscores').waitFor();
    expect(await submit.isDisabled()).toBe(true);

    const person = newPerson();
    await field(modal, 'Email').fill(person.email);
    await field(modal, 'Username').fill(person.username);
    await field(modal, 'Password').fill('123456');
    await agree(modal);
    await expect.poll(() => errors.count()).toBe(0);
    await expect.poll(() => submit.isEnabled()).toBe(true);
  },
);

test(
  "a username's availability is shown while typing, requested after a pause, and not requested twice",
  slow,
  async () => {
    const { page } = await open('/about');
    const taken = await registered(site);
    const free = newPerson().username;
    const asked: string[] = [];
    page.on('request', (request) => {
      const name = /\/auth\/username\/(.+)$/.exec(request.url())?.[1];
      if (name !== undefined) asked.push(decodeURIComponent(name));
    });
    const modal = await openSignUp(page);
    const username = field(modal, 'Username');
    await modal.getByText('0 / 24').waitFor();
    await username.pressSequentially(taken.username.toUpperCase());
    await modal.getByText('This username is unavailable').waitFor();
    await modal.getByText(`${taken.username.length} / 24`).waitFor();
    // Not for each letter; a slow machine may pause in between.
    expect(asked.at(-1)).toBe(taken.username.toUpperCase());
    expect(asked.length).toBeLessThan(taken.username.length / 2);
    expect(await username.getAttribute('aria-invalid')).toBe('true');

    await field(modal, 'Email').fill(newPerson().email);
    await field(modal, 'Password').fill('lullaby');
    await agree(modal);
    expect(await modal.getByRole('button', { name: 'Create account' }).isDisabled()).toBe(true);

    asked.length = 0;
    await username.fill(free);
    await modal.getByText('Available', { exact: true }).waitFor();
    await expect.poll(() => modal.getByRole('button', { name: 'Create account' }).isEnabled()).toBe(true);
    await username.fill(` ${free} `);
    await username.press('Tab');
    await modal.getByText('Available', { exact: true }).waitFor();
    expect(asked).toEqual([free]);
  },
);

test('a password can be looked at, and hidden again', slow, async () => {
  const { page, quiet } = await open('/about');
  const modal = await openSignUp(page);
  const password = field(modal, 'Password');
  await password.fill('lullaby');
  expect(await password.getAttribute('type')).toBe('password');
  await modal.getByRole('button', { name: 'Show password' }).click();
  expect(await password.getAttribute('type')).toBe('text');
  await modal.getByRole('button', { name: 'Hide password' }).click();
  expect(await password.getAttribute('type')).toBe('password');
  await quiet();
});

test('an account is made: one registration, then a log-in, the welcome with both stores, and the pages of the user', async () => {
  const { page, quiet } = await open('/library');
  const person = newPerson();
  const modal = await openSignUp(page);
  const submit = await fillSignUp(modal, person);
  const gate = Promise.withResolvers<void>();
  const registrations: unknown[] = [];
  await page.route('**/auth/register', async (route) => {
    registrations.push(route.request().postDataJSON());
    await gate.promise;
    await route.continue();
  });
  await field(modal, 'Password').press('Enter');
  await expect.poll(() => submit.textContent()).toBe('Creating account…');
  expect(await submit.getAttribute('aria-disabled')).toBe('true');
  await field(modal, 'Password').press('Enter');
  await submit.click({ force: true });
  gate.resolve();

  await modal.getByRole('heading', { name: `Welcome, ${person.username}` }).waitFor();
  expect(registrations).toEqual([{ ...person, tac: true, legal: true, source: 'page' }]);
  expect(await modal.locator('a.badge').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual(
    ['https://apps.example/sotto', 'https://play.example/sotto'],
  );
  await modal.getByRole('button', { name: 'Continue in the browser' }).click();
  await modal.waitFor({ state: 'detached' });
  await page.getByText('Save you favorite audios, playlists, and Creators here.').waitFor();
  expect(await keptSession(page)).toMatchObject({ token: expect.stringMatching(/^[\w-]{43}$/) });
  await quiet();
});

test.each([
  ['an address that has an account', 409, 'auth/email-already-in-use', 'This email address is already in use'],
  ['an address that is none', 400, 'auth/invalid-email', 'Enter a valid email address'],
  ['anything else', 500, 'server/failed', 'Something went wrong. Please try again.'],
])('%s only learns that it failed', slow, async (_what, status, code, message) => {
  const { page } = await open('/about');
  const modal = await openSignUp(page);
  const submit = await fillSignUp(modal, newPerson());
  if (status === 409) await field(modal, 'Email').fill((await registered(site)).email);
  else await page.route('**/auth/register', (route) => route.fulfill({ status, json: { error: { code, message } } }));
  await submit.click();
  await modal.getByRole('alert').getByText("We couldn't create your account. Please try again.").waitFor();
  expect(await keptSession(page)).toBeNull();
});

test('errors of username and password are at their field, network errors above the form', slow, async () => {
  const { page } = await open('/about');
  const modal = await openSignUp(page);
  const person = newPerson();
  const submit = await fillSignUp(modal, person);
  // Somebody else took it first.
  await site.site.identity.signUp({ ...newPerson(), username: person.username });
  await submit.click();
  const username = field(modal, 'Username');
  await expect.poll(() => noteOf(username)).toContain('This username is unavailable');
  expect(await username.evaluate((input) => input === document.activeElement)).toBe(true);

  await username.fill(newPerson().username);
  await modal.getByText('Available', { exact: true }).waitFor();
  const refuse = (error: object) =>
    page.route('**/auth/register', (route) => route.fulfill({ status: 400, json: { error } }), { times: 1 });
  await refuse({ code: 'auth/weak-password', message: 'Password have a minimum of 6 characters' });
  await submit.click();
  const password = field(modal, 'Password');
  await expect.poll(() => noteOf(password)).toContain('Password have a minimum of 6 characters');
  await password.fill('lullabies');

  await refuse({ code: 'auth/invalid-username', message: 'Username is not available' });
  await submit.click();
  await expect.poll(() => noteOf(username)).toContain('Username is not available');
  await username.fill(newPerson().username);
  await modal.getByText('Available', { exact: true }).waitFor();

  await page.context().setOffline(true);
  await submit.click();
  await modal.getByRole('alert').getByText('No internet connection').waitFor();
  await page.context().setOffline(false);
  await submit.click();
  await modal.getByRole('heading', { name: /^Welcome, / }).waitFor();
});

test('an account whose log-in fails after it was made is not made again', slow, async () => {
  const { page } = await open('/about');
  const modal = await openSignUp(page);
  const person = newPerson();
  const submit = await fillSignUp(modal, person);
  await page.route('**/v1/api/auth/login', (route) => route.abort(), { times: 1 });
  await submit.click();
  await modal.getByRole('alert').getByText('No internet connection').waitFor();
  await submit.click();
  await modal.getByRole('heading', { name: `Welcome, ${person.username}` }).waitFor();
});

test('terms and privacy open in tabs of their own, and what was typed stays', slow, async () => {
  const { page } = await open('/about');
  const modal = await openSignUp(page);
  await field(modal, 'Email').fill('kept@example.org');
  for (const [name, path] of [
    ['Terms of Service', '/terms'],
    ['Privacy Policy', '/privacy'],
  ] as const) {
    const opened = page.context().waitForEvent('page');
    await modal.getByRole('link', { name }).click();
    const tab = await opened;
    await tab.waitForURL(`**${path}`);
    await tab.close();
  }
  expect(await field(modal, 'Email').inputValue()).toBe('kept@example.org');
  expect(await modal.getByRole('checkbox', { checked: true }).count()).toBe(0);
});

test('the windows lead to one another by their links, and closing one forgets what was in it', slow, async () => {
  const { page } = await open('/about');
  const modal = await openLogIn(page);
  await field(modal, 'Email').fill('somebody@example.org');
  await modal.getByRole('button', { name: 'Create account' }).click();
  await modal.getByRole('heading', { name: 'Create your account' }).waitFor();
  expect(await field(modal, 'Email').evaluate((input) => input === document.activeElement)).toBe(true);
  await modal.getByRole('button', { name: 'Log in', exact: true }).click();
  await modal.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await modal.getByRole('button', { name: 'Forgot your password?' }).click();
  await modal.getByRole('heading', { name: 'Reset your password' }).waitFor();
  await modal.getByRole('button', { name: 'Back to log in' }).click();
  await modal.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await field(modal, 'Email').fill('somebody@example.org');
  await modal.getByRole('button', { name: 'Close' }).click();
  await modal.waitFor({ state: 'detached' });
  await openLogIn(page);
  expect(await field(modalOf(page), 'Email').inputValue()).toBe('');
});

/** The note below a field. */
function noteOf(input: Locator): Promise<string> {
  return input.evaluate((one) => document.getElementById(one.getAttribute('aria-describedby') ?? '')?.innerText ?? '');
}
