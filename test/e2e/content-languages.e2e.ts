import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser/browser.ts';
import { newSubscriber, openAs } from '../support/listener.ts';

const browser = useBrowser({ images: false });

test('the page of an audio in another language says so, and marks its texts', async () => {
  const { page, quiet } = await browser.open('/audio/mondnacht');
  const title = page.getByRole('heading', { level: 1 });
  expect([await title.textContent(), await title.getAttribute('lang')]).toEqual(['Mondnacht', 'de']);
  expect(await page.locator('.detail-head__text').getAttribute('lang')).toBe('de');
  expect(await page.locator('.meta.tabular-nums').textContent()).toContain('In German');
  const data = await page.locator('script[type="application/ld+json"]').allTextContents();
  expect(data.join()).toContain('"inLanguage":"de"');
  await quiet();
});

test('in its own language, nothing is marked', async () => {
  const { page, quiet } = await browser.open('/de/audio/mondnacht');
  expect(await page.getByRole('heading', { level: 1 }).getAttribute('lang')).toBeNull();
  expect(await page.locator('.meta.tabular-nums').textContent()).not.toContain('Auf Deutsch');
  await quiet();
});

test('rows of a list name a language that is not the page’s, in that of the page', async () => {
  const { page, quiet } = await browser.open('/fr/creators/jule-brandt');
  const row = page.locator('.row:not(.row--head)').first();
  expect(await row.locator('.row__title').getAttribute('lang')).toBe('de');
  const mark = row.locator('.row__voice.dot[lang]');
  expect([await mark.textContent(), await mark.getAttribute('lang')]).toEqual(['allemand', 'fr']);
  await page.goto(new URL('/creators/maren-holt', page.url()).href);
  expect(await page.locator('li .row__voice.dot[lang]').count()).toBe(0);
  await quiet();
});

test('on a page from right to left, a description from left to right is cut at its end', async () => {
  const { page, quiet } = await browser.open('/ar/creators/maren-holt', { isFirstVisit: true });
  const isBeginShown = await page.locator('li:not(.row--head) > .row__length').evaluateAll((rows) =>
    rows.map((row) => {
      const first = document.createRange();
      first.setStart(row.firstChild ?? row, 0);
      first.setEnd(row.firstChild ?? row, 1);
      return first.getBoundingClientRect().left >= row.getBoundingClientRect().left;
    }),
  );
  expect(isBeginShown).toEqual(Array(7).fill(true));
  await quiet();
});

test('a creator’s text has its language', async () => {
  const { page, quiet } = await browser.open('/creators/margaux-lenoir?tab=about');
  const texts = page.getByText('Une voix posée');
  expect(await texts.evaluateAll((all) => all.map((one) => one.getAttribute('lang')))).toEqual(['fr', 'fr']);
  await quiet();
});

test('the player and its queue mark titles as rows do', async () => {
  const { page, quiet } = await openAs(browser, await newSubscriber(), '/creators/jule-brandt');
  await page
    .getByRole('button', { name: /^Play / })
    .first()
    .click();
  const title = page.locator('.player__title');
  await expect.poll(() => title.getAttribute('lang')).toBe('de');
  await page.getByRole('button', { name: 'Queue' }).first().click();
  const rows = page.locator('.queue .row__title');
  await expect.poll(() => rows.count()).toBeGreaterThan(0);
  expect(new Set(await rows.evaluateAll((all) => all.map((one) => one.getAttribute('lang'))))).toEqual(new Set(['de']));
  await quiet();
});
