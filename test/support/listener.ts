import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { newPerson } from './accounts.ts';
import { hydrated, sound } from './browser.ts';
import type { useBrowser } from './browser.ts';

export type Listener = { email: string; password: string };

/** A new account of the demo site. */
export async function newListener(): Promise<Listener> {
  const person = newPerson();
  const answer = await fetch(new URL('/v1/api/auth/register', inject('siteUrl')), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...person, tac: true, legal: true }),
  });
  if (!answer.ok) throw new Error(`Registering was answered with ${answer.status}: ${await answer.text()}`);
  return person;
}

/** A browser of this listener's, at a page; each has a device of its own. */
export async function openAs(
  browser: ReturnType<typeof useBrowser>,
  listener: Listener,
  path: string,
  options?: BrowserContextOptions,
) {
  // A page without a preview to sign in at: what the player does there is nobody's.
  const opened = await browser.open('/about', options);
  await signIn(opened.page, listener);
  await opened.page.goto(path);
  await hydrated(opened.page);
  await opened.page.getByRole('button', { name: 'Account menu' }).waitFor();
  return opened;
}

/** As the log-in window does it, without the window. */
export async function signIn(page: Page, { email, password }: Listener): Promise<void> {
  await page.evaluate(
    async ({ email, password }) => {
      const post = async (path: string, body: object) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
        if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
        return (await answer.json()) as Record<string, unknown>;
      };
      await post('/identity/sign-in/email', { email, password });
      const { token: firebaseIdtoken } = (await (await fetch('/identity/token')).json()) as { token: string };
      await post('/identity/sign-out', {});
      const { token, user } = (await post('/v1/api/auth/login', { firebaseIdtoken })) as {
        token: string;
        user: { id: string };
      };
      const kept = { token, lastUpdated: Date.now(), userId: user.id };
      localStorage.setItem('sotto.session', JSON.stringify(kept));
    },
    { email, password },
  );
}

/** One call of the API, as this page's listener. */
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

/** It sounds, and has come further than this second. */
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

/** What plays, as the bar names it. */
export async function nowPlaying(page: Page): Promise<string> {
  return (await bar(page).locator('.pl__t').textContent()) ?? '';
}

/** Titles of what comes next, in the open queue. */
export function upNext(page: Page): Promise<string[]> {
  return page.getByRole('region', { name: 'Up Next' }).locator('.row__t').allTextContents();
}

export async function openQueue(page: Page): Promise<void> {
  await hydrated(page);
  await page.keyboard.press('q');
  await page.getByRole('heading', { name: 'Your Queue' }).waitFor();
  await page.getByRole('region', { name: 'Your Queue' }).waitFor();
}
