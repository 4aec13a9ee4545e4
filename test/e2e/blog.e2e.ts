/** @module-tag slow */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectCleanInBothSizes } from '../support/accounts.ts';
import { desktop, mobile, sound, useBrowser } from '../support/browser/browser.ts';

const browser = useBrowser();
const titlesOf = (page: Page) => page.locator('main .card :is(h2, h3)').allTextContents();

test('six orders and four topics, each with its own address, and the list loads more on scroll', async () => {
  const { page, quiet } = await browser.open('/blog', mobile);
  await expectCleanInBothSizes(page);
  expect(await titlesOf(page)).toHaveLength(12);

  await page.locator('summary', { hasText: 'Recent' }).click();
  const orders = page.locator('details .menu__item');
  expect(await orders.allTextContents()).toEqual(['Oldest', 'Recent', 'Shortest', 'Longest', 'A-Z', 'Z-A']);
  await orders.getByText('A-Z', { exact: true }).click();
  await page.waitForURL('**/blog?sort=a-z');
  await expect
    .poll(async () => (await titlesOf(page))[0])
    .toBe('A Bedtime Ritual for Two People With Different Bedtimes');

  await page.getByRole('navigation', { name: 'Topics' }).getByRole('link', { name: 'Sex' }).click();
  await page.waitForURL('**/blog?sort=a-z&topics=sex');
  await expect
    .poll(() => titlesOf(page))
    .toEqual(['Asking for What You Like, Out Loud', 'The Pause Is the Point', 'What the Dark Leaves to You']);
  await page.getByRole('navigation', { name: 'Topics' }).getByRole('link', { name: 'Culture' }).click();
  await page.waitForURL('**/blog?sort=a-z&topics=sex,culture');
  await expect.poll(async () => (await titlesOf(page)).length).toBe(6);
  await page.goBack();
  await expect.poll(async () => (await titlesOf(page)).length).toBe(3);

  await page.getByRole('navigation', { name: 'Topics' }).getByRole('link', { name: 'All' }).click();
  await page.waitForURL('**/blog?sort=a-z');
  await expect.poll(async () => (await titlesOf(page)).length).toBeGreaterThanOrEqual(12);
  await page.locator('footer').scrollIntoViewIfNeeded();
  await expect.poll(async () => (await titlesOf(page)).length).toBe(14);
  await page.getByText('14 shown').waitFor();

  // Going back restores the expanded list, from other topics and from an article.
  await page.getByRole('navigation', { name: 'Topics' }).getByRole('link', { name: 'Sex' }).click();
  await expect.poll(async () => (await titlesOf(page)).length).toBe(3);
  await page.goBack();
  await expect.poll(async () => (await titlesOf(page)).length).toBe(14);
  await page.locator('main .card :is(h2, h3)').last().click();
  await page.waitForURL('**/blog/*');
  await page.goBack();
  await expect.poll(async () => (await titlesOf(page)).length).toBe(14);
  await quiet();
});

test('an article plays what it speaks of without leaving it', async () => {
  const { page, quiet } = await browser.open('/blog/why-a-low-voice', desktop);
  await expectCleanInBothSizes(page);
  expect(await page.locator('main .eyebrow').first().textContent()).toMatch(/^Wellness\d min read\d+ \w{3} \d{4}$/);
  expect(await page.locator('main section[aria-label="Read next"] .card').count()).toBe(3);
  await page.getByRole('complementary', { name: 'Mentioned in this article' }).getByRole('button').first().click();
  await expect.poll(async () => (await sound(page)).time, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(new URL(page.url()).pathname).toBe('/blog/why-a-low-voice');
  await expect.poll(() => page.getByRole('region', { name: 'Player' }).textContent()).toContain('Bright Star');
  await quiet();
});

test('an unknown sort or topic falls back, and the canonical link says to what', async () => {
  const { page, quiet } = await browser.open('/blog?sort=loudest&topics=cars,sex&page=0&utm_source=mail', desktop);
  const attribute = (selector: string, name: string) => page.locator(selector).getAttribute(name);
  expect(await attribute('link[rel=canonical]', 'href')).toMatch(/^http[^?]+\/blog\?topics=sex$/);
  expect(await attribute('link[type="application/rss+xml"]', 'href')).toMatch(/\/blog\/feed\.xml$/);
  await page.goto('/blog/why-a-low-voice');
  expect(await attribute('meta[property="og:image"]', 'content')).toMatch(/\/cards\/blog\/why-a-low-voice\.jpg$/);
  const data = await page.locator('script[type="application/ld+json"]').allTextContents();
  expect(data.map((text) => (JSON.parse(text) as { '@type': string })['@type'])).toEqual([
    'BlogPosting',
    'BreadcrumbList',
  ]);
  await page.goto('/series/sonnets-from-the-portuguese');
  const series = async () => (await page.locator('script[type="application/ld+json"]').allTextContents()).join();
  expect(await series()).toMatch(
    /"@type":"PodcastSeries".*"webFeed":"http[^"]+\/series\/sonnets-from-the-portuguese\/feed\.xml"/,
  );
  // No audio of this series is free, so it has no feed to link.
  await page.goto('/series/sleep-by-degrees');
  expect(await series()).toMatch(/"@type":"PodcastSeries"/);
  expect(await series()).not.toContain('webFeed');
  await quiet();
});

test('without script the pages follow each other by links', async () => {
  const { page } = await browser.open('/blog', { ...mobile, javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Load more' }).click();
  await page.waitForURL('**/blog?page=2');
  expect(await titlesOf(page)).toHaveLength(2);
  await page.getByRole('link', { name: 'Back to the beginning' }).click();
  await page.waitForURL('**/blog');
  expect(await titlesOf(page)).toHaveLength(12);
});

test('a page that fails to load keeps the shown items, and can be retried', async () => {
  const { page, quiet } = await browser.open('/about', desktop);
  // Before the list is there, which may ask for more at once.
  await page.route('**/v1/api/blog?*', (route) => route.abort(), { times: 1 });
  await page.goto('/blog');
  await page.locator('footer').scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(async () => (await titlesOf(page)).length).toBe(14);
  await quiet([expect.stringContaining('net::ERR_FAILED')]);
});
