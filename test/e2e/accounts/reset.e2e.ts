/** @module-tag slow */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  field,
  fillLogIn,
  keptSession,
  logIn,
  modalOf,
  newPerson,
  openLogIn,
  registered,
  visitorOf,
} from '../../support/accounts.ts';
import { desktop, hydrated, useBrowser } from '../../support/browser/browser.ts';
import { startWholeSite } from '../../support/whole-site.ts';

const site = await startWholeSite();
const browser = useBrowser({ images: false });
const open = (path: string) => browser.open(path, visitorOf(site, desktop));

const sent = 'If an account with this email address exists, a reset link will be sent to that inbox.';
const spent = 'This link was already used or has expired.';

async function openReset(page: Page) {
  const modal = await openLogIn(page);
  await modal.getByRole('button', { name: 'Forgot your password?' }).click();
  await modal.getByRole('heading', { name: 'Reset your password' }).waitFor();
  return modal;
}

test('a link can be asked for once the address is valid; the answer is the same whether it is known', async () => {
  const { page } = await open('/about');
  const person = await registered(site);
  const modal = await openReset(page);
  const submit = modal.locator('button[type=submit]');
  expect(await submit.isDisabled()).toBe(true);
  await field(modal, 'Email').fill('nobody');
  expect(await submit.isDisabled()).toBe(true);
  await field(modal, 'Email').press('Tab');
  await modal.getByText('enter valid email').waitFor();
  await field(modal, 'Email').fill('');
  await expect.poll(() => modal.locator('.err').allTextContents()).toEqual(['enter valid email']);

  await page.context().setOffline(true);
  await field(modal, 'Email').fill(person.email);
  await submit.click();
  await modal.getByRole('alert').getByText('No internet connection').waitFor();
  await page.context().setOffline(false);

  const unknown = newPerson();
  for (const email of [unknown.email, person.email]) {
    await field(modal, 'Email').fill(email);
    const gate = Promise.withResolvers<void>();
    await page.route(
      '**/request-password-reset',
      async (route) => {
        await gate.promise;
        await route.continue();
      },
      { times: 1 },
    );
    await submit.click();
    await expect.poll(() => submit.textContent()).toBe('Sending…');
    gate.resolve();
    await modal.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await modal.getByRole('status').getByText(sent, { exact: true }).waitFor();
    const back = modal.getByRole('button', { name: 'Back to log in' });
    expect(await back.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await modal.getByRole('button', { name: 'Forgot your password?' }).click();
  }
  await site.mails.linkFor(person.email, 'Set a new password');
  expect(site.mails.arrived.filter(({ to }) => to === unknown.email)).toEqual([]);
});

test('the provider’s "user-not-found" says the same, anything else that it has no connection', async () => {
  const { page } = await open('/about');
  const modal = await openReset(page);
  const answer = (status: number, code: string) =>
    page.route(
      '**/request-password-reset',
      (route) => route.fulfill({ status, json: { error: { code, message: 'x' } } }),
      { times: 1 },
    );
  await answer(500, 'server/failed');
  await field(modal, 'Email').fill(newPerson().email);
  await modal.getByRole('button', { name: 'Send reset link' }).click();
  await modal.getByRole('alert').getByText('No internet connection').waitFor();
  await answer(400, 'auth/user-not-found');
  await modal.getByRole('button', { name: 'Send reset link' }).click();
  await modal.getByText(sent, { exact: true }).waitFor();
});

test('the mailed link sets a new password, once: every device is logged out, and the new one logs in', async () => {
  const { page } = await open('/library');
  const person = await registered(site);
  await logIn(page, person);
  const phone = await open('/about');
  const modal = await openReset(phone.page);
  await field(modal, 'Email').fill(person.email);
  await modal.getByRole('button', { name: 'Send reset link' }).click();
  await modal.getByText(sent).waitFor();
  const link = await site.mails.linkFor(person.email, 'Set a new password');
  expect(link).toContain(`${site.url}/reset-password?token=`);

  await phone.page.goto(link);
  await hydrated(phone.page);
  const password = field(phone.page, 'New password');
  // Password managers save the new password under it.
  const username = phone.page.locator('form input[autocomplete=username]');
  expect([await username.inputValue(), await username.isVisible()]).toEqual([person.email, false]);
  const submit = phone.page.getByRole('button', { name: 'Set password' });
  expect(await submit.isDisabled()).toBe(true);
  await password.focus();
  await password.press('Tab');
  await phone.page.getByText('Please enter a password').waitFor();
  await password.fill('12345');
  await phone.page.getByText('Password is too short').waitFor();
  expect(await submit.isDisabled()).toBe(true);
  await password.fill('a new lullaby');
  await submit.click();
  await phone.page.getByText('Log in with your new password.').waitFor();
  await modalOf(phone.page).getByRole('heading', { name: 'Welcome back' }).waitFor();
  await fillLogIn(modalOf(phone.page), person);
  await modalOf(phone.page).getByText('This combination does not exist. Please try again.').waitFor();
  await fillLogIn(modalOf(phone.page), { ...person, password: 'a new lullaby' });
  await phone.page.getByRole('button', { name: 'Account menu' }).waitFor();
  await site.mails.linkFor(person.email, 'Your password was changed');

  await page.reload();
  await page.getByText('Sign in to see your Library').waitFor();
  await expect.poll(() => keptSession(page)).toBeNull();

  await phone.page.reload();
  await hydrated(phone.page);
  await password.fill('a third lullaby');
  await submit.click();
  await phone.page.getByRole('alert').getByText(spent).waitFor();
});

test('an invalid link and a lost connection show errors; a reset lifts the log-in limit', async () => {
  const { page } = await open('/reset-password?token=nothing-of-ours');
  await field(page, 'New password').fill('a new lullaby');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('alert').getByText('No internet connection').waitFor();
  await page.context().setOffline(false);
  // A proxy's error page says nothing about the link.
  await page.route('**/identity/reset-password', (route) => route.fulfill({ status: 403, body: '<h1>Forbidden</h1>' }));
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('alert').getByText('Something went wrong. Please try again.').waitFor();
  await page.unroute('**/identity/reset-password');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('alert').getByText(spent).waitFor();
  expect(await page.locator('meta[name=robots]').getAttribute('content')).toContain('noindex');
  expect(await page.locator('meta[name=referrer]').getAttribute('content')).toBe('no-referrer');

  const person = await registered(site);
  for (let tries = 0; tries < 10; tries += 1)
    await page.request.post('/identity/sign-in/email', { data: { email: person.email, password: 'wrong' } });
  const modal = await openLogIn(page);
  await fillLogIn(modal, person);
  await modal.getByText(/^Access to this account has been temporarily disabled/).waitFor();
  await page.request.post('/identity/request-password-reset', { data: { email: person.email } });
  await page.goto(await site.mails.linkFor(person.email, 'Set a new password'));
  await hydrated(page);
  await field(page, 'New password').fill('a new lullaby');
  await page.getByRole('button', { name: 'Set password' }).click();
  await fillLogIn(modalOf(page), { ...person, password: 'a new lullaby' });
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
});
