import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { seeNotice } from '../../support/browser/account-page.ts';
import { desktop, sound, useBrowser } from '../../support/browser/browser.ts';
import { newListener, openAs, playing, pressPlayAll } from '../../support/listener.ts';
import { slow } from '../../support/tags.ts';

const browser = useBrowser({ images: false });
const data = '**/*.data*';

/** Plays a list, and marks the one playing element. */
async function openPlaying(prepare?: (page: Page) => Promise<unknown>) {
  const { page } = await openAs(browser, await newListener(), '/about', { ...desktop, isFirstVisit: true });
  await prepare?.(page);
  await page.goto('/playlists/start-here');
  await pressPlayAll(page);
  await page.evaluate(() => document.querySelector('audio')?.setAttribute('data-same', 'yes'));
  return page;
}

/** The same element keeps playing, which is impossible in another document. */
async function expectSoundGoesOn(page: Page): Promise<void> {
  const { time } = await sound(page);
  await playing(page, time + 0.2);
  expect(await page.locator('audio[data-same]').count()).toBe(1);
}

const heading = (page: Page) => page.locator('main h1').textContent();
const open = (page: Page, name: string) => page.getByRole('contentinfo').getByRole('link', { name }).click();

async function chooseLight(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Light' }).click();
}

test.each([
  ['503', { status: 503, body: 'Service Unavailable' }],
  ['the page of another network', { status: 200, contentType: 'text/html', body: '<h1>Log in</h1>' }],
])('a refresh that is answered by %s keeps page and sound; the next page catches up', slow, async (_name, answer) => {
  const page = await openPlaying();
  const before = await heading(page);
  await page.route(data, (route) => route.fulfill(answer));
  await chooseLight(page);
  await seeNotice(page, /It may be out of date/);
  await page.keyboard.press('Escape');
  expect(await heading(page)).toBe(before);
  await expectSoundGoesOn(page);
  await page.unroute(data);
  const asked = page.waitForRequest(/blog\.data$/);
  await open(page, 'Blog');
  await asked;
  await page.waitForURL('**/blog');
  await expectSoundGoesOn(page);
});

test('without a connection a page stays where it is, by link and by Back, and opens once it is there again', async () => {
  const page = await openPlaying();
  await open(page, 'Blog');
  await page.getByRole('heading', { name: 'Blog', level: 1 }).waitFor();
  await page.evaluate(() => window.scrollTo(0, 300));
  await page.context().setOffline(true);
  // Never opened: its script is loaded since the first play.
  await open(page, 'Gift cards');
  await seeNotice(page, 'No internet connection');
  await page.evaluate(() => window.history.back());
  // The notice of the same kind replaces the first one.
  await seeNotice(page, 'No internet connection');
  await expect.poll(() => new URL(page.url()).pathname).toBe('/blog');
  expect(await heading(page)).toBe('Blog');
  await expectSoundGoesOn(page);
  await page.context().setOffline(false);
  await open(page, 'Gift cards');
  await page.waitForURL('**/gift-card');
  await page.goBack();
  await page.waitForURL('**/blog');
  await page.goBack();
  await page.waitForURL('**/start-here');
  await expectSoundGoesOn(page);
});

test('a page that the server cannot give now leaves the one on screen', slow, async () => {
  const page = await openPlaying();
  const before = await heading(page);
  await page.route(data, (route) => route.fulfill({ status: 503, body: '' }));
  await open(page, 'Blog');
  await seeNotice(page, 'This page could not be loaded. Please try again.');
  expect([await heading(page), new URL(page.url()).pathname]).toEqual([before, '/playlists/start-here']);
  await expectSoundGoesOn(page);
});

test(
  'a script that is gone after a new build is a notice while something plays, and is tried again with the next press',
  slow,
  async () => {
    const page = await openPlaying((page) =>
      page.context().route('**/assets/blog-*', (route) => route.fulfill({ status: 404, body: '' })),
    );
    const before = await heading(page);
    await open(page, 'Blog');
    await seeNotice(page, 'This page could not be loaded. Please try again.');
    expect(await heading(page)).toBe(before);
    await expectSoundGoesOn(page);
    // Again: the failure is not cached.
    await page.context().unroute('**/assets/blog-*');
    await open(page, 'Blog');
    await page.getByRole('heading', { name: 'Blog', level: 1 }).waitFor();
    await expectSoundGoesOn(page);
  },
);

test('a page that throws while it is drawn is an error page, whose retry keeps the sound', slow, async () => {
  const page = await openPlaying();
  await page.route(data, (route) =>
    route.fulfill({
      contentType: 'text/x-script',
      headers: { 'x-remix-response': 'yes' },
      body: '[{"_1":2},"routes/listener/creators",{"_3":4},"data",{}]\n',
    }),
  );
  await page.getByRole('banner').getByRole('link', { name: 'Creators' }).click();
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
  await expectSoundGoesOn(page);
  await page.unroute(data);
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Creators', level: 1 }).waitFor();
  await expectSoundGoesOn(page);
});
