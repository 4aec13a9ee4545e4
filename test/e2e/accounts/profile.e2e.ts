/** @module-tag slow */
import { describe, expect, test } from 'vitest';
import { expectToFit } from '../../support/admin-site.ts';
import {
  button,
  hasFocus,
  logInOnAccount,
  openAccount,
  openForm,
  seeNotice,
} from '../../support/browser/account-page.ts';
import {
  expectCleanForAxe,
  expectCleanInBothLooks,
  field,
  keptSession,
  logIn,
  modalOf,
  newPerson,
  registered,
  visitorOf,
} from '../../support/accounts.ts';
import { desktop, hydrated, inBothSizes, mobile, useBrowser } from '../../support/browser/browser.ts';
import { startWholeSite } from '../../support/whole-site.ts';

const site = await startWholeSite();
const browser = useBrowser({ images: false });
const open = (path: string) => browser.open(path, visitorOf(site, desktop));

test('a visitor is asked to sign in, and gets the account on the same page', async () => {
  const { page, quiet } = await open('/account');
  await page.getByRole('heading', { name: 'Sign in to see your account' }).waitFor();
  expect(await page.locator('meta[name=robots]').getAttribute('content')).toContain('noindex');
  await page.locator('main').getByRole('button', { name: 'Get Started' }).click();
  await modalOf(page).getByRole('heading', { name: 'Create your account' }).waitFor();
  await page.keyboard.press('Escape');
  await modalOf(page).waitFor({ state: 'detached' });
  const person = await registered(site);
  await logIn(page, person);
  await page.getByRole('heading', { name: person.username, level: 1 }).waitFor();
  await page.getByText(person.email).waitFor();
  await quiet();
});

describe('the profile', () => {
  test('username: unchanged it asks and saves nothing; taken it says so; saved it is everywhere', async () => {
    const person = await registered(site);
    const page = await openAccount(browser, site, person);
    const calls: string[] = [];
    page.on('request', (request) => {
      if (/\/auth\/username\/|\/user\/profile/.test(request.url())) calls.push(request.method());
    });
    const edit = await openForm(page, 'Edit username');
    const username = field(edit, 'Username');
    expect(await username.inputValue()).toBe(person.username);
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.waitFor({ state: 'detached' });
    expect(await hasFocus(button(page, 'Edit username'))).toBe(true);
    await openForm(page, 'Edit username');
    await page.keyboard.press('Escape');
    await edit.waitFor({ state: 'detached' });
    expect(await hasFocus(button(page, 'Edit username'))).toBe(true);
    expect(calls).toEqual([]);

    await openForm(page, 'Edit username');
    await username.fill((await registered(site)).username);
    await edit.getByText('This username is unavailable').waitFor();
    expect(await edit.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await username.fill('');
    await username.press('Tab');
    await edit.getByText('Please enter username').waitFor();
    const next = newPerson().username;
    await username.fill(next);
    await edit.getByText('Available', { exact: true }).waitFor();
    await edit.getByRole('button', { name: 'Save' }).click();
    await seeNotice(page, 'Username saved');
    await page.getByRole('heading', { name: next, level: 1 }).waitFor();
  });

  test('avatar: a letter, whatever is pasted, and a color, which the header shows at once', async () => {
    const person = await registered(site);
    const page = await openAccount(browser, site, person);
    const avatar = page.getByRole('button', { name: 'Account menu' });
    expect((await avatar.textContent())?.trim()).toBe('N');
    const edit = await openForm(page, 'Edit avatar letter');
    await field(edit, 'Avatar letter').fill('zzz');
    await button(edit, 'Save').click();
    await seeNotice(page, 'Avatar letter saved');
    await expect.poll(async () => (await avatar.textContent())?.trim()).toBe('Z');

    const colors = [
      ['Yellow', 'rgb(227, 203, 127)'],
      ['Blue', 'rgb(147, 183, 234)'],
    ] as const;
    for (const [name, tone] of colors) {
      await page.getByRole('radio', { name }).press('Space');
      await expect
        .poll(() => avatar.locator('.avatar').evaluate((letter) => getComputedStyle(letter).backgroundColor))
        .toBe(tone);
      expect(await page.getByRole('radio', { name }).isChecked()).toBe(true);
    }
    await seeNotice(page, 'Avatar color saved');
    await page.reload();
    expect(await page.getByRole('radio', { name: 'Blue' }).isChecked()).toBe(true);
    expect((await avatar.textContent())?.trim()).toBe('Z');
  });

  test('password: who knows the old one sets a new one, and every other device is logged out', async () => {
    const person = await registered(site);
    const page = await openAccount(browser, site, person);
    const elsewhere = await openAccount(browser, site, person, mobile);
    const before = await keptSession(page);
    const edit = await openForm(page, 'Change password');
    const save = edit.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await page.keyboard.press('Tab');
    await edit.getByText('Please enter a password').waitFor();
    await field(edit, 'New password').fill('12345');
    await field(edit, 'New password').press('Tab');
    await edit.getByText('Password is too short').waitFor();
    await field(edit, 'New password').fill('a new lullaby');
    await field(edit, 'Current password').fill('wrong');
    await save.click();
    await edit.getByText('Password invalid').waitFor();
    await field(edit, 'Current password').fill(person.password);
    await save.click();
    await seeNotice(page, 'Password changed. All other devices are logged out.');
    expect((await keptSession(page))?.token).not.toBe(before?.token);
    await page.reload();
    await page.getByRole('heading', { name: person.username, level: 1 }).waitFor();
    await page.getByText(/^Last changed in /).waitFor();
    await elsewhere.reload();
    await elsewhere.getByRole('heading', { name: 'Sign in to see your account' }).waitFor();
    await site.mails.linkFor(person.email, 'Your password was changed');
    await logInOnAccount(elsewhere, { ...person, password: 'a new lullaby' });
  });

  test('e-mail: nothing changes before the link to the new address is followed, and confirmed there by a press', async () => {
    const person = await registered(site);
    const page = await openAccount(browser, site, person);
    const next = newPerson().email;
    const edit = await openForm(page, 'Edit email');
    await page.keyboard.press('Tab');
    await edit.getByText('Please enter email').waitFor();
    await field(edit, 'New email').fill('nobody');
    await edit.getByText('Enter a valid email address').waitFor();
    await field(edit, 'New email').fill(next);
    await field(edit, 'Password').fill('wrong');
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.getByText('Password invalid').waitFor();
    await field(edit, 'Password').fill(person.password);
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.waitFor({ state: 'detached' });
    await page.getByText(`Follow the link that was sent to ${next} to make the change.`).waitFor();
    await page.getByText(person.email).waitFor();

    const link = await site.mails.linkFor(next, 'Confirm your new email address');
    const { page: inbox } = await open('/about');
    await inbox.goto(link);
    await hydrated(inbox);
    await expectCleanForAxe(inbox);
    await page.reload();
    await page.getByText(person.email).waitFor();
    await button(inbox, 'Confirm email').click();
    await inbox.getByText(`From now on you log in with ${next}.`).waitFor();
    await page.reload();
    await page.getByText(next).waitFor();
    await site.mails.linkFor(person.email, 'Your email address was changed');

    await inbox.goto(link);
    await hydrated(inbox);
    await button(inbox, 'Confirm email').click();
    await inbox.getByRole('alert').getByText('This link was already used or has expired.').waitFor();
    await logIn(inbox, { ...person, email: next });
  });
});

test('the account is clean for axe, with every form open and in each of its parts, in both sizes and themes', async () => {
  const page = await openAccount(browser, site, await registered(site), mobile);
  const parts = page.getByRole('navigation', { name: 'Account' });
  await expectCleanInBothLooks(page);
  await parts.getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  for (const name of ['Edit username', 'Edit email', 'Change password', 'Edit avatar letter']) {
    await openForm(page, name);
  }
  await expectCleanInBothLooks(page);
  await inBothSizes(page, () => expectToFit(page));

  for (const part of ['Subscription', 'Gift cards', 'Sessions', 'Hidden', 'Blocked users', 'Analytics', 'Your data']) {
    await page.locator('main').getByRole('link', { name: 'Account' }).click();
    await parts.getByRole('link', { name: part }).click();
    const heading = page.getByRole('heading', { name: part, level: 1 });
    await expect.poll(() => hasFocus(heading)).toBe(true);
    expect(await page.title()).toBe(`${part} · Sotto`);
    if (part === 'Sessions') await page.getByText('This device').waitFor();
    await expectCleanInBothLooks(page);
  }
  // On a desktop the parts are side by side.
  await page.setViewportSize(desktop.viewport);
  await parts.getByRole('link', { name: 'Sessions' }).click();
  const heading = page.getByRole('heading', { name: 'Sessions', level: 1 });
  await expect.poll(() => hasFocus(heading)).toBe(true);
});
