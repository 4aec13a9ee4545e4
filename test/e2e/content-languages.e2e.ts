import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser/browser.ts';

const browser = useBrowser({ images: false });

test('the page of an audio in another language says so, and marks its texts', async () => {
  const { page, quiet } = await browser.open('/audio/mondnacht');
  const title = page.getByRole('heading', { level: 1 });
  expect([await title.textContent(), await title.getAttribute('lang')]).toEqual(['Mondnacht', 'de']);
  expect(await page.locator('.detail-head__text').getAttribute('lang')).toBe('de');
  expect(await page.locator('.meta').first().textContent()).toContain('In German');
  const data = await page.locator('script[type="application/ld+json"]').allTextContents();
  expect(data.join()).toContain('"inLanguage":"de"');
  await quiet();
});

test('in its own language, nothing is marked', async () => {
  const { page, quiet } = await browser.open('/de/audio/mondnacht');
  expect(await page.getByRole('heading', { level: 1 }).getAttribute('lang')).toBeNull();
  expect(await page.locator('.meta').first().textContent()).not.toContain('Auf Deutsch');
  await quiet();
});

test('a creator’s text has its language', async () => {
  const { page, quiet } = await browser.open('/creators/margaux-lenoir?tab=about');
  const texts = page.getByText('Une voix posée');
  expect(await texts.evaluateAll((all) => all.map((one) => one.getAttribute('lang')))).toEqual(['fr', 'fr']);
  await quiet();
});
