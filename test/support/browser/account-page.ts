import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Db } from '#domain/kernel/db.ts';
import { type Member, fillLogIn, modalOf, visitorOf } from '../accounts.ts';
import { type useBrowser, desktop } from './browser.ts';
import { memberState } from '../payments/member-state.ts';

/** Opens a user's account page, or a part of it, in a new browser context with a session. */
export async function openAccount(
  browser: ReturnType<typeof useBrowser>,
  { url, db }: { url: string; db: Db },
  person: Member,
  layout: BrowserContextOptions = desktop,
  part?: 'profile' | 'subscription' | 'gift-cards' | 'sessions' | 'analytics' | 'data',
): Promise<Page> {
  const { page } = await browser.open(part === undefined ? '/account' : `/account/${part}`, {
    ...visitorOf({ url }, layout),
    storageState: await memberState({ url, db }, person.id),
  });
  const name = part === undefined ? person.username : undefined;
  await page.locator('main').getByRole('heading', { name, level: 1 }).waitFor();
  return page;
}

/** On the page that asks visitors to sign in. */
export async function logInOnAccount(page: Page, person: Member): Promise<void> {
  await button(page.locator('main'), 'Log in').click();
  const modal = modalOf(page);
  await modal.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await fillLogIn(modal, person);
  await page.getByRole('heading', { name: person.username, level: 1 }).waitFor();
  await modal.waitFor({ state: 'detached' });
}

export function button(within: Page | Locator, name: string): Locator {
  return within.getByRole('button', { name, exact: true });
}

export function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((one) => one === document.activeElement);
}

/** Opens a form of the profile. @returns it, once the focus is in its first field */
export async function openForm(page: Page, name: string): Promise<Locator> {
  await button(page, name).click();
  const form = page.getByRole('form', { name, exact: true });
  await expect.poll(() => hasFocus(form.getByRole('textbox').first())).toBe(true);
  return form;
}

export async function seeNotice(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('.toast', { hasText: text }).first().waitFor();
}
