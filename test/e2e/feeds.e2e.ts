/** @module-tag slow */
import { beforeAll, expect, test } from 'vitest';
import { giveMonths } from '#domain/membership/entitlement.ts';
import { expectCleanForAxe, modalOf, visitorOf } from '../support/accounts.ts';
import { button, hasFocus, seeNotice } from '../support/browser/account-page.ts';
import { desktop, mobile, useBrowser } from '../support/browser/browser.ts';
import { newMember, startLibrarySite } from '../support/library-site.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
});

test('a subscriber makes a feed from a creator’s page, sees its address once, and removes it by keyboard', async () => {
  const reader = await newMember(site);
  await giveMonths(site.db, reader.id, 1);
  const { page, quiet } = await site.openAs(browser, reader, '/creators/maren-holt', mobile);
  await page.getByRole('link', { name: 'Listen in your podcast app' }).click();
  await page.getByRole('heading', { name: 'Podcast feeds', level: 1 }).waitFor();
  await button(page.locator('main'), 'Create feed: Creator: Maren Holt').press('Enter');
  const modal = modalOf(page);
  await modal.getByRole('heading', { name: 'Add this to your podcast app' }).waitFor();
  const address = await modal.getByLabel('Address of the feed').inputValue();
  expect(new URL(address).pathname).toMatch(/^\/feeds\/[\w-]{32}\.xml$/);
  expect(await modal.getByRole('link', { name: 'Apple Podcasts' }).getAttribute('href')).toBe(
    address.replace(/^https?/, 'podcast'),
  );
  await expectCleanForAxe(page, '.modal');
  const feed = site.url + new URL(address).pathname;
  expect((await (await fetch(feed)).text()).split('<item>')).toHaveLength(9);
  await page.keyboard.press('Escape');
  await modal.waitFor({ state: 'detached' });
  const own = page.getByRole('list', { name: 'Your feeds' });
  await own.getByText('Creator: Maren Holt').waitFor();
  expect(await page.content()).not.toContain(new URL(address).pathname);
  await expectCleanForAxe(page, 'main');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(
    true,
  );

  await button(own, 'Remove the feed “Creator: Maren Holt”').press('Enter');
  await button(modal, 'Remove feed').press('Enter');
  await seeNotice(page, 'Removed the feed “Creator: Maren Holt”');
  await own.waitFor({ state: 'detached' });
  await expect.poll(() => hasFocus(page.getByRole('heading', { name: 'Podcast feeds', level: 1 }))).toBe(true);
  expect((await fetch(feed)).status).toBe(404);
  await quiet();
});

test('others read what a feed is, and scripts are not needed for the list', async () => {
  const { page } = await browser.open('/account/feeds', visitorOf(site, desktop));
  await page.getByRole('heading', { name: 'Podcast feeds', level: 1 }).waitFor();
  await page.getByText('Subscribers get feeds of their own.', { exact: false }).waitFor();
  const poor = await newMember(site);
  const opened = await site.openAs(browser, poor, '/account/feeds');
  await button(opened.page.locator('main'), 'Subscribe').waitFor();
  expect(await opened.page.getByRole('button', { name: /Create feed/ }).count()).toBe(0);

  const reader = await newMember(site);
  await giveMonths(site.db, reader.id, 1);
  const viewer = { kind: 'user', id: reader.id, isSubscribed: true, isComplete: true } as const;
  await site.site.feeds.makeFeed(viewer, { kind: 'all' });
  const { cookies } = await site
    .openAs(browser, reader, '/account/feeds')
    .then(({ page: own }) => own.context().storageState());
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const html = await (await fetch(`${site.url}/account/feeds`, { headers: { cookie } })).text();
  for (const text of ['Podcast feeds', 'Everything', 'Creating a feed needs JavaScript.', 'Not used yet'])
    expect(html).toContain(text);
});
