import { expect, test } from 'vitest';
import { desktop, mobile, useBrowser } from '../support/browser/browser.ts';
import { slow } from '../support/tags.ts';

const browser = useBrowser({ images: false });

test('links to a creator with a linked series lead to the series, which leads to the creator', slow, async () => {
  const { page, quiet } = await browser.open('/creators', desktop);
  await page
    .getByRole('link', { name: /^Amara Bell/ })
    .first()
    .click();
  await page.waitForURL('**/series/the-song-of-songs-in-five-nights');
  await page.getByRole('main').locator('.detail-head__by').click();
  await page.waitForURL('**/creators/amara-bell');
  await quiet();
});

test('a list can be filtered to free audios, and sorted on a phone', async () => {
  const { page, quiet } = await browser.open('/audios', mobile);
  const locks = page.getByRole('main').getByRole('button', { name: /Locked/ });
  expect(await locks.count()).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await sheet.locator('summary', { hasText: 'More' }).click();
  await sheet.getByRole('checkbox', { name: /^Free/ }).evaluate((box: HTMLElement) => box.click());
  await page.waitForURL('**/audios?free=true');
  await sheet.getByRole('button', { name: /^Show \d+ audios$/ }).click();
  await expect.poll(() => locks.count()).toBe(0);
  await page.locator('summary', { hasText: 'Newest' }).click();
  await page.locator('details .menu__item', { hasText: 'Most played' }).click();
  await page.waitForURL('**/audios?free=true&sort=popular');
  await quiet();
});

test('a rail of home shows a part of its next card and scrolls by its arrows', slow, async () => {
  const { page, quiet } = await browser.open('/', desktop);
  const rail = page.locator('.rail-box', { has: page.locator('.rail > :nth-child(7)') }).first();
  const cards = () =>
    rail.locator('.rail').evaluate((list) => {
      const { left, right } = list.getBoundingClientRect();
      const boxes = [...list.children].map((card) => card.getBoundingClientRect());
      return {
        whole: boxes.filter((card) => card.left >= left && card.right <= right).length,
        cut: boxes.filter((card) => card.left < right - 10 && card.right > right).length,
        scrolled: list.scrollLeft,
      };
    });
  expect(await cards()).toEqual({ whole: 6, cut: 1, scrolled: 0 });
  await rail.hover();
  await rail.locator('.rail-arrow--after').click();
  await expect.poll(async () => (await cards()).scrolled).toBeGreaterThan(500);
  await rail.locator('.rail-arrow--before').click();
  await expect.poll(async () => (await cards()).scrolled).toBe(0);
  await quiet();
});

test('a list keeps its loaded pages and its place through a change of theme and a log-in', slow, async () => {
  const { page, quiet } = await browser.open('/audios', desktop);
  const rows = page.locator('main li .row__title');
  await page.locator('footer').scrollIntoViewIfNeeded();
  await expect.poll(() => rows.count()).toBe(48);
  await page.evaluate(() => window.scrollTo({ top: 2400, behavior: 'instant' }));
  const place = async () => [await rows.count(), await page.evaluate(() => window.scrollY)];

  // By script: a click scrolls to its button first.
  await page.getByRole('button', { name: 'Menu', exact: true }).dispatchEvent('click');
  await page.getByRole('menuitemradio', { name: 'Light' }).dispatchEvent('click');
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
  expect(await place()).toEqual([48, 2400]);

  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).dispatchEvent('click');
  await page.getByRole('textbox', { name: 'Email' }).fill('listener@sotto.example');
  await page.getByRole('textbox', { name: 'Password' }).fill('listener');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(place).toEqual([48, 2400]);
  await quiet();
});

test('the waveform of an audio’s page is its sound: the measured bars', slow, async () => {
  const { page, quiet } = await browser.open('/audio/how-do-i-love-thee', desktop);
  const barsOf = async (slug: string) => {
    const response = await page.request.get(`/v1/api/audios/${slug}/waveform`);
    return ((await response.json()) as { bars: string }).bars;
  };
  // Each stroke is a move and a vertical line; a pause is the shortest one.
  const heights = (wave: ReturnType<typeof page.locator>) =>
    wave
      .locator('path')
      .evaluateAll((paths) =>
        paths.flatMap((path) =>
          [...(path.getAttribute('d') ?? '').matchAll(/v([\d.]+)/g)].map(([, height]) => Number(height)),
        ),
      );
  const drawn = await heights(page.getByRole('main').locator('.wave').first());
  const bars = await barsOf('how-do-i-love-thee');
  expect(drawn).toHaveLength(150);
  const expected = [...bars].map((digit) => Math.max(0, (parseInt(digit, 36) / 35) * 62 - 3.5));
  for (const [index, height] of drawn.entries()) expect(height).toBeCloseTo(expected[index] ?? -1, 0);
  expect(await barsOf('bright-star')).not.toBe(bars);
  await quiet();
});
