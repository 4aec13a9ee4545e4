import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { newPerson } from './accounts.ts';
import { type PageOptions, type useBrowser, desktop, hydrated, newAddress, sound } from './browser/browser.ts';

export type Listener = { email: string; password: string };

/** A new account of the demo site. */
export async function newListener(): Promise<Listener & { username: string }> {
  const person = newPerson();
  const answer = await fetch(new URL('/v1/api/auth/register', inject('siteUrl')), {
    method: 'POST',
    // The site takes a few accounts an hour from one address.
    headers: { 'content-type': 'application/json', 'x-forwarded-for': newAddress() },
    body: JSON.stringify({ ...person, tac: true, legal: true }),
  });
  if (!answer.ok) throw new Error(`Registering was answered with ${answer.status}: ${await answer.text()}`);
  return person;
}

const admin = { email: 'admin@sotto.example', password: 'adminadmin' };

/** A new account of the demo site with gift time, so with no limits, devices or queue that other tests share. */
export async function newSubscriber(): Promise<Listener> {
  const person = await newListener();
  const [{ userId }, { token }] = await Promise.all([logIn(person), logIn(admin)]);
  const answer = await fetch(new URL(`/v1/api/admin/users/${userId}/months`, inject('siteUrl')), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ months: 1, reason: 'For a test' }),
  });
  if (!answer.ok) throw new Error(`Giving a month was answered with ${answer.status}: ${await answer.text()}`);
  return person;
}

/** Opens a page in a browser context of this listener, with its own session and device. */
export async function openPageAs(
  browser: ReturnType<typeof useBrowser>,
  listener: Listener,
  path: string,
  options: PageOptions = desktop,
) {
  const { state } = await logIn(listener, options.baseURL);
  return browser.open(path, { ...options, storageState: state });
}

/** A page with the account menu, which Studio pages do not have. */
export async function openAs(...args: Parameters<typeof openPageAs>) {
  const opened = await openPageAs(...args);
  await opened.page.getByRole('button', { name: 'Account menu' }).waitFor();
  // The server knows the user by the cookie, before the page has its token.
  await opened.page.waitForFunction(() => localStorage.getItem('sotto.session') !== null);
  return opened;
}

/** The cookies of a new session, as a header. */
export async function cookieOf(listener: Listener, siteUrl?: string): Promise<string> {
  const { state } = await logIn(listener, siteUrl);
  return state.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

/** Logs in with the calls of the log-in modal. */
export async function signIn(page: Page, listener: Listener, siteUrl?: string): Promise<void> {
  const { state } = await logIn(listener, siteUrl);
  await page.context().addCookies(state.cookies);
  for (const { name, value } of state.origins.flatMap(({ localStorage }) => localStorage))
    await page.evaluate(([name, value]) => localStorage.setItem(name, value), [name, value] as const);
}

/** The calls of the log-in modal. @returns the stored session */
async function logIn({ email, password }: Listener, siteUrl = inject('siteUrl')) {
  const { origin, hostname } = new URL(siteUrl);
  const ask = async (path: string, init: RequestInit) => {
    const headers = { 'content-type': 'application/json', origin, ...init.headers };
    const answer = await fetch(new URL(path, siteUrl), { ...init, headers });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
    return answer;
  };
  const post = (path: string, body: object) => ask(path, { method: 'POST', body: JSON.stringify(body) });
  const cookie = cookiesOf(await post('/identity/sign-in/email', { email, password }))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
  const { token: firebaseIdtoken } = (await (await ask('/identity/token', { headers: { cookie } })).json()) as {
    token: string;
  };
  await ask('/identity/sign-out', { method: 'POST', headers: { cookie }, body: '{}' });
  const answer = await post('/v1/api/auth/login', { firebaseIdtoken });
  const { token, user } = (await answer.json()) as { token: string; user: { id: string } };
  const kept = JSON.stringify({ token, lastUpdated: Date.now(), userId: user.id });
  return {
    token,
    userId: user.id,
    state: {
      cookies: cookiesOf(answer).map((one) => ({
        ...one,
        domain: hostname,
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: false,
        sameSite: 'Lax' as const,
      })),
      origins: [{ origin, localStorage: [{ name: 'sotto.session', value: kept }] }],
    },
  };
}

function cookiesOf(answer: Response): { name: string; value: string }[] {
  return answer.headers.getSetCookie().map((line) => {
    const [pair = ''] = line.split(';', 1);
    const end = pair.indexOf('=');
    return { name: pair.slice(0, end), value: pair.slice(end + 1) };
  });
}

/** Clears the history, so that tests can share a listener. */
export async function clearHistory(listener: Listener): Promise<void> {
  const { token } = await logIn(listener);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(new URL('/v1/api/history/me', inject('siteUrl')), { method: 'DELETE', headers });
  expect(answer.status).toBe(204);
}

/** Calls the API as this page's listener. */
export function call(page: Page, method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  return page.evaluate(
    async ({ method, path, body, headers }) => {
      const { token } = JSON.parse(localStorage.getItem('sotto.session') ?? '{}') as { token?: string };
      const answer = await fetch(`/v1/api${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, data: (text === '' ? undefined : JSON.parse(text)) as never };
    },
    { method, path, body, headers },
  );
}

export const bar = (page: Page) => page.getByRole('region', { name: 'Player' });

/** Waits until playback passes this second. */
export async function playing(page: Page, beyond = 0.2): Promise<void> {
  await expect.poll(async () => (await sound(page)).time, { timeout: 15_000 }).toBeGreaterThan(beyond);
  expect((await sound(page)).paused).toBe(false);
}

export async function pressPlayAll(page: Page): Promise<void> {
  await page
    .locator('main')
    .getByRole('button', { name: /^(Play|Resume)/ })
    .first()
    .click();
  await playing(page);
}

/** The title in the player bar. */
export async function nowPlaying(page: Page): Promise<string> {
  return (await bar(page).locator('.player__title').textContent()) ?? '';
}

/** Titles of the next audios in the open queue. */
export function upNext(page: Page): Promise<string[]> {
  return page.getByRole('region', { name: 'Up Next' }).locator('.row__title').allTextContents();
}

export async function openQueue(page: Page): Promise<void> {
  await hydrated(page);
  await page.keyboard.press('q');
  await page.getByRole('heading', { name: 'Your Queue' }).waitFor();
  await page.getByRole('region', { name: 'Your Queue' }).waitFor();
}
