/** @module-tag slow */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { expectCleanForAxe, expectCleanInBothSizes, modalOf, visitorOf } from '../../support/accounts.ts';
import { type AdminSite, expectToFit, startAdminSite } from '../../support/admin-site.ts';
import { button, hasFocus, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, hydrated, inBothSizes, mobile, useBrowser } from '../../support/browser/browser.ts';
import { createAudio, createCategory, createPlaylist, createSeries, createVoice } from '../../support/factories.ts';
import { newMember } from '../../support/library-site.ts';
import { memberState } from '../../support/payments/member-state.ts';

const browser = useBrowser({ images: false });
let site: AdminSite['site'];
let admin: AdminSite['admin'];
let open: AdminSite['open'];

beforeAll(async () => {
  ({ site, admin, open } = await startAdminSite(browser));
});

const titlesIn = (page: Page) => page.locator('.data-table tbody tr .cell a').allTextContents();

/** A creator with three audios, one of them a draft. */
async function threeAudios(name: string) {
  const voice = await createVoice(site.db, { name: `Heron ${name}`, slug: `heron-${name}` });
  const audios = [];
  for (const [title, publishedAt] of [
    ['Reeds', new Date(Date.now() - 60_000)],
    ['Mist', new Date(Date.now() - 60_000)],
    ['Ripples', null],
  ] as const)
    audios.push(await createAudio(site.db, { title: `${title} ${name}`, voiceId: voice.id, publishedAt }));
  return { voice, audios };
}

test('audios are found, filtered, sorted, and changed together, with a way back', async () => {
  const { voice } = await threeAudios('still');
  const category = await createCategory(site.db, { label: 'Still' });
  await createPlaylist(site.db, { title: 'Dusk' });
  const { page, quiet } = await open('/admin/audios', mobile);
  await expectCleanInBothSizes(page);

  // The key focuses the search, whose words are in the address.
  await page.keyboard.press('/');
  const search = page.getByRole('searchbox', { name: 'Search audios' });
  await expect.poll(() => hasFocus(search)).toBe(true);
  await search.fill('heron still');
  await page.waitForURL(/q=heron/);
  await expect.poll(async () => (await titlesIn(page)).length).toBe(3);
  await page.getByText('Filter', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Access' }).selectOption('subscribers');
  await page.getByRole('combobox', { name: 'Creator', exact: true }).fill('heron sti');
  await page.getByRole('option', { name: voice.name }).waitFor();
  await expectCleanInBothSizes(page);
  await page.keyboard.press('Enter');
  await button(page, 'Show audios').click();
  await page.waitForURL(/voice=heron/);
  await page.getByRole('link', { name: 'Remove the filter Access' }).waitFor();
  await inBothSizes(page, () => expectToFit(page));
  await page.goto(`/admin/audios?voice=${voice.slug}&sort=title`);
  await hydrated(page);
  expect(await titlesIn(page)).toEqual(['Mist still', 'Reeds still', 'Ripples still']);

  const pick = (title: string) => page.getByRole('checkbox', { name: `Select ${title} still` });
  await pick('Ripples').press('Space');
  await pick('Mist').press('Space');
  await page.getByRole('region', { name: '2 audios selected' }).or(page.getByLabel('2 selected')).waitFor();
  await expectCleanInBothSizes(page);
  await button(page, 'Publish').click();
  await seeNotice(page, '1 audio published');
  expect((await page.request.get('/audio/ripples-still')).status()).toBe(200);
  await button(page.locator('[data-toast]'), 'Undo').click();
  await seeNotice(page, '1 audio reset');
  expect((await page.request.get('/audio/ripples-still')).status()).toBe(404);

  // Cards have no header that selects all of them.
  for (const title of ['Mist', 'Reeds', 'Ripples']) await pick(title).press('Space');
  await button(page, 'Category').click();
  await modalOf(page).getByRole('checkbox', { name: category.label }).press('Space');
  await expectCleanInBothSizes(page, '.modal');
  await button(modalOf(page), 'Add').click();
  await seeNotice(page, '3 audios in these categories now');
  await page.goto(`/admin/audios?category=${category.slug}`);
  await hydrated(page);
  await expect.poll(async () => (await titlesIn(page)).length).toBe(3);

  await pick('Reeds').press('Space');
  await button(page, 'Playlist').click();
  await modalOf(page).getByRole('combobox', { name: 'Playlist' }).selectOption({ label: 'Dusk' });
  await button(modalOf(page), 'Add').click();
  await seeNotice(page, '1 audio added to the playlist');

  const csv = await page.request.get(`/admin/audios.csv?voice=${voice.slug}&sort=title`);
  expect((await csv.text()).trimEnd().split('\r\n')).toHaveLength(4);
  await page.goto('/admin/audios?q=nothing-has-this-name');
  await page.getByText('No results found').waitFor();
  await quiet();
});

test('one of many creators and tags is found by typing, by keyboard alone, and is named after a reload', async () => {
  const last = await createVoice(site.db, { name: 'Zephyr Åkerlund', slug: 'zephyr' });
  await createAudio(site.db, { title: 'Last of all', voiceId: last.id, tagLabels: ['Zest'] });
  // More than a list could offer; sorted before the one that is searched.
  await site.db.execute(sql`
    insert into voices (id, slug, name, sort_name, voice_type_label)
    select gen_random_uuid(), 'many-' || n, 'Many ' || n, 'many ' || n, 'Female voice' from generate_series(1, 600) n`);
  const { page, quiet } = await open('/admin/audios?sort=title');
  await page.getByText('Filter', { exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await hasFocus(page.getByRole('combobox', { name: 'Creator', exact: true }))).toBe(true);
  await page.keyboard.type('akerl');
  await page.getByRole('option', { name: 'Zephyr Åkerlund' }).waitFor();
  await inBothSizes(page, () => expectToFit(page));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await hasFocus(button(page, 'Remove Zephyr Åkerlund'))).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('zes');
  await page.getByRole('option', { name: 'Zest' }).waitFor();
  await page.keyboard.press('Enter');
  await button(page, 'Show audios').press('Enter');
  await page.waitForURL((url) => url.searchParams.get('voice') === 'zephyr' && url.searchParams.get('tag') === 'zest');
  await expect.poll(() => titlesIn(page)).toEqual(['Last of all']);
  await page.reload();
  const chips = page.locator('.filter-token');
  await expect.poll(() => chips.allTextContents()).toEqual(['Creator: Zephyr Åkerlund', 'Tag: Zest']);
  // The open filters name it too, and keep it.
  await page.getByText('Filter', { exact: true }).click();
  await button(page, 'Remove Zephyr Åkerlund').waitFor();
  await expectCleanInBothSizes(page);
  await inBothSizes(page, () => expectToFit(page));
  await button(page, 'Show audios').click();
  await page.getByRole('link', { name: 'Remove the filter Creator' }).press('Enter');
  await page.waitForURL((url) => !url.searchParams.has('voice') && url.searchParams.get('tag') === 'zest');
  await page.getByText('Filter', { exact: true }).click();
  await expect.poll(() => button(page, 'Remove Zephyr Åkerlund').count()).toBe(0);
  await quiet();
});

test('a series is made for a creator, hidden, linked, deleted and brought back', async () => {
  const { voice, audios } = await threeAudios('wing');
  const series = await createSeries(site.db, {
    title: 'Marsh',
    voiceId: voice.id,
    audioIds: audios.map(({ id }) => id),
  });
  const { page, quiet } = await open('/admin/series?q=marsh');
  await expectCleanInBothSizes(page);
  const choose = async (item: string) => {
    await button(page, `More for ${series.title}`).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  const status = async (path: string) => (await page.request.get(path, { maxRedirects: 0 })).status();
  await choose('Hide');
  await seeNotice(page, `${series.title} is hidden`);
  await expect.poll(() => status(`/series/${series.slug}`)).toBe(404);
  await choose('Show again');
  await seeNotice(page, `${series.title} is shown again`);
  await expect.poll(() => status(`/series/${series.slug}`)).toBe(200);
  await choose('Use as creator’s page');
  await page.getByText('Used as the creator’s page').waitFor();
  await choose('Delete');
  await seeNotice(page, `${series.title} is deleted`);
  await button(page, `Restore ${series.title}`).click();
  await button(page, `More for ${series.title}`).waitFor();
  await button(page, 'New series').click();
  await modalOf(page).getByRole('combobox', { name: 'Creator', exact: true }).fill(voice.name);
  await page.getByRole('option', { name: voice.name }).click();
  await modalOf(page).getByRole('textbox', { name: 'Title' }).fill('Tide');
  await expectCleanInBothSizes(page, '.modal');
  await button(modalOf(page), 'Create series').click();
  await page.waitForURL(/\/studio\/heron-wing\/series\//);
  await quiet();
});

test('a large act shows its progress, continues in a job, and is stopped', async () => {
  const crowd = await createVoice(site.db, { name: 'Crowd', slug: 'crowd' });
  await site.db.execute(sql`
    insert into audios (id, slug, title, sort_title, voice_id, file_key, file_mime, file_bytes, duration_ms, published_at)
    select gen_random_uuid(), 'crowd-' || n, 'Crowd ' || n, 'crowd ' || n, ${crowd.id}, 'audio/x.mp3', 'audio/mpeg', 1, 1000, now()
    from generate_series(1, 1900) n`);
  const { page, quiet } = await open('/admin/audios?voice=crowd');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).press('Space');
  await button(page, 'Select all 1,900 that match').click();
  await page.getByText('1,900 audios selected').waitFor();
  await button(page, 'Make free').click();
  await page.getByRole('progressbar').waitFor();
  await expectCleanForAxe(page);
  // Another page of the same operator shows it too.
  const { page: other } = await open('/admin/audios', mobile);
  await other.getByRole('progressbar').waitFor();
  await button(page, 'Stop').click();
  await page.getByText(/^Stopping: /).waitFor();
  const [act] = await site.site.admin.content.listOpenBulkActs({ kind: 'operator' });
  expect(site.jobs).toContain(`run-bulk-act ${act?.id}`);
  await site.site.admin.content.runBulkAct(act?.id ?? '');
  await page.getByText(/^Stopped after [\d,]+ of 1,900: [\d,]+ audios? now free$/).waitFor();
  await quiet();
});

test('two operators choose the preview: the second gets a conflict; pictures are set and removed', async () => {
  const { audios } = await threeAudios('preview');
  const { page: hers } = await open('/admin/preview');
  const { page: his, quiet } = await open('/admin/preview', mobile);
  await expectCleanForAxe(hers);
  for (const [page, title] of [
    [hers, audios[0]?.title],
    [his, audios[1]?.title],
  ] as const) {
    await page.getByRole('combobox', { name: 'Find an audio' }).fill(title ?? '');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await button(page, 'Make it the preview').waitFor();
  }
  await expectCleanForAxe(his);
  await button(hers, 'Make it the preview').click();
  await seeNotice(hers, `${audios[0]?.title} is the preview now`);
  await button(his, 'Make it the preview').click();
  await seeNotice(his, `${admin.username} chose the preview meanwhile.`);
  await his.getByRole('link', { name: audios[0]?.title ?? '' }).waitFor();
  await quiet([expect.stringContaining('409')]);

  const category = await createCategory(site.db, { label: 'Lanterns', position: 99 });
  const { page } = await open('/admin/categories');
  await button(page, `More for ${category.label}`).click();
  await page.getByRole('menuitem', { name: 'Picture', exact: true }).click();
  const png = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 80;
    canvas.getContext('2d')?.fillRect(0, 0, 80, 80);
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });
  const file = { name: 'lantern.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') };
  await page.getByLabel('File of the picture').setInputFiles(file);
  await button(modalOf(page), 'Save picture').click();
  await seeNotice(page, 'Picture saved');
  await expectCleanForAxe(page, '.modal');
  await button(modalOf(page), 'Remove').click();
  await seeNotice(page, 'Picture removed');
});

test('others find none of these pages', async () => {
  const listener = await newMember(site);
  const { page } = await browser.open('/', {
    ...visitorOf(site, desktop),
    storageState: await memberState(site, listener.id),
  });
  for (const path of ['audios', 'audios.csv', 'series', 'preview'])
    expect([path, (await page.request.get(`/admin/${path}`)).status()]).toEqual([path, 404]);
});

test('keys walk the rows and select, and are turned off; a page that fails leaves the navigation', async () => {
  const { voice } = await threeAudios('keys');
  const { page, quiet } = await open(`/admin/audios?voice=${voice.slug}&sort=title`);
  const link = (title: string) => page.getByRole('link', { name: `${title} keys`, exact: true });
  for (const [key, title] of [
    ['j', 'Mist'],
    ['j', 'Reeds'],
    ['k', 'Mist'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => hasFocus(link(title))).toBe(true);
  }
  await page.keyboard.press('x');
  const box = page.getByRole('checkbox', { name: 'Select Mist keys' });
  await expect.poll(() => box.isChecked()).toBe(true);
  await button(page, 'Turn single-key shortcuts off').click();
  await link('Mist').focus();
  await page.keyboard.press('x');
  expect(await box.isChecked()).toBe(true);
  await button(page, 'Turn single-key shortcuts on').click();

  // Loaded data stays when the next page fails.
  await page.context().route('**/admin/users.data*', (route) => route.fulfill({ status: 500, body: 'It failed.' }));
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await seeNotice(page, 'This page could not be loaded. Please try again.');
  await link('Mist').waitFor();

  await page.goto(`/admin/users/${crypto.randomUUID()}`);
  await page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor();
  await expectCleanForAxe(page);
  await page.getByRole('link', { name: 'Tags', exact: true }).click();
  await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor();
  await quiet([expect.stringContaining('500'), expect.stringContaining('404')]);
});

test('a filter and words that are chosen at once both count, on a slow network too', async () => {
  const { page, quiet } = await open('/admin/audios');
  const network = Promise.withResolvers<void>();
  // A navigation replaced by another one must not continue.
  await page.context().route('**/admin/audios.data*', async (route) => {
    await network.promise;
    await route.continue().catch(() => undefined);
  });
  await page.getByRole('searchbox', { name: 'Search audios' }).fill('fog');
  await page
    .getByRole('navigation', { name: 'State' })
    .getByRole('link', { name: /^Published/ })
    .click();
  // The words are sent when typing pauses; they are in the next address, like the state.
  const chip = page.getByRole('navigation', { name: 'State' }).getByRole('link', { name: /^All/ });
  await expect.poll(() => chip.getAttribute('href')).toContain('q=fog');
  network.resolve();
  await page.waitForURL((url) => url.searchParams.get('q') === 'fog');
  expect(new URL(page.url()).searchParams.get('state')).toBe('published');
  await quiet();
});

test('chips, sort heads and removed filters keep words that no render shows yet', async () => {
  const voice = await createVoice(site.db, { name: 'Ibis', slug: 'ibis' });
  await createAudio(site.db, { title: 'Heronry', voiceId: voice.id, isFree: true });
  const { page, quiet } = await open('/admin/audios?access=free');
  /** Sends words and presses a link in one task, in which nothing is rendered. */
  const sendAndPress = async (words: string, link: Locator) => {
    await hydrated(page);
    const target = await link.elementHandle();
    await page.evaluate(
      ([typed, pressed]) => {
        const field = document.querySelector<HTMLInputElement>('main input[type=search]');
        if (field === null) throw new Error('no search field');
        field.value = typed;
        field.form?.requestSubmit();
        (pressed as HTMLElement).click();
      },
      [words, target] as const,
    );
    await page.waitForURL((url) => url.searchParams.get('q') === words);
  };
  const query = () => Object.fromEntries(new URL(page.url()).searchParams);
  const chip = (name: RegExp) => page.getByRole('navigation', { name: /^(State|Which)/ }).getByRole('link', { name });
  await sendAndPress('a', chip(/^Published/));
  expect(query()).toEqual({ access: 'free', q: 'a', state: 'published' });
  await sendAndPress('b', chip(/^All/));
  expect(query()).toEqual({ access: 'free', q: 'b' });
  await page.goto('/admin/audios?access=free&q=heronry');
  await sendAndPress('heron', page.getByRole('columnheader', { name: 'Audio' }).getByRole('link'));
  expect(query()).toEqual({ access: 'free', q: 'heron', sort: 'title' });
  await sendAndPress('her', page.getByRole('link', { name: 'Remove the filter Access' }));
  expect(query()).toEqual({ q: 'her', sort: 'title' });
  await page.goto('/admin/subscriptions');
  await sendAndPress('sub', chip(/^Active/));
  expect(query()).toEqual({ q: 'sub', state: 'active' });
  await quiet();
});
