import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { setAdmin } from '#domain/identity/operators.ts';
import { visitorOf } from './accounts.ts';
import { type useBrowser, desktop } from './browser/browser.ts';
import { newMember, startLibrarySite } from './library-site.ts';
import { memberState } from './payments/member-state.ts';

export type AdminSite = Awaited<ReturnType<typeof startAdminSite>>;

type Site = Awaited<ReturnType<typeof startLibrarySite>>;
type Member = Awaited<ReturnType<typeof newMember>>;

export async function newAdmin(site: Site): Promise<Member> {
  const member = await newMember(site);
  await setAdmin(site.db, member.id, true);
  return member;
}

/** For Studio and Admin, which have their own layout, without the site's account menu. */
export async function openWorkshop(
  site: Site,
  browser: ReturnType<typeof useBrowser>,
  user: { id: string },
  path: string,
  layout: BrowserContextOptions = desktop,
) {
  return browser.open(path, { ...visitorOf(site, layout), storageState: await memberState(site, user.id) });
}

/** A site with one admin; `open` shows that admin a page, waits for its heading, and checks that it fits. */
export async function startAdminSite(browser: ReturnType<typeof useBrowser>) {
  const site = await startLibrarySite();
  const admin = await newAdmin(site);
  async function open(path: string, layout: BrowserContextOptions = desktop) {
    const opened = await openWorkshop(site, browser, admin, path, layout);
    await opened.page.locator('main h1').waitFor();
    await expectToFit(opened.page);
    return opened;
  }
  return { site, admin, open };
}

/** The page does not scroll sideways. */
export async function expectToFit(page: Page): Promise<void> {
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0);
}
