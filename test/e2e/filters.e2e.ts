/** @module-tag slow */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { eq, inArray } from 'drizzle-orm';
import { facets, tags } from '#domain/catalogue/tables.ts';
import { newId } from '#domain/kernel/ids.ts';
import { expectCleanForAxe, expectCleanInBothSizes, visitorOf } from '../support/accounts.ts';
import { seeNotice } from '../support/browser/account-page.ts';
import { desktop, mobile, overflowOf, useBrowser } from '../support/browser/browser.ts';
import { createAudio } from '../support/factories.ts';
import { newMember, seeTitles, startLibrarySite, visit } from '../support/library-site.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;

/** Eight audios: four of rain, four of sea, which are weathers; two of them of parting, one of these of the sea. */
beforeAll(async () => {
  site = await startLibrarySite();
  const { db, voice, category } = site;
  const [weather, notes] = [newId(), newId()];
  await db.insert(facets).values([
    {
      id: weather,
      slug: 'weather',
      label: 'Weather',
      explanation: 'What it sounds like.',
      chooses: 'many',
      position: 1,
    },
    { id: notes, slug: 'notes', label: 'Content notes', chooses: 'many', position: 2, hasContentNotes: true },
  ]);
  for (const [title, label] of [
    ['Farewell', 'rain'],
    ['Adieu', 'sea'],
  ] as const)
    await createAudio(db, {
      title,
      voiceId: voice.id,
      isFree: true,
      categoryIds: [category.id],
      tagLabels: [label, 'parting'],
      durationMs: 900_000,
      publishedAt: new Date(Date.now() - 86_400_000),
    });
  await db
    .update(tags)
    .set({ facetId: weather })
    .where(inArray(tags.slug, ['rain', 'sea']));
  await db.update(tags).set({ facetId: notes }).where(eq(tags.slug, 'parting'));
});

const list = '/categories/sonnets';
const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Filters' });
const pressBox = (page: Page, name: RegExp) =>
  page.getByRole('checkbox', { name }).evaluate((box: HTMLElement) => box.click());
const found = (page: Page) => page.locator('output.filter-found');
const at = (page: Page, query: string) => page.waitForURL((url) => url.pathname === list && url.search === query);

test('filters change the list beside them, are in the address, and Back takes one back', async () => {
  const { page, quiet } = await browser.open(list, visitorOf(site, desktop));
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await panelOf(page).getByText('What it sounds like.').waitFor();
  await pressBox(page, /^Rain 5/);
  await at(page, '?tag=rain');
  await expect.poll(() => found(page).textContent()).toBe('5 of 10 audios');
  await panelOf(page).getByRole('button', { name: 'Without parting' }).click();
  await at(page, '?not=parting&tag=rain');
  await expect.poll(() => found(page).textContent()).toBe('4 of 10 audios');
  await pressBox(page, /^Sea 4/);
  await at(page, '?not=parting&tag=rain,sea');
  await expect.poll(() => found(page).textContent()).toBe('8 of 10 audios');
  await page.getByText('Without parting', { exact: true }).waitFor();
  await expectCleanForAxe(page);
  await page.goBack();
  await at(page, '?not=parting&tag=rain');
  await page.goBack();
  await at(page, '?tag=rain');
  await expect.poll(() => found(page).textContent()).toBe('5 of 10 audios');
  // The panel stays through all of that.
  await page.getByRole('link', { name: 'Remove rain' }).click();
  await at(page, '');
  await panelOf(page).getByText('What it sounds like.').waitFor();
  for (const width of [1024, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await overflowOf(page)]).toEqual([width, 0]);
  }
  await quiet();
});

test('by keyboard: Shift and F, Tab and Space, and a hyphen', async () => {
  const { page, quiet } = await browser.open(list, visitorOf(site, desktop));
  await page.keyboard.press('Shift+F');
  await panelOf(page).getByText('What it sounds like.').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Filters');
  await page.getByRole('checkbox', { name: /^Rain/ }).focus();
  await page.keyboard.press('Space');
  await at(page, '?tag=rain');
  await page.keyboard.press('-');
  await at(page, '?not=rain');
  await page.keyboard.press('Shift+F');
  await panelOf(page).waitFor({ state: 'detached' });
  await quiet();
});

test('on a phone it is a sheet that says how many it would show, and Escape closes it', async () => {
  const { page, quiet } = await browser.open(list, visitorOf(site, mobile));
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await sheet.getByText('What it sounds like.').waitFor();
  await pressBox(page, /^Sea/);
  await sheet.getByRole('button', { name: 'Show 5 audios' }).waitFor();
  await expectCleanForAxe(page);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await seeTitles(page, ['Adieu', 'Ode', 'The Tide', 'Silent Noon', 'Echo']);
  expect(await overflowOf(page)).toBe(0);
  await quiet();
});

test('without scripts the filters are a form, whose answer has the address of the list', async () => {
  const { page } = await browser.open(list, { ...visitorOf(site, desktop), javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Filters', exact: true }).click();
  const form = page.getByRole('form', { name: 'Filters' });
  const tick = (name: RegExp | string) => form.getByRole('checkbox', { name }).check({ force: true });
  await tick(/^Rain/);
  await tick(/^Sea/);
  await tick('Without parting');
  await form.getByRole('button', { name: 'Show audios' }).click();
  await at(page, '?not=parting&tag=rain,sea');
  await page.getByText('8 of 10 audios').waitFor();
  await page.getByRole('link', { name: 'Remove rain' }).click();
  await at(page, '?not=parting&tag=sea');
});

test('a list without any is said so, with the filters whose removal finds most', async () => {
  const { page, quiet } = await browser.open(`${list}?length=long&tag=rain`, visitorOf(site, desktop));
  await page.getByRole('heading', { name: 'No audios' }).waitFor();
  await expectCleanInBothSizes(page);
  await page.getByRole('link', { name: 'Without 20 to 40 minutes 5' }).click();
  await at(page, '?tag=rain');
  await quiet();
});

test('search has the same filters, which leave its audios alone and count among what was looked for', async () => {
  const { page, quiet } = await browser.open('/search?search=maren', visitorOf(site, desktop));
  await page.getByRole('navigation', { name: 'Kinds of results' }).waitFor();
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await panelOf(page).getByText('What it sounds like.').waitFor();
  await pressBox(page, /^Rain 5/);
  await page.waitForURL((url) => url.search === '?search=maren&tag=rain');
  await expect.poll(() => found(page).textContent()).toBe('5 of 10 audios');
  expect(await page.locator('main h2').allTextContents()).toEqual(['Audios', 'Filters']);
  expect(await page.getByRole('navigation', { name: 'Kinds of results' }).count()).toBe(0);
  await expectCleanForAxe(page);
  await visit(page, '/search?length=long&search=maren&tag=rain');
  await page.getByRole('heading', { name: 'No audios' }).waitFor();
  await page.getByRole('link', { name: 'Without 20 to 40 minutes 5' }).click();
  await page.waitForURL((url) => url.search === '?search=maren&tag=rain');
  await page.getByRole('link', { name: 'Remove rain' }).click();
  await page.getByRole('navigation', { name: 'Kinds of results' }).waitFor();
  await quiet();
});

test('favorites in the Library are filtered beside their search field', async () => {
  const reader = await newMember(site);
  const viewer = { kind: 'user', id: reader.id, isSubscribed: false, isComplete: true } as const;
  const titles = ['Bright Star', 'Echo', 'Wild Nights', 'Silent Noon'];
  for (const { id } of site.audios.filter(({ title }) => titles.includes(title)))
    await site.site.library.setFavorite(viewer, { contentTypeId: 'audio', id, isFavorite: true });
  const { page, quiet } = await site.openAs(browser, reader, '/library', desktop);
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await panelOf(page).getByText('What it sounds like.').waitFor();
  await pressBox(page, /^Rain 2/);
  await page.waitForURL((url) => url.search === '?tag=rain');
  await expect.poll(() => found(page).textContent()).toBe('2 of 4 audios');
  await page.getByRole('searchbox', { name: 'Filter audios' }).fill('bright');
  await page.waitForURL((url) => url.search === '?filter=bright&tag=rain');
  await expect.poll(() => found(page).textContent()).toBe('1 of 1 audio');
  await seeTitles(page, ['Bright Star']);
  await expectCleanInBothSizes(page);
  await visit(page, '/library?length=long&tag=rain');
  await page.getByRole('heading', { name: 'No audios' }).waitFor();
  await page.getByRole('searchbox', { name: 'Filter audios' }).waitFor();
  await quiet();
});

test('a mix is saved, found in the Library with what is new in it, changed, renamed, deleted and restored', async () => {
  const reader = await newMember(site);
  const { page, quiet } = await site.openAs(browser, reader, `${list}?not=parting&tag=rain`, desktop);
  await page.getByRole('button', { name: 'Save as a mix' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as a mix' });
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Sonnets · Rain');
  await expectCleanForAxe(page);
  await dialog.getByLabel('Name').fill('Wet evenings');
  await dialog.getByRole('button', { name: 'Save mix' }).click();
  await seeNotice(page, 'Saved “Wet evenings” in your Library');

  await createAudio(site.db, {
    title: 'Drizzle',
    voiceId: site.voice.id,
    isFree: true,
    categoryIds: [site.category.id],
    tagLabels: ['rain'],
    publishedAt: new Date(),
  });
  await visit(page, '/library');
  await page.getByRole('navigation', { name: 'Library' }).getByRole('link', { name: 'Mixes 1' }).click();
  const row = page.locator('li.mix');
  await row.getByText('1 new').waitFor();
  await row.getByText('5 audios').waitFor();
  await row.getByText('Without parting').waitFor();
  await expectCleanInBothSizes(page);

  await row.getByRole('link', { name: 'Wet evenings' }).click();
  await page.getByRole('link', { name: 'Remove Without parting' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save mix' }).click();
  await seeNotice(page, 'Saved “Wet evenings”');
  await visit(page, '/library/mixes');
  await row.getByText('6 audios').waitFor();
  expect(await row.getByText('new', { exact: false }).count()).toBe(0);

  const menu = row.getByRole('button', { name: /^More about/ });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Rainy evenings');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await row.getByRole('link', { name: 'Rainy evenings' }).waitFor();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Delete mix' }).click();
  await page.getByRole('heading', { name: 'No mixes yet' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.getByRole('link', { name: 'Rainy evenings' }).waitFor();
  await quiet();
});
