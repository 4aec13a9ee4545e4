/** @module-tag slow */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { categories } from '#domain/catalogue/tables.ts';
import { setAdmin } from '#domain/identity/operators.ts';
import { operator } from '#domain/kernel/actor.ts';
import { expectToFit } from '../../support/admin-site.ts';
import { expectCleanInBothSizes, modalOf, visitorOf } from '../../support/accounts.ts';
import { button, hasFocus, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, hydrated, inBothSizes, mobile, useBrowser } from '../../support/browser/browser.ts';
import { createAudio, createCategory, createPlaylist, createVoice } from '../../support/factories.ts';
import { newMember, startLibrarySite } from '../../support/library-site.ts';
import { memberState } from '../../support/payments/member-state.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;
let ada: Awaited<ReturnType<typeof newMember>>;

beforeAll(async () => {
  site = await startLibrarySite();
  ada = await newMember(site);
  await setAdmin(site.db, ada.id, true);
});

async function open(path: string, layout: BrowserContextOptions = desktop) {
  const opened = await browser.open(path, {
    ...visitorOf(site, layout),
    storageState: await memberState(site, ada.id),
  });
  await opened.page.locator('main h1').waitFor();
  await inBothSizes(opened.page, () => expectToFit(opened.page));
  return opened;
}

const listOf = (page: Page, name: string): Locator => page.getByRole('list', { name, exact: true });
const namesIn = (page: Page, name: string) => listOf(page, name).locator('li b, li .font-semibold').allTextContents();
const field = (page: Page, name: string) => modalOf(page).getByRole('textbox', { name });

const gripOf = (page: Page, title: string) => page.getByRole('button', { name: `Move ${title}, ` });
const saveOrder = (page: Page) =>
  page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' }).click();

test('a creator is made, gets an owner, is hidden and shown, and is merged into another', async () => {
  const owner = await newMember(site);
  const target = await createVoice(site.db, { name: 'Target' });
  const { page, quiet } = await open('/admin/voices', mobile);
  await expectCleanInBothSizes(page);
  await button(page, 'New creator').click();
  await field(page, 'Name').fill('Noor');
  await expectCleanInBothSizes(page, '.modal');
  const [about, label] = await Promise.all(
    ['Portrait, address and series', 'Name'].map((text) => modalOf(page).getByText(text).first().boundingBox()),
  );
  expect((label?.y ?? 0) - (about?.y ?? 0) - (about?.height ?? 0)).toBeGreaterThanOrEqual(16);
  await button(modalOf(page), 'Create creator').click();
  await page.getByRole('heading', { level: 1, name: 'Noor' }).waitFor();
  await expectCleanInBothSizes(page);

  const account = page.getByRole('textbox', { name: 'Email or username' });
  await account.fill('nobody-at-all');
  await button(page, 'Add owner').click();
  await seeNotice(page, 'There is no account with this email or username.');
  await account.fill(owner.username);
  await button(page, 'Add owner').click();
  await seeNotice(page, `${owner.username} now owns Noor`);
  await button(page, `Remove ${owner.username}`).waitFor();

  await button(page, 'Hide').click();
  await button(page, 'Show again').waitFor();
  expect((await page.request.get('/creators/noor')).status()).toBe(404);
  await button(page, 'Show again').click();
  await button(page, 'Hide').waitFor();
  await expect.poll(async () => (await page.request.get('/creators/noor')).status()).toBe(200);

  await button(page, 'Merge into another').click();
  const modal = modalOf(page);
  await modal.getByText(/^This cannot be undone: 0 audios, 0 series, 1 owner/).waitFor();
  const into = modal.getByRole('combobox', { name: 'Into' });
  await into.fill('nothing like it');
  await modal.getByRole('status').getByText('Nothing found for “nothing like it”').waitFor();
  await into.fill('target');
  await modal.getByRole('status').getByText('1 found').waitFor({ state: 'attached' });
  await expectCleanInBothSizes(page, '.modal');
  await page.keyboard.press('Escape');
  await expect.poll(() => modal.getByRole('option').count()).toBe(0);
  await page.keyboard.press('ArrowDown');
  await modal.getByRole('option', { name: target.name }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await hasFocus(button(modal, `Remove ${target.name}`))).toBe(true);
  expect(await button(modal, 'Merge creators').isDisabled()).toBe(true);
  await modal.getByRole('textbox', { name: 'Type “Noor”' }).fill('Noor');
  await button(modal, 'Merge creators').click();
  await page.getByRole('heading', { level: 1, name: target.name }).waitFor();
  const led = await page.request.get('/creators/noor', { maxRedirects: 0 });
  expect([led.status(), led.headers()['location']]).toEqual([301, `/creators/${target.slug}`]);
  await quiet([expect.stringContaining('404')]);
});

test('a category is made, renamed, hidden, ordered, deleted, and brought back by Undo', async () => {
  const label = 'Rain';
  await createCategory(site.db, { label: 'Fog', position: 90 });
  const { page, quiet } = await open('/admin/categories');
  await button(page, 'New category').click();
  await field(page, 'Name').fill(label);
  await button(modalOf(page), 'Create category').click();
  await seeNotice(page, `${label} is created`);
  await expectCleanInBothSizes(page);
  const choose = async (item: string) => {
    await button(page, `More for ${label}`).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  await choose('Hide');
  await page.getByText('/rain, hidden').waitFor();
  await choose('Show again');
  await page.getByText('/rain', { exact: true }).waitFor();

  // Space picks up, arrows move, Space puts down.
  const before = await namesIn(page, 'Categories');
  const grip = gripOf(page, label);
  await grip.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowUp');
  await page.getByText(`${label}, place ${before.length - 1} of ${before.length}`).waitFor();
  expect(await hasFocus(grip)).toBe(true);
  await page.keyboard.press('Escape');
  expect(await namesIn(page, 'Categories')).toEqual(before);
  await page.keyboard.press('Space');
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await saveOrder(page);
  await seeNotice(page, 'Order saved');
  await page.reload();
  await expect.poll(async () => (await namesIn(page, 'Categories'))[0]).toBe(label);

  await choose('Delete');
  const modal = modalOf(page);
  await modal.getByText(/^0 audios and 0 creators lose this category/).waitFor();
  await modal.getByText(/You can restore it with all of that for 30 days\.$/).waitFor();
  expect(await modal.getByRole('textbox').count()).toBe(0);
  await expectCleanInBothSizes(page, '.modal');
  await button(modal, 'Delete category').click();
  await seeNotice(page, `${label} is deleted`);
  await expect.poll(() => namesIn(page, 'Categories')).not.toContain(label);
  await button(page, `Restore ${label}`).waitFor();
  await button(page.locator('[data-toast]'), 'Undo').click();
  await expect.poll(() => namesIn(page, 'Categories')).toContain(label);
  await quiet();
});

test('a creator is deleted after one question, and brought back from the list of deleted ones', async () => {
  const voice = await createVoice(site.db, { name: 'Grey Heron' });
  const { page, quiet } = await open(`/admin/voices/${voice.id}`, mobile);
  await button(page, 'Delete creator').click();
  const modal = modalOf(page);
  await modal.getByText(/You can restore all of that for 30 days\.$/).waitFor();
  expect(await modal.getByRole('textbox').count()).toBe(0);
  await expectCleanInBothSizes(page, '.modal');
  await button(modal, 'Delete creator').press('Enter');
  await seeNotice(page, 'Grey Heron is deleted');
  expect((await page.request.get(`/creators/${voice.slug}`)).status()).toBe(404);
  await expectCleanInBothSizes(page);
  // The text has the width of the row, and the button its own.
  const [text, restore] = await Promise.all([
    page.getByText('Permanently deleted 30 days after deletion.').first().boundingBox(),
    button(page, 'Restore Grey Heron').boundingBox(),
  ]);
  expect(text?.width).toBeGreaterThan(200);
  expect(restore?.width).toBeLessThan(120);
  await button(page, 'Restore Grey Heron').press('Enter');
  await seeNotice(page, 'Grey Heron is restored');
  await expect.poll(async () => (await page.request.get(`/creators/${voice.slug}`)).status()).toBe(200);
  await quiet();
});

test('a tag is found, renamed, and merged into another', async () => {
  await createAudio(site.db, { voiceId: site.voice.id, tagLabels: ['Drizzle', 'Storm'] });
  const { page, quiet } = await open('/admin/tags', { ...mobile, colorScheme: 'light' });
  await page.getByRole('searchbox', { name: 'Search tags' }).fill('drizzle');
  await page.keyboard.press('Enter');
  await button(page, 'Rename Drizzle').waitFor();
  await expectCleanInBothSizes(page);
  await button(page, 'Rename Drizzle').click();
  await field(page, 'Name').fill('Storm');
  await button(modalOf(page), 'Rename').click();
  await modalOf(page).getByText('Another tag has this name. Merge them instead.').waitFor();
  await button(modalOf(page), 'Cancel').click();
  await button(page, 'Merge Drizzle').click();
  await modalOf(page)
    .getByText('This cannot be undone: the other tag takes over 1 audio and 0 listeners who hide it.')
    .waitFor();
  const into = modalOf(page).getByRole('combobox', { name: 'Into' });
  await into.fill('sto');
  await page.getByRole('option', { name: 'Storm' }).click();
  await button(modalOf(page), 'Remove Storm').press('Enter');
  expect(await hasFocus(into)).toBe(true);
  await into.fill('storm');
  await page.getByRole('option', { name: 'Storm' }).waitFor();
  await page.keyboard.press('Enter');
  await button(modalOf(page), 'Merge tags').click();
  await seeNotice(page, 'Drizzle is merged into Storm');
  await page.getByText(/^\d+ without this filter\./).waitFor();
  await quiet([expect.stringContaining('409')]);
});

test('a playlist is made, filled by search, ordered, published, and a deletion is undone', async () => {
  const title = 'After Midnight';
  const { page, quiet } = await open('/admin/playlists');
  await expectCleanInBothSizes(page);
  await button(page, 'New playlist').click();
  await field(page, 'Title').fill(title);
  await button(modalOf(page), 'Create playlist').click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  const find = page.getByRole('combobox', { name: 'Add an audio' });
  for (const word of ['bright', 'echo']) {
    await find.fill(word);
    await page.getByRole('option').first().waitFor();
    await expectCleanInBothSizes(page);
    await find.press('Enter');
  }
  await expect.poll(() => namesIn(page, 'Audios of this playlist')).toEqual(['Bright Star', 'Echo']);
  await gripOf(page, 'Echo').focus();
  for (const key of ['Space', 'ArrowUp', 'Space']) await page.keyboard.press(key);
  await saveOrder(page);
  await seeNotice(page, 'Saved');
  // After a row is removed by keyboard, the focus is on the next one.
  await button(page, 'Remove: Echo').press('Enter');
  await expect.poll(() => hasFocus(gripOf(page, 'Bright Star'))).toBe(true);
  await button(page, 'Undo').press('Enter');
  const [day, time] = ['Day', 'Time'].map((label) => page.getByLabel(label, { exact: true }));
  await page.getByRole('radio', { name: /^Schedule/ }).check();
  await day?.fill('2001-01-15');
  await button(page, 'Schedule').click();
  await page.getByText('Choose a time in the future.').waitFor();
  await day?.fill('2031-01-31');
  await time?.fill('10:00');
  await button(page, 'Schedule').click();
  await seeNotice(page, 'Scheduled');
  // The operator's clock, not the site's.
  await page.reload();
  expect([await day?.inputValue(), await time?.inputValue()]).toEqual(['2031-01-31', '10:00']);
  expect(await (await page.request.get(page.url())).text()).toMatch(/value="2031-01-31"[^]*value="10:00"/);
  await page.getByRole('radio', { name: /^Published/ }).check();
  await button(page, 'Publish now').click();
  await seeNotice(page, 'Published');
  const places = page.getByRole('region', { name: 'Where it shows' });
  await expect.poll(() => places.locator('dd').first().textContent()).toMatch(/^Number \d+ of \d+$/);
  // The bar at the top covers content scrolled under it.
  await page.evaluate(() => window.scrollTo(0, 0));
  await expectCleanInBothSizes(page);
  expect((await page.request.get('/playlists/after-midnight')).status()).toBe(200);
  await page.reload();
  await hydrated(page);
  expect(await namesIn(page, 'Audios of this playlist')).toEqual(['Echo', 'Bright Star']);
  await button(page, 'Delete').click();
  await expectCleanInBothSizes(page, '.modal');
  await button(modalOf(page), 'Delete playlist').click();
  await seeNotice(page, `${title} is deleted`);
  await button(page, `Restore ${title}`).waitFor();
  await button(page.locator('[data-toast]'), 'Undo').click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await expect.poll(async () => (await page.request.get('/playlists/after-midnight')).status()).toBe(200);
  await quiet();
});

test('two operators change one playlist: the second gets a conflict, and nothing is lost', async () => {
  const [first, second] = site.audios;
  const playlist = await createPlaylist(site.db, { audioIds: [first?.id ?? '', second?.id ?? ''] });
  const path = `/admin/playlists/${playlist.id}`;
  const { page: hers } = await open(path);
  const { page: his, quiet } = await open(path, mobile);
  await button(hers, `Remove: ${first?.title}`).click();
  await button(his, `Remove: ${second?.title}`).click();
  await saveOrder(hers);
  await seeNotice(hers, 'Saved');
  await saveOrder(his);
  const versions = his.getByRole('alert');
  await versions.getByText(/ changed this meanwhile, /).waitFor();
  await versions.getByText(`Yours: ${first?.title}`).waitFor();
  await versions.getByText(`Theirs: ${second?.title}`).waitFor();
  await expect.poll(() => namesIn(his, 'Audios of this playlist')).toEqual([first?.title]);
  await button(his, 'Take theirs: Audios').click();
  await expect.poll(() => namesIn(his, 'Audios of this playlist')).toEqual([second?.title]);

  // The same with its own picture, which replaces the portraits.
  const file = { name: 'dusk.png', mimeType: 'image/png', buffer: await onePicture(hers) };
  for (const page of [hers, his]) {
    await page.getByLabel('File of the picture').setInputFiles(file);
    await button(page, 'Save picture').click();
    if (page === hers) await seeNotice(page, 'Picture saved');
  }
  await his.getByText(`${ada.username} changed this picture meanwhile.`).waitFor();
  const address = (await hers.getByRole('img', { name: 'The picture' }).getAttribute('src'))?.split('?')[0] ?? '';
  expect(await (await hers.request.get(`/playlists/${playlist.slug}`)).text()).toContain(address);
  await button(hers, 'Remove').click();
  await seeNotice(hers, 'Picture removed');
  await quiet([expect.stringContaining('409'), expect.stringContaining('409')]);
});

test('two operators edit one category and one tag: the second sees the other version, keeps hers, and chooses', async () => {
  const category = await createCategory(site.db, { label: 'Ember', description: 'Warm' });
  await createAudio(site.db, { voiceId: site.voice.id, tagLabels: ['Glow'] });
  const { page: his } = await open('/admin/categories');
  const { page: hers, quiet } = await open('/admin/categories', { ...mobile, colorScheme: 'light' });
  const edit = async (page: Page, label: string) => {
    await button(page, `More for ${label}`).click();
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  };
  for (const page of [his, hers]) await edit(page, 'Ember');
  await field(his, 'Name').fill('Embers');
  await field(his, 'Description').fill('Warm and slow');
  await button(modalOf(his), 'Save').click();
  await seeNotice(his, 'Saved');

  // Another field than his: both changes stay.
  await field(hers, 'Description').fill('Very warm');
  await button(modalOf(hers), 'Save').press('Enter');
  const alert = modalOf(hers).getByRole('alert');
  await alert.getByText(/ changed this meanwhile, .*Your changes are still here\./).waitFor();
  await alert.getByText('Theirs: Warm and slow').waitFor();
  await alert.getByText('Yours: Very warm').waitFor();
  expect(await field(hers, 'Name').inputValue()).toBe('Embers');
  expect(await field(hers, 'Description').inputValue()).toBe('Very warm');
  await expectCleanInBothSizes(hers, '.modal');
  await button(modalOf(hers), 'Load theirs').click();
  await expect.poll(() => field(hers, 'Description').inputValue()).toBe('Warm and slow');
  await expect.poll(() => alert.count()).toBe(0);
  await field(hers, 'Description').fill('Very warm');
  await button(modalOf(hers), 'Save').click();
  await seeNotice(hers, 'Saved');
  const [stored] = await site.db.select().from(categories).where(eq(categories.id, category.id));
  expect(stored).toMatchObject({ label: 'Embers', description: 'Very warm' });

  // The new name moves the tag out of the searched list; the dialog still knows it.
  for (const page of [his, hers]) {
    await page.goto('/admin/tags?q=glow');
    await button(page, 'Rename Glow').click();
  }
  await field(his, 'Name').fill('Shine');
  await button(modalOf(his), 'Rename').click();
  await seeNotice(his, 'Renamed');
  await field(hers, 'Name').fill('Glowing');
  await button(modalOf(hers), 'Rename').click();
  await alert.getByText('Theirs: Shine').waitFor();
  expect(await field(hers, 'Name').inputValue()).toBe('Glowing');
  await button(modalOf(hers), 'Save mine instead').click();
  await button(hers, 'Rename Glowing').waitFor();
  await quiet([expect.stringContaining('409'), expect.stringContaining('409')]);
});

test('what another operator changed is not lost when the page was loaded again meanwhile', async () => {
  const playlist = await createPlaylist(site.db, { title: 'Dawn', description: 'Early', publishedAt: null });
  const { page, quiet } = await open(`/admin/playlists/${playlist.id}`);
  const texts = page.getByRole('region', { name: 'Text' });
  const title = texts.getByRole('textbox', { name: 'Title' });
  await title.fill('Dawn chorus');
  expect(
    await site.site.admin.content.editPlaylist(operator, playlist.id, { title: 'First light', description: 'Birds' }),
  ).toEqual({ ok: true });
  // Reloads the data of the page.
  await button(page, 'Publish now').click();
  await texts.getByText(/^Someone else changed this meanwhile(, .+)?\. Your changes are still here\./).waitFor();
  expect(await title.inputValue()).toBe('Dawn chorus');
  expect(await texts.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('Birds');
  await expectCleanInBothSizes(page);
  await button(texts, 'Load theirs').click();
  await expect.poll(() => title.inputValue()).toBe('First light');
  await title.fill('First song');
  await button(texts, 'Save text').click();
  await seeNotice(page, 'Saved');
  await page.getByRole('heading', { level: 1, name: 'First song' }).waitFor();
  await quiet();
});

async function onePicture(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 80;
    canvas.getContext('2d')?.fillRect(0, 0, 80, 80);
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });
  return Buffer.from(base64, 'base64');
}

test('a change that is not saved stays with its playlist on the way back through the history', async () => {
  const [first, second] = [await createPlaylist(site.db), await createPlaylist(site.db)];
  const { page, quiet } = await open(`/admin/playlists/${first.id}`);
  await page.getByRole('main').getByRole('link', { name: 'Playlists' }).click();
  await page.getByRole('link', { name: second.title, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: second.title }).waitFor();
  const find = page.getByRole('combobox', { name: 'Add an audio' });
  await find.fill('echo');
  await page.getByRole('option').first().waitFor();
  await find.press('Enter');
  await expect.poll(() => namesIn(page, 'Audios of this playlist')).toEqual(['Echo']);
  // Directly from one playlist to another: the page stays mounted with other data.
  await page.evaluate(() => window.history.go(-2));
  await page.getByRole('heading', { level: 1, name: first.title }).waitFor();
  await page.getByText('No audios yet').waitFor();
  await quiet();
});

test('rows are dragged by their grip', async () => {
  const ids = site.audios.slice(0, 3).map(({ id }) => id);
  const playlist = await createPlaylist(site.db, { audioIds: ids });
  const { page, quiet } = await open(`/admin/playlists/${playlist.id}`);
  const [from, to] = await Promise.all(
    ['Bright Star', 'Wild Nights'].map((title) => gripOf(page, title).boundingBox()),
  );
  if (!from || !to) throw new Error('no grips');
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 10, to.y + 20, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => namesIn(page, 'Audios of this playlist')).toEqual(['Echo', 'Wild Nights', 'Bright Star']);
  await button(page, 'Undo').click();
  expect(await namesIn(page, 'Audios of this playlist')).toEqual(['Bright Star', 'Echo', 'Wild Nights']);
  await quiet();
});

test('others find none of these pages', async () => {
  const listener = await newMember(site);
  const { page } = await browser.open('/', {
    ...visitorOf(site, desktop),
    storageState: await memberState(site, listener.id),
  });
  for (const path of ['voices', 'categories', 'tags', 'playlists', `voices/${site.voice.id}`])
    expect([path, (await page.request.get(`/admin/${path}`)).status()]).toEqual([path, 404]);
});
