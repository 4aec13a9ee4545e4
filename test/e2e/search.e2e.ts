import type { Locator, Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { expectCleanForAxe, expectCleanInBothSizes, logIn } from '../support/accounts.ts';
import { desktop, hydrated, layouts, mobile, useBrowser } from '../support/browser/browser.ts';
import { newListener } from '../support/listener.ts';
import { slow } from '../support/tags.ts';

const browser = useBrowser({ images: false });

const listOf = (page: Page) => page.getByRole('listbox');
const options = (page: Page) => listOf(page).getByRole('option');

/** The field; on a phone behind its button. */
async function openField(page: Page, layout: string): Promise<Locator> {
  if (layout === 'mobile') await page.getByRole('banner').getByRole('link', { name: 'Search' }).click();
  const field = page.getByRole('combobox', { name: 'Search' });
  await field.click();
  return field;
}

test.each(layouts)(
  '%s: what is found is suggested while one types, by kind, the search itself last',
  slow,
  async (name, layout) => {
    const { page, quiet } = await browser.open('/', layout);
    const field = await openField(page, name);
    expect(await field.getAttribute('aria-expanded')).toBe('false');
    await field.pressSequentially('love');
    await listOf(page).waitFor();
    expect(await listOf(page).getByRole('group').allTextContents()).toEqual([
      expect.stringMatching(/^CategoriesLove letters/),
      expect.stringMatching(/^CreatorsTomás Ferrer/),
      expect.stringMatching(/^Audios.*Love’s Philosophy/),
    ]);
    expect(await listOf(page).getByRole('group', { name: 'Audios' }).getByRole('option').count()).toBe(3);
    expect(await options(page).last().textContent()).toBe('Search for love');
    expect(await listOf(page).locator('mark').first().textContent()).toBe('Love');
    expect(await listOf(page).locator('img').count()).toBe(5);
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    expect(await page.locator('output', { hasText: '5 suggestions' }).count()).toBe(1);
    await expectCleanForAxe(page, 'header');
    if (name === 'mobile') {
      const [list, bar] = [
        await page.locator('.suggestions').boundingBox(),
        await page.locator('.player').boundingBox(),
      ];
      expect([list?.x, list?.width, list?.y]).toEqual([0, 390, 143]);
      expect(Math.round((list?.y ?? 0) + (list?.height ?? 0))).toBe(Math.round(bar?.y ?? 0));
    }
    await options(page).filter({ hasText: 'Love’s Philosophy' }).click();
    await page.waitForURL('**/audio/loves-philosophy');
    expect(await page.locator('.suggestions').count()).toBe(0);
    await quiet();
  },
);

test('the key for the search takes effect although it was pressed before its code had loaded', slow, async () => {
  const { page } = await browser.open('/about', { ...desktop, isFirstVisit: true });
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/key-commands-*', async (route) => {
    await held.promise;
    await route.continue();
  });
  const requested = page.waitForRequest('**/assets/key-commands-*');
  await page.reload();
  await requested;
  await hydrated(page);
  await page.keyboard.press('/');
  held.resolve();
  const field = page.getByRole('combobox', { name: 'Search' });
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('by keyboard: through the list and back to the field, Enter follows, Escape closes and then empties', async () => {
  const { page, quiet } = await browser.open('/about', desktop);
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search' });
  await field.pressSequentially('tomas');
  await listOf(page).waitFor();
  const active = async () => {
    const id = await field.getAttribute('aria-activedescendant');
    return id === null ? null : page.locator(`[id="${id}"]`).getAttribute('aria-selected');
  };
  expect(await active()).toBeNull();
  await page.keyboard.press('ArrowUp');
  expect(await listOf(page).locator('[aria-selected=true]').textContent()).toBe('Search for tomas');
  await page.keyboard.press('ArrowDown');
  expect(await active()).toBeNull();
  await page.keyboard.press('Escape');
  await listOf(page).waitFor({ state: 'detached' });
  expect(await field.inputValue()).toBe('tomas');
  await page.keyboard.press('ArrowDown');
  await listOf(page).waitFor();
  await page.keyboard.press('ArrowDown');
  expect([await active(), await listOf(page).locator('[aria-selected=true]').textContent()]).toEqual([
    'true',
    expect.stringMatching(/^Tomás Ferrer/),
  ]);
  const eventsRequest = page.waitForRequest('**/v1/api/events');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/creators/tomas-ferrer');
  await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
  const { events } = (await eventsRequest).postDataJSON() as { events: { name: string; properties?: object }[] };
  expect(events.filter(({ name }) => name.endsWith('_click'))).toMatchObject([
    { name: 'global_search_click', source: 'search', properties: { kind: 'voices', place: 1 } },
    { name: 'voice_click', source: 'search' },
  ]);
  expect(JSON.stringify(events)).not.toContain('tomas');
  await expect.poll(() => field.inputValue()).toBe('');
  await field.fill('rain');
  await listOf(page).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(await field.inputValue()).toBe('');
  await quiet();
});

test('Tab and a press beside it close the list; an answer that comes late opens nothing', slow, async () => {
  const { page, quiet } = await browser.open('/about', desktop);
  const field = await openField(page, 'desktop');
  await field.fill('rain');
  await listOf(page).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await listOf(page).waitFor({ state: 'detached' });
  await field.click();
  await listOf(page).waitFor();
  await page.mouse.click(200, 600);
  await listOf(page).waitFor({ state: 'detached' });

  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/v1/api/search?*', async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  const asked = page.waitForRequest('**/v1/api/search?*');
  await field.fill('star');
  await asked;
  expect(await options(page).last().textContent()).toBe('Search for star');
  await field.press('Enter');
  await page.waitForURL('**/search?search=star');
  answer();
  await expect.poll(() => page.locator('h1').textContent()).toBe('“star”');
  expect(await page.locator('.suggestions').count()).toBe(0);
  await quiet();
});

test('terms that were searched for come back in the empty field, to be chosen, removed and cleared', slow, async () => {
  const { page, quiet } = await browser.open('/search', desktop);
  for (const [term, asked] of [
    ['rain', page.getByRole('main').getByRole('searchbox')],
    ['keats', page.getByRole('combobox', { name: 'Search' })],
  ] as const) {
    await asked.fill(term);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/search?search=${term}`);
  }
  const field = await openField(page, 'desktop');
  await listOf(page).waitFor();
  await expect.poll(() => options(page).allTextContents()).toEqual(['keats', 'rain']);
  await expectCleanForAxe(page, 'header');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Delete');
  await expect.poll(() => options(page).allTextContents()).toEqual(['rain']);
  await field.fill('x');
  await listOf(page).getByText('Search for x').waitFor();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await listOf(page).getByText('rain').click();
  await page.waitForURL('**/search?search=rain');
  await page.reload();
  await openField(page, 'desktop');
  await page.getByRole('button', { name: 'Clear recent searches' }).click();
  await listOf(page).waitFor({ state: 'detached' });
  await page.reload();
  await openField(page, 'desktop');
  expect(await listOf(page).count()).toBe(0);
  await quiet();
});

test('a listener finds their terms on every device', slow, async () => {
  const listener = await newListener();
  const { page, quiet } = await browser.open('/about', desktop);
  await logIn(page, listener);
  const kept = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/user/recent-searches'),
  );
  await (await openField(page, 'desktop')).fill('longing');
  await page.keyboard.press('Enter');
  expect((await kept).status()).toBe(204);
  await quiet();
  const other = await browser.open('/about', desktop);
  await (await openField(other.page, 'desktop')).fill('of a visitor');
  await other.page.keyboard.press('Enter');
  await other.page.waitForURL('**/search?search=of+a+visitor');
  await logIn(other.page, listener);
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await other.page.route('**/user/recent-searches', async (route) => {
    await held;
    await route.continue();
  });
  const asked = other.page.waitForRequest('**/user/recent-searches');
  await openField(other.page, 'desktop');
  await asked;
  expect(await listOf(other.page).count()).toBe(0);
  answer();
  await listOf(other.page).waitFor();
  expect(await options(other.page).allTextContents()).toEqual(['longing']);
  await other.quiet();
});

test('the page has all groups with their totals, and each group page by page', slow, async () => {
  const { page, quiet } = await browser.open('/search?search=love', mobile);
  expect(await page.title()).toBe('“love” · Sotto');
  const kinds = page.getByRole('navigation', { name: 'Kinds of results' });
  const totals = (await kinds.getByRole('link').allTextContents()).map((text) => Number(/[\d,]+$/.exec(text)?.[0]));
  expect(totals[0]).toBe(totals.slice(1).reduce((sum, count) => sum + count, 0));
  expect(await page.locator('main h2').allTextContents()).toEqual(['Audios', 'Creators', 'Categories', 'Series']);
  await expectCleanInBothSizes(page, 'main');
  await kinds.getByRole('link', { name: /^Audios/ }).click();
  await page.waitForURL('**/search?search=love&tab=audios');
  await expect.poll(() => page.locator('main .rows .row__title, main [data-heard] b').count()).toBe(24);
  await page.getByRole('link', { name: 'Next' }).click();
  await page.waitForURL('**/search?page=2&search=love&tab=audios');
  await expect
    .poll(() => page.locator('main .rows .row__title, main [data-heard] b').count())
    .toBe((totals[1] ?? 0) - 24);
  await page.getByRole('link', { name: 'Previous' }).click();
  await page.waitForURL('**/search?search=love&tab=audios');
  await kinds.getByRole('link', { name: /^Categories/ }).click();
  await expect.poll(() => page.locator('main h2').allTextContents()).toEqual(['Categories']);
  await quiet();
});

test('a transcript hit links to its second; an empty result suggests what else to try', slow, async () => {
  const { page, quiet } = await browser.open('/search?search=shallow+rivers', mobile);
  const line = page.getByRole('link', { name: /By shallow rivers/ });
  expect(await line.getAttribute('href')).toMatch(/^\/audio\/passionate-shepherd\?t=\d+&via=search$/);
  expect(await line.locator('mark').allTextContents()).toEqual(['shallow', 'rivers']);
  await expectCleanForAxe(page, 'main');
  await page.goto('/search?search=zzzzzz');
  await page.getByRole('heading', { name: 'No results found' }).waitFor();
  await page.getByRole('list', { name: 'Ideas' }).getByRole('link').first().click();
  await expect.poll(() => page.getByRole('navigation', { name: 'Kinds of results' }).count()).toBe(1);
  await quiet();
});

test('without script the field is a form, and the results are there', slow, async () => {
  const { page } = await browser.open('/about', { ...desktop, javaScriptEnabled: false });
  await page.locator('header input[name=search]').fill('tomás');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/search?search=tom%C3%A1s');
  expect(await page.locator('main').textContent()).toContain('Tomás Ferrer');
  await page.goto(`${inject('siteUrl')}/search?search=love&tab=audios`);
  const filters = page.getByRole('link', { name: 'Filters', exact: true });
  expect(await filters.getAttribute('rel')).toBe('nofollow');
  await filters.click();
  const form = page.getByRole('form', { name: 'Filters' });
  await form.getByText('More', { exact: true }).click();
  await form.getByRole('checkbox', { name: /^Free/ }).check({ force: true });
  await form.getByRole('button', { name: 'Show audios' }).click();
  expect(page.url()).toContain('/search?free=true&search=love');
  await page.getByRole('link', { name: 'Remove Free' }).waitFor();
  expect(await page.locator('main h2').allTextContents()).toEqual(['Audios']);
  await page.goto(`${inject('siteUrl')}/search?search=love&tab=audios`);
  await page.getByRole('link', { name: 'Next' }).click();
  expect(await page.locator('main').textContent()).toContain('Page 2 of');
  await page.goto(`${inject('siteUrl')}/search?search=love&tab=audios&page=9`);
  expect(await page.locator('main').textContent()).toMatch(/This page does not exist\.Previous$/);
});

test(
  'what is typed while a page loads is still there when it appears; what was typed before is not',
  slow,
  async () => {
    const { page, quiet } = await browser.open('/', desktop);
    const arrived = Promise.withResolvers<void>();
    await page.context().route('**/creators.data*', async (route) => {
      await arrived.promise;
      await route.continue();
    });
    const field = await openField(page, 'desktop');
    await field.fill('before');
    const asked = page.waitForRequest('**/creators.data*');
    await page.getByRole('banner').getByRole('link', { name: 'Creators' }).click();
    await asked;
    await field.fill('lov');
    arrived.resolve();
    await page.getByRole('heading', { name: 'Creators', level: 1 }).waitFor();
    await page.waitForURL('**/creators');
    expect(await field.inputValue()).toBe('lov');
    await quiet();
  },
);
