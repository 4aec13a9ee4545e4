import { sql } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  field,
  fillLogIn,
  keptSession,
  logIn,
  logOut,
  modalOf,
  newPerson,
  openLogIn,
  registered,
  sessionCookie,
  visitorOf,
} from '../../support/accounts.ts';
import { hasFocus, openAccount, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, hydrated, useBrowser } from '../../support/browser/browser.ts';
import { startWholeSite } from '../../support/whole-site.ts';
import { slow } from '../../support/tags.ts';

const site = await startWholeSite();
const browser = useBrowser({ images: false });
const open = (path: string) => browser.open(path, visitorOf(site, desktop));

const forUsers = 'Save you favorite audios, playlists, and Creators here.';
const forVisitors = 'Sign in to see your Library';

async function answerTo(page: Page, token: string): Promise<number> {
  const answer = await page.request.get('/v1/api/user/me', { headers: { authorization: `Bearer ${token}` } });
  return answer.status();
}

test('the form can be sent once it is valid; touched fields show what is missing', slow, async () => {
  const { page, quiet } = await open('/about');
  const modal = await openLogIn(page);
  const submit = modal.getByRole('button', { name: 'Log in', exact: true });
  expect(await submit.isDisabled()).toBe(true);
  await expect.poll(() => hasFocus(field(modal, 'Email'))).toBe(true);
  await page.keyboard.press('Tab');
  await modal.getByText('enter email').waitFor();
  expect(await modal.locator('.err').count()).toBe(1);
  await page.keyboard.press('Tab');
  await modal.getByText('enter password').waitFor();
  await field(modal, 'Email').fill('nobody@');
  await modal.getByText('enter valid email').waitFor();
  await field(modal, 'Password').fill('x');
  await expect.poll(() => modal.locator('.err').allTextContents()).toEqual(['enter valid email']);
  expect(await submit.isDisabled()).toBe(true);
  await field(modal, 'Email').fill('nobody@example.org');
  await expect.poll(() => submit.isEnabled()).toBe(true);
  await modal.getByRole('button', { name: 'Show password' }).click();
  expect(await field(modal, 'Password').getAttribute('type')).toBe('text');
  await quiet();
});

test('discreet mode that is switched on here is on where the same account logs in next', slow, async () => {
  const person = await registered(site);
  const here = await openAccount(browser, site, person);
  await here.getByRole('button', { name: 'Menu', exact: true }).click();
  await here.getByRole('menuitemcheckbox', { name: 'Discreet mode' }).click();
  await expect.poll(() => here.title()).toBe('Sotto');

  const { page, quiet } = await open('/about');
  expect(await page.title()).toBe('About · Sotto');
  await logIn(page, person);
  await expect.poll(() => page.title()).toBe('Sotto');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  const choice = page.getByRole('menuitemcheckbox', { name: 'Discreet mode' });
  await expect.poll(() => choice.getAttribute('aria-checked')).toBe('true');
  await page.keyboard.press('Escape');
  await logOut(page);
  // Nobody who later uses this browser can read what it showed.
  await expect.poll(() => page.title()).toBe('Sotto');
  await quiet();
});

test('each refusal shows the text of the specification, and logs nobody in', slow, async () => {
  const { page } = await open('/about');
  const person = await registered(site);
  const suspended = await registered(site);
  await site.db.execute(sql`update users set suspended_at = now() where id = ${suspended.id}`);
  const modal = await openLogIn(page);
  const alertShows = (text: string) => modal.getByRole('alert').getByText(text, { exact: true }).waitFor();

  await fillLogIn(modal, { ...person, password: 'wrong' });
  await alertShows('This combination does not exist. Please try again.');
  await fillLogIn(modal, newPerson());
  await alertShows('This combination does not exist. Please try again.');
  await fillLogIn(modal, suspended);
  await alertShows('This account has been suspended.');
  await page.context().setOffline(true);
  await fillLogIn(modal, person);
  await alertShows('No internet connection');
  await page.context().setOffline(false);
  const fail = (code: string) =>
    page.route(
      '**/v1/api/auth/login',
      (route) => route.fulfill({ status: 500, json: { error: { code, message: 'x' } } }),
      { times: 1 },
    );
  await fail('server/failed');
  await fillLogIn(modal, person);
  await alertShows('Something went wrong. Please try again.');
  await fail('auth/account-exists-with-different-credential');
  await fillLogIn(modal, person);
  await alertShows(
    'An account already exists with the same email address but different sign-in credentials. Please sign in using a provider associated with this email address.',
  );
  expect(await keptSession(page)).toBeNull();

  for (let tries = 0; tries < 10; tries += 1)
    await page.request.post('/identity/sign-in/email', { data: { email: person.email, password: 'wrong' } });
  await fillLogIn(modal, person);
  await alertShows(
    'Access to this account has been temporarily disabled due to many failed login attempts. You can immediately restore it by resetting your password or you can try again later.',
  );
  expect(await sessionCookie(page)).toBeUndefined();
});

test('the button shows progress, and one press is one log-in; then page, storage and cookie belong to the user', async () => {
  const { page, quiet } = await open('/library');
  const person = await registered(site);
  await page.getByText(forVisitors).waitFor();
  const gate = Promise.withResolvers<void>();
  let tries = 0;
  await page.route('**/identity/sign-in/email', async (route) => {
    tries += 1;
    await gate.promise;
    await route.continue();
  });
  const modal = await openLogIn(page);
  await fillLogIn(modal, person);
  const busy = modal.getByRole('button', { name: 'Logging in…' });
  expect(await busy.getAttribute('aria-disabled')).toBe('true');
  await field(modal, 'Password').press('Enter');
  await busy.click({ force: true });
  gate.resolve();
  await page.getByText(forUsers).waitFor();
  await modal.waitFor({ state: 'detached' });
  expect(tries).toBe(1);

  const kept = await keptSession(page);
  expect(kept).toMatchObject({ token: expect.stringMatching(/^[\w-]{43}$/), userId: person.id });
  expect(Math.abs((kept?.lastUpdated ?? 0) - Date.now())).toBeLessThan(60_000);
  expect(await sessionCookie(page)).toMatchObject({
    value: kept?.token,
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
  });
  // Lives as long as the token, which expires 90 days after its last use.
  const ends = ((await sessionCookie(page))?.expires ?? 0) * 1000 - Date.now();
  expect(Math.round(ends / (24 * 60 * 60 * 1000))).toBe(90);
  // The provider's own session ended when it issued its token.
  const cookies = (await page.context().cookies(`${site.url}/identity/token`)).map(({ name }) => name);
  // The theme is the test browser's own.
  expect(cookies.filter((name) => name !== 'sotto_theme')).toEqual(['sotto_session']);
  const menu = page.getByRole('button', { name: 'Account menu' });
  await expect.poll(() => menu.evaluate((button) => button === document.activeElement)).toBe(true);
  await menu.click();
  await page.getByRole('menuitem', { name: 'Account' }).waitFor();
  await quiet();
});

test('a log-out leaves nothing: not here, not in another tab, not at the site; the device keeps its volume', async () => {
  const { page } = await open('/library');
  const person = await registered(site);
  await logIn(page, person);
  const { token = '' } = (await keptSession(page)) ?? {};
  const other = await page.context().newPage();
  await other.goto('/library');
  await hydrated(other);
  await other.getByText(forUsers).waitFor();
  await page.evaluate(() => {
    localStorage.setItem('sotto_player', '{"volume":0.5}');
    localStorage.setItem('sotto.queue', 'x');
    sessionStorage.setItem('sotto.search', 'x');
  });
  const answered = page.waitForResponse('**/v1/api/auth/logout');
  await logOut(page);
  const answer = await answered;
  expect(await answer.headerValue('set-cookie')).toMatch(/^sotto_session=;.*Expires=Thu, 01 Jan 1970 00:00:00 GMT/);
  await page.getByText(forVisitors).waitFor();
  await other.getByText(forVisitors).waitFor();
  await other.getByRole('banner').getByRole('link', { name: 'Get Started' }).waitFor();
  // That page was rendered for the user: nothing of them remains in it, visible or not.
  const left = await other.evaluate(
    (words) => words.filter((word) => document.documentElement.outerHTML.includes(word)),
    [person.id, person.username, person.email, token],
  );
  expect(left).toEqual([]);
  expect(await other.evaluate(() => '__reactRouterContext' in window)).toBe(false);
  expect(await modalOf(page).count()).toBe(0);
  expect(await page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage)].flat())).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^sotto(?!_player$)/)]),
  );
  expect(await page.evaluate(() => localStorage.getItem('sotto_player'))).toContain('0.5');
  expect(await sessionCookie(page)).toBeUndefined();
  expect(await answerTo(page, token)).toBe(401);

  // A log-in in one tab logs in the other.
  await logIn(other, person);
  await page.getByText(forUsers).waitFor();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
});

test('after a log-out, a page that still shows the user does not ask for their news', slow, async () => {
  const { page } = await open('/about');
  // The bell asks once a minute at most.
  await page.addInitScript(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + Number(document.documentElement.dataset['later'] ?? 0);
  });
  await page.reload();
  await logIn(page, await registered(site));
  await page.waitForResponse('**/user/notifications/unread');
  const pageData = Promise.withResolvers<void>();
  await page.context().route(/\.data(\?|$)/, async (route) => {
    await pageData.promise;
    await route.continue();
  });
  const ended = page.waitForResponse('**/v1/api/auth/logout');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await ended;
  await expect.poll(() => keptSession(page)).toBeNull();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.evaluate(() => {
    document.documentElement.dataset['later'] = '120000';
    window.dispatchEvent(new Event('focus'));
  });
  pageData.resolve();
  await page.getByRole('banner').getByRole('link', { name: 'Get Started' }).waitFor();
  expect(asked).not.toContain('/v1/api/user/notifications/unread');
});

test('a log-out that the site does not hear of is one all the same; the next page ends the cookie', slow, async () => {
  const { page } = await open('/library');
  await logIn(page, await registered(site));
  await page.route('**/auth/logout', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect.poll(() => keptSession(page)).toBeNull();
  await page.goto('/library');
  await page.getByText(forVisitors).waitFor();
  await expect.poll(() => sessionCookie(page)).toBeUndefined();
});

test('the token outlasts the cookie: the first script changes the one for the other', slow, async () => {
  const { page, quiet } = await open('/library');
  await logIn(page, await registered(site));
  const before = await keptSession(page);
  await page.context().clearCookies();
  await page.goto('/library');
  await page.getByText(forUsers).waitFor();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
  expect(await sessionCookie(page)).toMatchObject({ value: before?.token });
  // The token of another user, as after a log-in to another account elsewhere: it wins.
  const otherUser = await registered(site);
  const elsewhere = await open('/library');
  await logIn(elsewhere.page, otherUser);
  const theirs = await sessionCookie(elsewhere.page);
  if (theirs !== undefined) await page.context().addCookies([theirs]);
  await page.goto('/library');
  await expect.poll(async () => (await sessionCookie(page))?.value).toBe(before?.token);
  expect((await keptSession(page))?.userId).toBe(before?.userId);
  await quiet();
});

test('an expired or foreign token is dropped silently', slow, async () => {
  const { page } = await open('/library');
  const person = await registered(site);
  await logIn(page, person);
  await site.db.execute(sql`update sessions set expires_at = now() - interval '1 s' where user_id = ${person.id}`);
  await page.reload();
  await page.getByText(forVisitors).waitFor();
  await expect.poll(() => keptSession(page)).toBeNull();
  await expect.poll(() => sessionCookie(page)).toBeUndefined();

  for (const foreign of ['{"token":"of-another-site","lastUpdated":1,"userId":"x"}', '"not a session"', '{']) {
    await page.evaluate((text) => localStorage.setItem('sotto.session', text), foreign);
    await page.reload();
    await hydrated(page);
    await page.getByText(forVisitors).waitFor();
    // Overwritten by the next log-in when nothing could be read of it.
    if (foreign.includes('token')) await expect.poll(() => keptSession(page)).toBeNull();
  }
  expect(await modalOf(page).count()).toBe(0);
  expect(await page.locator('.toast').count()).toBe(0);
  await logIn(page, person);
});

test(
  'the cookie outlasts the token: the page gets it back; a session that ends while a page is open is noticed by its next call',
  slow,
  async () => {
    const { page } = await open('/library');
    const person = await registered(site);
    await logIn(page, person);
    const before = await keptSession(page);
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await page.getByText(forUsers).waitFor();
    await expect.poll(async () => (await keptSession(page))?.token).toBe(before?.token);

    await page.goto('/account');
    await page.getByRole('heading', { name: person.username }).waitFor();
    await site.db.execute(sql`delete from sessions where user_id = ${person.id}`);
    await page.getByRole('radio', { name: 'Green' }).press('Space');
    await page.getByText('Sign in to see your account').waitFor();
    expect(await keptSession(page)).toBeNull();
  },
);

test('with blocked script storage a log-in lasts from page to page, and a log-out ends it', slow, async () => {
  const { page } = await open('/about');
  await page.addInitScript(() => {
    const blocked = {
      get: () => {
        throw new DOMException('blocked', 'SecurityError');
      },
    };
    Object.defineProperty(window, 'localStorage', blocked);
    Object.defineProperty(window, 'sessionStorage', blocked);
  });
  await page.goto('/about');
  await hydrated(page);
  const person = await registered(site);
  await logIn(page, person);
  // Its list of sessions is loaded with the token.
  await page.goto('/account/sessions');
  await page.getByText('This device').waitFor();
  const answered = page.waitForResponse('**/v1/api/auth/logout');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await answered;
  await page.getByText('Sign in to see your account').waitFor();
  await page.goto('/library');
  await page.getByText(forVisitors).waitFor();
  expect(await sessionCookie(page)).toBeUndefined();
});

test('a log-in whose page data fails at first shows the account with the next answer', slow, async () => {
  const { page } = await open('/about');
  const person = await registered(site);
  const modal = await openLogIn(page);
  await page.context().route('**/about.data*', (route) => route.fulfill({ status: 503 }), { times: 1 });
  await fillLogIn(modal, person);
  await seeNotice(page, 'This page could not be refreshed');
  await modal.waitFor({ state: 'detached' });
  await page
    .getByRole('searchbox')
    .or(page.getByRole('combobox', { name: 'Search' }))
    .first()
    .fill('love');
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
});
