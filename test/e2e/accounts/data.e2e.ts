/** @module-tag slow */
import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { operator } from '#domain/kernel/actor.ts';
import { formatDay } from '#formats/times.ts';
import { memberships } from '#domain/membership/tables.ts';
import { button, hasFocus, logInOnAccount, openAccount, seeNotice } from '../../support/browser/account-page.ts';
import {
  agree,
  expectCleanForAxe,
  expectCleanInBothSizes,
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
import { desktop, hydrated, mobile, useBrowser } from '../../support/browser/browser.ts';
import { createUserPlaylist } from '../../support/factories.ts';
import { allowAs } from '../../support/servers/openid.ts';
import { startWholeSite } from '../../support/whole-site.ts';

const site = await startWholeSite();
const browser = useBrowser({ images: false });
const open = (path: string) => browser.open(path, visitorOf(site, desktop));

describe('the sessions', () => {
  test('name this device and the others; one is ended alone, or all of them with this one', async () => {
    const person = await registered(site);
    const page = await openAccount(browser, site, person, desktop, 'sessions');
    const phone = await openAccount(browser, site, person, mobile);
    await page.reload();
    const sessions = page.getByRole('region', { name: 'Sessions' });
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(2);
    expect(await sessions.getByText('This device').count()).toBe(1);
    await sessions.getByRole('button', { name: /^Log out of / }).click();
    await seeNotice(page, /^Logged out of /);
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
    await phone.reload();
    await phone.getByRole('heading', { name: 'Sign in to see your account' }).waitFor();

    await logInOnAccount(phone, person);
    await button(page, 'Log out everywhere').click();
    await modalOf(page).getByRole('button', { name: 'Stay logged in' }).click();
    await modalOf(page).waitFor({ state: 'detached' });
    await button(page, 'Log out everywhere').click();
    await expectCleanForAxe(page, '.modal');
    await modalOf(page).getByRole('button', { name: 'Log out everywhere' }).click();
    await page.getByRole('heading', { name: 'Sign in to see your account' }).waitFor();
    expect(await keptSession(page)).toBeNull();
    await phone.reload();
    await phone.getByRole('heading', { name: 'Sign in to see your account' }).waitFor();
  });
});

describe('the data', () => {
  test('are packed into one file of JSON, without a secret', async () => {
    const person = await registered(site);
    await createUserPlaylist(site.db, { userId: person.id, title: 'For the train' });
    const page = await openAccount(browser, site, person, desktop, 'data');
    const downloaded = page.waitForEvent('download');
    await button(page, 'Download your data').click();
    const download = await downloaded;
    expect(download.suggestedFilename()).toBe('my-data.zip');
    const files = unzipSync(await readFile(await download.path()));
    const texts = Object.values(files).map((file) => strFromU8(file));
    expect(Object.keys(files).every((name) => name.endsWith('.json'))).toBe(true);
    for (const text of texts) JSON.parse(text);
    const all = texts.join('');
    for (const part of [person.email, person.username, 'For the train']) expect(all).toContain(part);
    expect(all).not.toMatch(/argon2|token_?hash/i);
    await seeNotice(page, 'Your data is downloaded');
  });

  test('an account is deleted by its password, and leaves its owner a visitor on the front page', async () => {
    const person = await registered(site);
    await site.db
      .insert(memberships)
      .values({ userId: person.id, giftUntil: new Date(`${new Date().getUTCFullYear() + 1}-04-01T12:00:00Z`) });
    const page = await openAccount(browser, site, person, desktop, 'data');
    await button(page, 'Delete account').click();
    const modal = modalOf(page);
    await modal.getByRole('heading', { name: 'Delete your account' }).waitFor();
    await modal
      .getByText(/are deleted at once\. Your gift time until 1 April \d{4} is lost\. This cannot be undone\.$/)
      .waitFor();
    const submit = modal.getByRole('button', { name: 'Delete account' });
    expect(await submit.isDisabled()).toBe(true);
    // A press outside does not answer such a question.
    await page.mouse.click(20, 500);
    expect(await modal.count()).toBe(1);
    await expectCleanForAxe(page, '.modal');
    await modal.getByRole('button', { name: 'Keep it' }).click();
    await modal.waitFor({ state: 'detached' });
    expect(await hasFocus(button(page, 'Delete account'))).toBe(true);
    await button(page, 'Delete account').click();
    await field(modal, 'Password').fill('wrong');
    await submit.click();
    await modal.getByText('Password invalid').waitFor();
    await field(modal, 'Password').fill(person.password);
    await submit.click();
    await page.waitForURL((url) => url.pathname === '/');
    await seeNotice(page, 'Your account is deleted');
    await page.getByRole('banner').getByRole('link', { name: 'Get Started' }).waitFor();
    expect(await keptSession(page)).toBeNull();
    await fillLogIn(await openLogIn(page), person);
    await modal.getByText('This combination does not exist. Please try again.').waitFor();
    expect((await page.request.get(`/account/${person.id}`)).status()).toBe(404);
  });

  test('a deletion that an operator has planned is shown on every page of the account, until it is taken back', async () => {
    const person = await registered(site);
    const planned = await site.site.admin.people.planDeletion(operator, person.id, { reason: 'Spam' });
    const day = formatDay(planned.ok ? planned.dueAt : new Date());
    const page = await openAccount(browser, site, person, mobile);
    const note = page.locator('main').getByRole('alert').getByText(`Your account will be deleted on ${day}.`);
    await note.waitFor();
    await expectCleanInBothSizes(page);
    await page
      .locator('main')
      .getByText(/answer the email that you got about it before that day/)
      .waitFor();
    await page.locator('main').getByRole('link', { name: 'download your data' }).click();
    await button(page, 'Download your data').waitFor();
    expect(await note.count()).toBe(1);
    await site.site.admin.people.takeDeletionBack(operator, person.id);
    await page.reload();
    await button(page, 'Download your data').waitFor();
    expect(await note.count()).toBe(0);
  });

  test('an account without a password is deleted by signing in once more, as the same person', async () => {
    const { page } = await open('/account');
    const modal = modalOf(page);
    const person = newPerson();
    const signIn = async (name: string, id: string) => {
      const opened = page.waitForEvent('popup');
      await modal.getByRole('button', { name, exact: true }).click();
      await allowAs(await opened, { id, email: id === person.email ? person.email : `other-${person.email}` });
    };
    await button(page.locator('main'), 'Log in').click();
    await signIn('Google', person.email);
    await field(modal, 'Username').fill(person.username);
    await agree(modal);
    await modal.getByRole('button', { name: 'Continue' }).click();
    await modal.getByRole('button', { name: 'Continue in the browser' }).click();
    await page.getByText('None: you sign in with Google or Facebook').waitFor();
    await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Your data' }).click();

    await button(page, 'Delete account').click();
    await modal.getByText('Sign in once more to show that it is yours.').waitFor();
    await signIn('Delete with Google', 'somebody-else');
    await modal
      .getByRole('alert')
      .getByText('That is not the account you are logged in with. Please try again.')
      .waitFor();
    await signIn('Delete with Google', person.email);
    await seeNotice(page, 'Your account is deleted');
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await keptSession(page)).toBeNull();
  });
});

test('the public profile shows the name and what is shared, and nothing else', async () => {
  const person = await registered(site);
  const { page, quiet } = await open(`/account/${person.id}`);
  await page.getByRole('heading', { name: person.username, level: 1 }).waitFor();
  await page.getByText('No playlists yet').waitFor();
  expect(await page.content()).not.toContain(person.email);
  await createUserPlaylist(site.db, { userId: person.id, title: 'For the train' });
  await createUserPlaylist(site.db, { userId: person.id, title: 'For nobody', isPublic: false });
  await expect.poll(async () => (await page.reload(), page.getByText('For the train').count())).toBeGreaterThan(0);
  expect(await page.content()).not.toContain('For nobody');
  expect(await page.getByText('This is what others see of you.').count()).toBe(0);
  await hydrated(page);
  await logIn(page, person);
  await page.getByText('This is what others see of you.').waitFor();
  await page.getByRole('link', { name: 'Go to your account' }).click();
  await page.waitForURL('**/account');
  await page.getByRole('link', { name: 'Open public profile' }).click();
  await page.waitForURL(`**/account/${person.id}`);
  await expectCleanForAxe(page);
  await quiet();
});
