/** @module-tag slow */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import {
  expectCleanForAxe,
  expectCleanInBothSizes,
  fillLogIn,
  modalOf,
  newPerson,
  visitorOf,
} from '../../support/accounts.ts';
import { button, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, mobile, overflowOf, useBrowser } from '../../support/browser/browser.ts';
import {
  chooseInRow,
  countCalls,
  newMember,
  rowOf,
  seeTitles,
  startLibrarySite,
  visit,
} from '../../support/library-site.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
});

/** Ends when what was pressed is saved and the user data has reloaded (spec §4). */
async function saved(page: Page, press: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForResponse((answer) => answer.url().endsWith('/v1/api/user/me')), press()]);
}

test('a heart toggles at once, ten presses make one call with the last of them, and the Library has it', async () => {
  const reader = await newMember(site);
  const { page, quiet } = await site.openAs(browser, reader, '/audios', mobile);
  const { bodies } = countCalls(page, 'POST', '/user/favorite/');
  const heart = rowOf(page, 'Echo').locator('.heart');
  expect(await heart.getAttribute('aria-label')).toBe('Favorite Echo');
  await saved(page, async () => {
    await heart.evaluate((element: HTMLElement) => {
      for (let press = 0; press < 11; press += 1) element.click();
    });
    expect(await heart.getAttribute('aria-label')).toBe('Unfavorite Echo');
    expect(await heart.getAttribute('aria-pressed')).toBe('true');
  });
  expect(bodies).toEqual([{ contentTypeId: 'audio', isFavorite: true }]);

  await saved(page, () => chooseInRow(page, 'Ode', 'Favorite'));
  await expect.poll(() => rowOf(page, 'Ode').locator('.heart').getAttribute('aria-pressed')).toBe('true');

  // The first render shows them too.
  await visit(page, '/library');
  await seeTitles(page, ['Ode', 'Echo']);
  const tabs = page.getByRole('navigation', { name: 'Library' });
  await tabs.getByRole('link', { name: 'Audios 2' }).waitFor();
  for (const width of [768, 791, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await overflowOf(page)]).toEqual([width, 0]);
  }
  // With counts of many digits the tabs take a second line.
  const write = (text: string) =>
    tabs.locator('.tabular-nums').evaluateAll((counts, value) => {
      // Into React's own text nodes, so that it can change them later.
      for (const count of counts) count.firstChild!.nodeValue = value;
    }, text);
  await write('1,234,567');
  expect(await overflowOf(page)).toBe(0);
  await write('2');
  await page.setViewportSize(desktop.viewport);
  await saved(page, () => rowOf(page, 'Ode').locator('.heart').click());
  await tabs.getByRole('link', { name: 'Audios 1' }).waitFor();
  await page.reload();
  await seeTitles(page, ['Echo']);
  await expectCleanInBothSizes(page);
  await quiet();
});

test('a failed call resets the heart and shows a notice', async () => {
  const reader = await newMember(site);
  const { page } = await site.openAs(browser, reader, '/audios');
  await page.route('**/v1/api/user/favorite/*', (route) => route.abort());
  const heart = rowOf(page, 'Echo').locator('.heart');
  await heart.click();
  await seeNotice(page, '“Echo” could not be saved. No internet connection');
  await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('false');
  await page.unroute('**/v1/api/user/favorite/*');
  await saved(page, () => heart.click());
  await page.route('**/v1/api/user/favorite/*', (route) => route.abort());
  await heart.click();
  await seeNotice(page, '“Echo” could not be removed. No internet connection');
  await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('true');
});

test('a press just before leaving is saved, and shown in the Library', async () => {
  const reader = await newMember(site);
  const { page } = await site.openAs(browser, reader, '/audios');
  const asked = page.waitForResponse((answer) => answer.url().includes('/library.data'));
  await page.route('**/v1/api/user/favorite/*', (route) => asked.then(() => route.continue()));
  await rowOf(page, 'Wild Nights').locator('.heart').click();
  await page.getByRole('banner').getByRole('link', { name: 'Library' }).click();
  await seeTitles(page, ['Wild Nights']);
  await page.getByRole('link', { name: 'Audios 1' }).waitFor();

  await rowOf(page, 'Wild Nights').locator('.heart').click();
  await visit(page, '/about');
  await expect.poll(async () => (await site.site.library.findFavoriteIds(reader.id)).audios).toEqual([]);
});

test('a visitor’s press is saved after the log-in, also for an existing favorite', async () => {
  const person = newPerson();
  const registered = await site.site.identity.signUp(person);
  if (!registered.ok) throw new Error(registered.reason);
  await site.site.library.setFavorite(
    { kind: 'user', id: registered.user.id, isSubscribed: false, isComplete: true },
    { contentTypeId: 'audio', id: site.audios[0]?.id ?? '', isFavorite: true },
  );
  const { page, quiet } = await browser.open('/audios', visitorOf(site, desktop));
  const heart = rowOf(page, 'Bright Star').locator('.heart');
  await heart.click();
  const modal = modalOf(page);
  await modal.getByRole('heading', { name: 'Sign in to keep “Bright Star”' }).waitFor();
  expect(await heart.getAttribute('aria-pressed')).toBe('false');
  await modal.getByRole('button', { name: 'Log in' }).click();
  await fillLogIn(modal, person);
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
  await modal.waitFor({ state: 'detached' });
  // It was a favorite already: the press does not remove it.
  await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('true');
  await quiet();
});

test('each kind of thing is kept, sorted, narrowed down, and found under its own tab', async () => {
  const reader = await newMember(site);
  const { page, quiet } = await site.openAs(browser, reader, '/library');
  await page.getByRole('heading', { name: 'No favorites yet' }).waitFor();
  await page.getByText('Save you favorite audios, playlists, and Creators here.').waitFor();
  await expectCleanForAxe(page);
  for (const [path, name] of [
    ['/creators/maren-holt', 'Favorite Maren Holt'],
    ['/categories/sonnets', 'Favorite Sonnets'],
  ] as const) {
    await visit(page, path);
    await saved(page, () => button(page.locator('main'), name).click());
  }
  const viewer = { kind: 'user', id: reader.id, isSubscribed: false, isComplete: true } as const;
  for (const { id } of site.audios)
    await site.site.library.setFavorite(viewer, { contentTypeId: 'audio', id, isFavorite: true });

  await visit(page, '/library?tab=voices');
  const main = page.locator('main');
  await main.getByRole('link', { name: /Maren Holt/ }).waitFor();
  await main.getByRole('link', { name: 'Categories 1' }).click();
  await main.getByRole('link', { name: /Sonnets/ }).waitFor();
  await main.getByRole('link', { name: 'Audios 8' }).click();
  await expect.poll(async () => page.locator('main li.row .row__title').count()).toBe(8);
  await main.locator('summary').click();
  await main.getByRole('link', { name: 'A–Z' }).click();
  await seeTitles(page, ['A Birthday', 'Bright Star', 'Echo', 'Élan', 'Ode', 'Silent Noon', 'The Tide', 'Wild Nights']);
  await main.getByRole('searchbox', { name: 'Filter audios' }).fill('elan');
  await seeTitles(page, ['Élan']);
  expect(new URL(page.url()).search).toBe('?filter=elan&sort=title');
  await main.getByRole('searchbox', { name: 'Filter audios' }).fill('nothing like it');
  await page.getByRole('heading', { name: 'No results found' }).waitFor();

  // An order that is chosen while the filtered list still loads keeps the filter.
  const loaded = Promise.withResolvers<void>();
  await page.context().route('**/library.data*', (route) => loaded.promise.then(() => route.continue()));
  await main.getByRole('searchbox', { name: 'Filter audios' }).fill('bright');
  await page.locator('[type=search][aria-busy]').waitFor();
  await main.locator('summary').click();
  await main.getByRole('link', { name: 'Shortest' }).click();
  loaded.resolve();
  await seeTitles(page, ['Bright Star']);
  await expect.poll(() => new URL(page.url()).search).toBe('?filter=bright&sort=shortest');
  await quiet();
});

test('the Library is clean for axe in the light theme and on a phone', async () => {
  const reader = await newMember(site);
  const viewer = { kind: 'user', id: reader.id, isSubscribed: false, isComplete: true } as const;
  for (const { id } of site.audios.slice(0, 3))
    await site.site.library.setFavorite(viewer, { contentTypeId: 'audio', id, isFavorite: true });
  const { page, quiet } = await site.openAs(browser, reader, '/library', { ...mobile, colorScheme: 'light' });
  await expectCleanForAxe(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectCleanForAxe(page);
  await quiet();
});
