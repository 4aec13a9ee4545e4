/** @module-tag slow */
import type { Page } from 'playwright-core';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { setAdmin } from '#domain/identity/operators.ts';
import { sessions, users } from '#domain/identity/tables.ts';
import { operator } from '#domain/kernel/actor.ts';
import { auditEntries, recordChange } from '#domain/kernel/audit.ts';
import { subscriptions } from '#domain/membership/tables.ts';
import { button, hasFocus, seeNotice } from '../../support/browser/account-page.ts';
import {
  agree,
  expectCleanForAxe,
  expectCleanInBothSizes,
  field,
  logIn,
  logOut,
  modalOf,
  newPerson,
  openLogIn,
  openSignUp,
  registered,
  visitorOf,
} from '../../support/accounts.ts';
import { desktop, inBothSizes, mobile, useBrowser } from '../../support/browser/browser.ts';
import { createSession, createVoice } from '../../support/factories.ts';
import { memberState } from '../../support/payments/member-state.ts';
import { allowAs } from '../../support/servers/openid.ts';
import { totpOf } from '../../support/totp.ts';
import { startWholeSite } from '../../support/whole-site.ts';

const site = await startWholeSite({ ADMIN_SECOND_FACTOR: 'required' });
const { db } = site;
const browser = useBrowser({ images: false });

async function newAdmin() {
  const person = await registered(site);
  await setAdmin(db, person.id, true);
  return person;
}

/** A page of an operator whose session has passed a second factor. */
async function openAdmin(path: string, layout = desktop) {
  const person = await newAdmin();
  await db.execute(
    `insert into passkeys (id, user_id, name, credential_id, public_key, counter)
     values (gen_random_uuid(), '${person.id}', 'key', '${person.id}', '', 0)`,
  );
  const storageState = await memberState(site, person.id);
  await db
    .update(sessions)
    .set({ secondFactorAt: new Date(), provenAt: new Date() })
    .where(eq(sessions.userId, person.id));
  return { person, ...(await browser.open(path, { ...visitorOf(site, layout), storageState })) };
}

/** @returns the app's code used by the set-up, and the recovery codes */
async function setUpApp(page: Page): Promise<{ usedCode: string; codes: string[] }> {
  await button(page.locator('main'), 'Set up an authenticator app').click();
  const groups = await page.locator('main code').first().innerText();
  expect(groups).toMatch(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/);
  const key = groups.replaceAll(' ', '');
  expect(
    await page
      .locator('main')
      .getByText(/^\d+ \/ \d+$/)
      .count(),
  ).toBe(0);
  const usedCode = totpOf(key, Date.now());
  await field(page, 'Code').fill(usedCode);
  await button(page.locator('main'), 'Confirm').click();
  await page.getByRole('heading', { name: 'Recovery codes', level: 1 }).waitFor();
  const codes = await page.locator('main ul li').allInnerTexts();
  await button(page.locator('main'), 'I have saved them').click();
  return { usedCode, codes };
}

async function seeOverview(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
}

async function expectNoOverflow(page: Page): Promise<void> {
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0);
}

async function expectCleanAndFitting(page: Page): Promise<void> {
  await expectCleanForAxe(page);
  await expectNoOverflow(page);
}

test('an operator sets up an app before anything else; the next log-in is asked for its code', async () => {
  const person = await newAdmin();
  const { page, quiet } = await browser.open('/', visitorOf(site, desktop));
  await logIn(page, person);
  await page.goto('/admin/users');
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  await expectCleanForAxe(page);
  await button(page.locator('main'), 'Set up an authenticator app').click();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await button(page.locator('main'), 'Copy key').click();
  await seeNotice(page, 'Key copied');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe((await page.locator('main code').first().innerText()).replaceAll(' ', ''));
  // Hidden beside a mouse: it is for the phone that also has the app.
  const link = page.locator('main a[href^="otpauth://totp/"]');
  expect([await link.isVisible(), await link.getAttribute('href')]).toEqual([false, expect.stringContaining(copied)]);
  await button(page.locator('main'), 'Cancel').click();
  const { usedCode, codes } = await setUpApp(page);
  expect(codes).toHaveLength(10);
  await page.getByRole('link', { name: 'Open Admin' }).click();
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();

  await page.goto('/');
  await logOut(page);
  await logIn(page, person);
  await page.goto('/admin/log?area=users');
  await page.getByRole('heading', { name: 'Confirm your identity', level: 1 }).waitFor();
  await page.getByText(`sotto users reset-second-factor ${person.email}`).waitFor();
  await expectCleanForAxe(page);
  await field(page, 'Code').fill(usedCode);
  await field(page, 'Code').press('Enter');
  await page.getByText('This code is wrong or was already used.').waitFor();
  await field(page, 'Code').fill(codes[3] ?? '');
  await field(page, 'Code').press('Enter');
  // The page that was asked for, such as by the link in a mail about reports.
  await page.waitForURL('/admin/log?area=users');
  await page.getByRole('heading', { name: 'Log', level: 1 }).waitFor();
  await quiet([expect.stringContaining('403')]);
});

test('a passkey is added, and opens Admin in the next session', async () => {
  const person = await newAdmin();
  // Passkeys do not work on an IP address.
  const local = { url: site.url.replace('127.0.0.1', 'localhost') };
  const { page, quiet } = await browser.open('/', visitorOf(local, desktop));
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await logIn(page, person);
  await page.goto('/admin');
  await button(page.locator('main'), 'Add a passkey').click();
  await field(page, 'Name').fill('Laptop');
  await button(page.locator('main'), 'Continue').click();
  await page.getByRole('heading', { name: 'Recovery codes', level: 1 }).waitFor();
  await button(page.locator('main'), 'I have saved them').click();
  await page.getByText('Passkey: Laptop').waitFor();

  await page.goto('/');
  await logOut(page);
  await logIn(page, person);
  await page.goto('/admin');
  await button(page.locator('main'), 'Use a passkey').click();
  await seeOverview(page);
  await quiet();
});

test('a sign-in with Google requires the second factor too', async () => {
  const social = { id: String(Math.floor(Math.random() * 1e15)), email: newPerson().email };
  const { username } = newPerson();
  const { page, quiet } = await browser.open('/about', visitorOf(site, desktop));
  const allow = async () => {
    const opened = page.waitForEvent('popup');
    await modalOf(page).getByRole('button', { name: 'Google', exact: true }).click();
    const popup = await opened;
    await popup.getByRole('button', { name: 'Allow' }).waitFor();
    await allowAs(popup, social);
  };
  const modal = await openSignUp(page);
  await allow();
  // The sign-up form has a username too.
  await modal.getByRole('heading', { name: 'Choose a username' }).waitFor();
  await field(modal, 'Username').fill(username);
  await modal.getByText('Available', { exact: true }).waitFor();
  await agree(modal);
  await modal.getByRole('button', { name: 'Continue' }).click();
  await modal.getByRole('heading', { name: `Welcome, ${username}` }).waitFor();
  await page.keyboard.press('Escape');
  await modal.waitFor({ state: 'detached' });
  const [account] = await db.select({ id: users.id }).from(users).where(eq(users.email, social.email));
  await setAdmin(db, account?.id ?? '', true);
  await page.goto('/admin');
  const { codes } = await setUpApp(page);

  await page.goto('/about');
  await logOut(page);
  await openLogIn(page);
  await allow();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
  // A code that is entered before the scripts are there counts, too.
  await page.evaluate(async () => {
    for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister();
  });
  const pressed = Promise.withResolvers<void>();
  await page.route('**/*.js', async (route) => {
    await pressed.promise;
    await route.continue();
  });
  await page.goto('/admin', { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Confirm your identity', level: 1 }).waitFor();
  await field(page, 'Code').fill(codes[0] ?? '');
  await field(page, 'Code').press('Enter');
  pressed.resolve();
  await seeOverview(page);
  await quiet();
});

test('a user is found and gets months, which are taken back; the log shows both', async () => {
  const { person, page, quiet } = await openAdmin('/admin/users', mobile);
  const user = await registered(site);
  await inBothSizes(page, () => expectCleanAndFitting(page));
  await page.getByRole('searchbox', { name: 'Search users' }).fill(user.email.slice(0, 12));
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: user.username, exact: true }).click();
  await page.getByRole('heading', { name: user.username, level: 1 }).waitFor();
  await page.getByText(`What ${user.username} listens to, keeps or searches is not shown here`).waitFor();
  await inBothSizes(page, () => expectCleanAndFitting(page));

  await button(page.locator('main'), 'Give months').first().press('Enter');
  await page.getByRole('spinbutton', { name: 'Months' }).fill('3');
  await field(page, 'Reason').fill('Charged twice in October');
  await page.getByRole('form', { name: 'Give months' }).getByRole('button', { name: 'Give months' }).press('Enter');
  await page.getByText('3 months given', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await seeNotice(page, 'The months were taken back');
  await page.getByText('3 months taken back').waitFor();

  await page.goto(`/admin/log?who=${person.username}`);
  const entry = page.locator('details').filter({ hasText: `gave months to ${user.username}` });
  await entry.locator('summary').press('Enter');
  await entry.getByText('Charged twice in October').waitFor();
  await inBothSizes(page, () => expectCleanAndFitting(page));
  await quiet();
});

test('a suspension asks for a reason and the name, and ends the session', async () => {
  const user = await registered(site);
  const theirs = await browser.open('/', {
    ...visitorOf(site, desktop),
    storageState: await memberState(site, user.id),
  });
  const { page, quiet } = await openAdmin(`/admin/users/${user.id}`);
  await button(page.locator('main'), 'Suspend').click();
  const form = page.getByRole('form', { name: `Suspend ${user.username}` });
  const suspend = form.getByRole('button', { name: `Suspend ${user.username}` });
  expect(await suspend.isDisabled()).toBe(true);
  await form.getByRole('combobox', { name: 'Reason' }).selectOption('Spam');
  await field(form, `Type ${user.username} to confirm`).fill(user.username);
  await expectCleanInBothSizes(page);
  await suspend.click();
  await page.getByText('Suspended for').waitFor();
  expect(await site.site.identity.listSessions(user.id, '')).toEqual([]);
  await theirs.page.reload();
  expect(await theirs.page.getByRole('button', { name: 'Account menu' }).count()).toBe(0);

  // The payment provider did not answer: the renewal is still on, and the page offers what its notice says.
  const again = button(page.locator('main'), 'Suspend again, to stop the renewal');
  expect(await again.count()).toBe(0);
  const [periodEndsAt, plan] = [new Date(Date.now() + 10 * 86_400_000), { amount: 799, currency: 'usd' }];
  await db.insert(subscriptions).values({
    userId: user.id,
    subscriptionId: 'sub_renews',
    status: 'active',
    period: 'month',
    startedAt: new Date(),
    periodEndsAt,
    ...plan,
  });
  await page.reload();
  await again.click();
  await form.getByText('The renewal on').waitFor();
  await db.delete(subscriptions).where(eq(subscriptions.userId, user.id));
  await page.reload();

  await button(page.locator('main'), 'Lift the suspension').click();
  await button(page.locator('main'), 'Suspend').waitFor();
  await quiet();
});

test('the overview shows how the site is doing', async () => {
  const { page, quiet } = await openAdmin('/admin', mobile);
  await seeOverview(page);
  await page.getByRole('heading', { name: 'System health' }).waitFor();
  await inBothSizes(page, () => expectCleanAndFitting(page));
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoOverflow(page);
  await quiet();
});

test('acts that grant power ask for identity after ten minutes, and then run', async () => {
  const { person, page, quiet } = await openAdmin('/admin/second-factor');
  const { key } = await setUpAppBesides(page);
  const user = await registered(site);
  await page.goto(`/admin/users/${user.id}`);
  await page.getByRole('heading', { name: user.username, level: 1 }).waitFor();
  await db
    .update(sessions)
    .set({ provenAt: new Date(Date.now() - 11 * 60_000) })
    .where(eq(sessions.userId, person.id));
  await button(page.locator('main'), 'Make admin').click();
  const modal = modalOf(page);
  await modal.getByRole('heading', { name: 'Confirm your identity' }).waitFor();
  await expectCleanForAxe(page, '.modal');
  // The next step's code, because the set-up used this one.
  await field(modal, 'Code').fill(totpOf(key, Date.now() + 30_000));
  await field(modal, 'Code').press('Enter');
  await seeNotice(page, `${user.username} is now an admin`);
  const made = await db.select().from(auditEntries).where(eq(auditEntries.action, 'user.make-admin'));
  expect(made.filter(({ subjectId }) => subjectId === user.id)).toMatchObject([{ actorId: person.id }]);
  await quiet([expect.stringContaining('403')]);
});

/** For somebody who has a passkey already. */
async function setUpAppBesides(page: Page): Promise<{ key: string }> {
  await button(page.locator('main'), 'Set up an authenticator app').click();
  const key = (await page.locator('main form code').innerText()).replaceAll(' ', '');
  await field(page, 'Code').fill(totpOf(key, Date.now()));
  await button(page.locator('main'), 'Confirm').click();
  await button(page.locator('main'), 'Remove the authenticator app').waitFor();
  return { key };
}

test('anything is found from everywhere by the slash key, without a mouse', async () => {
  const { page, quiet } = await openAdmin('/admin');
  await createVoice(db, { name: 'Quentin Ashgrove', slug: `quentin-${crypto.randomUUID().slice(0, 8)}` });
  const user = await registered(site);
  const link = page.getByRole('link', { name: 'Series', exact: true });
  await link.focus();
  await page.keyboard.press('/');
  const find = page.getByRole('combobox', { name: 'Find a page, a user or content' });
  await page.keyboard.type('quent');
  await page.getByRole('option', { name: /Quentin Ashgrove/ }).waitFor();
  await expectCleanForAxe(page);
  await page.keyboard.press('Escape');
  expect(await find.inputValue()).toBe('');
  expect(await hasFocus(link)).toBe(true);
  await page.keyboard.press('/');
  await page.keyboard.type('code');
  await page.getByRole('option', { name: 'Promo codes Page' }).waitFor();
  await find.fill(user.username);
  await page.getByRole('option', { name: new RegExp(user.username) }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: user.username, level: 1 }).waitFor();
  await quiet();
});

test('the log is saved as CSV, by operators only', async () => {
  const subject = { type: 'tag', id: 'x', name: 'Rain' };
  await recordChange(db, { actor: operator, role: 'operator', action: 'tag.edit', subject });
  const { page, quiet } = await openAdmin('/admin/log');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV' }).click();
  const path = await (await downloading).path();
  const { readFile } = await import('node:fs/promises');
  expect(await readFile(path, 'utf8')).toMatch(
    /^\uFEFFTime \(UTC\),Who,Role,Act,Kind,Name,Id,Voice,Before,After,Address\r\n/,
  );
  // The search and the filters are in the address, which the CSV uses too; each can be removed.
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('nothing like it');
  await page.getByText('No results found').waitFor();
  await page.locator('summary', { hasText: 'Filter' }).click();
  await page.getByRole('combobox', { name: 'Who' }).selectOption('people');
  await button(page, 'Show entries').click();
  await page.getByRole('link', { name: 'Remove the filter Who' }).waitFor();
  const csv = page.getByRole('link', { name: 'CSV' });
  expect(await csv.getAttribute('href')).toBe('/admin/log.csv?q=nothing+like+it&by=people');
  await page.getByRole('link', { name: 'Remove the filter Who' }).click();
  await expect.poll(() => csv.getAttribute('href')).toBe('/admin/log.csv?q=nothing+like+it');
  await page.goBack();
  await page.getByRole('link', { name: 'Remove the filter Who' }).waitFor();
  await page.getByRole('link', { name: 'Remove filters' }).click();
  await page.getByText('No results found').waitFor({ state: 'detached' });
  expect(await csv.getAttribute('href')).toBe('/admin/log.csv');
  await quiet();
  for (const address of ['/admin', '/admin/users', '/admin/log', '/admin/log.csv', '/admin/second-factor']) {
    const member = await registered(site);
    const { token } = await createSession(db, member.id);
    const cookie = `sotto_session=${token}`;
    expect([address, (await fetch(`${site.url}${address}`)).status]).toEqual([address, 404]);
    expect([address, (await fetch(`${site.url}${address}`, { headers: { cookie } })).status]).toEqual([address, 404]);
  }
});
