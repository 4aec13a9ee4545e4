import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { visitorOf } from './accounts.ts';
import { type PageOptions, type useBrowser, desktop, hydrated } from './browser/browser.ts';
import { createAudio, createCategory, createUser, createVoice } from './factories.ts';
import { memberState } from './payments/member-state.ts';
import { startWholeSite } from './whole-site.ts';

/** The whole site with eight free audios of one voice, and users with sessions that need no log-in. */
export async function startLibrarySite() {
  const site = await startWholeSite();
  const { db } = site;
  const voice = await createVoice(db, { name: 'Maren Holt', slug: 'maren-holt' });
  const category = await createCategory(db, { label: 'Sonnets', slug: 'sonnets' });
  const titles = ['Bright Star', 'Echo', 'Wild Nights', 'Silent Noon', 'A Birthday', 'The Tide', 'Élan', 'Ode'];
  const audios = [];
  for (const [index, title] of titles.entries()) {
    audios.push(
      await createAudio(db, {
        title,
        slug: `tale-${index + 1}`,
        voiceId: voice.id,
        isFree: true,
        description: `What ${title} says, and how it is said.`,
        durationMs: 60_000 + index * 1000,
        publishedAt: new Date(Date.now() - (index + 1) * 60_000),
        categoryIds: [category.id],
        tagLabels: index % 2 === 0 ? ['rain'] : ['sea'],
      }),
    );
  }
  const states = new Map<string, NonNullable<BrowserContextOptions['storageState']>>();

  /** A page of this user; always with the same session. */
  async function openPageAs(
    browser: ReturnType<typeof useBrowser>,
    user: { id: string },
    path: string,
    layout: PageOptions = desktop,
  ) {
    const storageState = states.get(user.id) ?? (await memberState(site, user.id));
    states.set(user.id, storageState);
    return browser.open(path, { ...visitorOf(site, layout), storageState });
  }

  return {
    ...site,
    voice,
    category,
    audios,
    openPageAs,
    /** A page of this user with the account menu, which Studio pages do not have. */
    async openAs(...args: Parameters<typeof openPageAs>) {
      const opened = await openPageAs(...args);
      await opened.page.getByRole('button', { name: 'Account menu' }).waitFor();
      return opened;
    },
  };
}

let people = 0;

/** A user with a unique name. */
export async function newMember({ db }: Pick<Awaited<ReturnType<typeof startLibrarySite>>, 'db'>) {
  people += 1;
  const username = `reader-${people}`;
  return { ...(await createUser(db, { username, termsAcceptedAt: new Date() })), username };
}

/** Opens a page; resolves when it reacts to clicks. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await hydrated(page);
}

export function rowOf(page: Page, title: string): Locator {
  return page
    .locator('main li.row')
    .filter({ has: page.locator('.row__title', { hasText: new RegExp(`^${title}$`) }) });
}

/** Chooses an item in a row's menu. */
export async function chooseInRow(page: Page, title: string, item: string): Promise<void> {
  await rowOf(page, title)
    .getByRole('button', { name: `More for ${title}` })
    .click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** Titles in the displayed order. */
export function rowTitles(page: Page): Promise<string[]> {
  return page.locator('main li.row .row__title').allTextContents();
}

export async function seeTitles(page: Page, titles: string[]): Promise<void> {
  await expect.poll(() => rowTitles(page)).toEqual(titles);
}

/** Records the bodies of calls with this method and path prefix. */
export function countCalls(page: Page, method: string, path: string): { bodies: unknown[] } {
  const bodies: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === method && new URL(request.url()).pathname.startsWith(`/v1/api${path}`))
      bodies.push(request.postDataJSON());
  });
  return { bodies };
}
