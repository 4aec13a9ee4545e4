/** @module-tag slow */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addDemoFigures } from '#demo/figures.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { newId } from '#domain/kernel/ids.ts';
import { expectToFit } from '../../support/admin-site.ts';
import { expectCleanForAxe, registered, visitorOf } from '../../support/accounts.ts';
import { desktop, hydrated, inBothSizes, mobile, sound, useBrowser } from '../../support/browser/browser.ts';
import { createAudio, createCategory, createUser, createVoice } from '../../support/factories.ts';
import { openAs, openPageAs } from '../../support/listener.ts';
import { startWholeSite } from '../../support/whole-site.ts';

const whole = await startWholeSite();
const { db, site, blobs, database } = whole;
const browser = useBrowser({ images: false });

const recording = fileURLToPath(new URL('../../../demo/audio/bright-star.mp3', import.meta.url));
const bytes = await readFile(recording);
await blobs.write('audio/bright-star.mp3', bytes);
const file = { fileKey: 'audio/bright-star.mp3', fileBytes: bytes.length, durationMs: 60_000 };

const creator = await registered(whole);
const voice = await createVoice(db, { slug: 'nora-azadi', name: 'Nora Azadi' });
await setVoiceOwner(db, voice.slug, creator.id, true);
const lived = new Date(Date.now() - 200 * 86_400_000);
const first = await createAudio(db, { voiceId: voice.id, title: 'First Song', publishedAt: lived, plays: 60_000 });
await createAudio(db, { voiceId: voice.id, title: 'Second Song', publishedAt: lived, plays: 20_000 });
await addDemoFigures(db, voice.slug, new Date());

const quietVoice = await createVoice(db, { slug: 'quiet-voice', name: 'Quiet Voice' });
await setVoiceOwner(db, quietVoice.slug, creator.id, true);
const quietAudio = await createAudio(db, { ...file, voiceId: quietVoice.id, title: 'Quiet Song', isFree: true });

function asCreator(path: string, options: BrowserContextOptions = desktop) {
  return openPageAs(browser, creator, path, visitorOf(whole, options));
}
const tile = (page: Page, name: string) =>
  page
    .locator('.stat')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
    .first()
    .locator('.stat__value');
const today = new Date().toISOString().slice(0, 10);

test('listening in one browser is counted in the Studio, from ten listeners on', async () => {
  await database.pool.query(
    `insert into figure_changes (kind, voice_id, audio_id, is_member, source, mark)
     select 'play', $1, $2, false, 'search', (n << 4) + 1 from generate_series(1, 9) n`,
    [quietVoice.id, quietAudio.id],
  );
  await site.listening.addUpFigures();
  const studio = await asCreator(`/studio/${quietVoice.slug}/figures?from=${today}&to=${today}`);
  for (const name of ['Plays', 'Listeners', 'Hours heard', 'New favorites', 'Heard to the end'])
    expect(await tile(studio.page, name).textContent()).toBe('Under 10');

  const listener = await browser.open(`/audio/${quietAudio.slug}`, visitorOf(whole, desktop));
  await listener.page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
  await expect.poll(async () => (await sound(listener.page)).time).toBeGreaterThan(0.2);
  await expect
    .poll(async () => (await database.pool.query(`select source from figure_changes where kind = 'play'`)).rows)
    .toEqual([{ source: 'audio_details' }]);
  await listener.quiet();
  await site.listening.addUpFigures();

  await studio.page.reload();
  await hydrated(studio.page);
  expect(await tile(studio.page, 'Plays').textContent()).toBe('10');
  expect(await tile(studio.page, 'Listeners').textContent()).toBe('10');
  expect(await tile(studio.page, 'Hours heard').textContent()).toBe('Under 10');
  await studio.quiet();
});

test('periods are links that stay, and chosen dates, the audio and the table work without script', async () => {
  const { page, quiet } = await asCreator(`/studio/${voice.slug}/figures`);
  const period = page.getByRole('navigation', { name: 'Period' });
  expect(await period.locator('[aria-current]').textContent()).toBe('28 days');
  const plays = await tile(page, 'Plays').textContent();
  await period.getByRole('link', { name: '90 days' }).click();
  await page.waitForURL(/days=90/);
  await expect.poll(() => tile(page, 'Plays').textContent()).not.toBe(plays);
  expect(await page.getByText('90 days before').count()).toBeGreaterThan(0);
  await page.getByRole('combobox', { name: 'Audio' }).selectOption('Second Song');
  await page.getByRole('button', { name: 'Show this audio' }).click();
  await page.waitForURL(/audio=/);
  expect(new URL(page.url()).searchParams.get('days')).toBe('90');
  await quiet();

  const plain = await asCreator('/about');
  const state = await plain.page.context().storageState();
  await plain.quiet();
  const options = { ...visitorOf(whole, desktop), storageState: state, javaScriptEnabled: false };
  const { page: still, quiet: stillQuiet } = await browser.open(`/studio/${voice.slug}/figures?from=${today}`, options);
  const week = new Date(Date.now() - 6 * 86_400_000).toISOString().slice(0, 10);
  await still.getByRole('textbox', { name: 'From' }).fill(week);
  await still.getByRole('button', { name: 'Show', exact: true }).click();
  await still.waitForURL((url) => url.searchParams.get('from') === week);
  await still.getByText('Show as a table').first().click();
  expect(await still.getByRole('table').first().getByRole('row').count()).toBe(9);
  await stillQuiet();
});

test('arrow keys select the points of the chart, and each is announced', async () => {
  const { page, quiet } = await asCreator(`/studio/${voice.slug}/figures?days=7`);
  const points = page.getByRole('slider', { name: 'Plays per day' });
  await points.focus();
  const valueText = () => points.getAttribute('aria-valuetext');
  const last = await valueText();
  expect(last).toMatch(/^\d+ \w{3}, before: [\d,]+: [\d,]+ plays$/);
  await page.keyboard.press('ArrowLeft');
  expect(await valueText()).not.toBe(last);
  const tip = page.locator('.plot__tip');
  expect(await tip.textContent()).toContain('plays');
  await page.keyboard.press('Home');
  expect(await points.getAttribute('aria-valuenow')).toBe(null);
  expect(await points.inputValue()).toBe('1');
  await page.keyboard.press('End');
  expect(await valueText()).toBe(last);
  const parts = page.getByRole('slider', { name: 'How far people listened' });
  await parts.focus();
  await page.keyboard.press('ArrowRight');
  expect(await parts.getAttribute('aria-valuetext')).toMatch(/^0:\d+ to 0:\d+: [\d.]+% stopped here$/);
  expect(await tip.count()).toBe(1);
  await quiet();
});

test('the figures are downloaded as a file of their period', async () => {
  const { page, quiet } = await asCreator(`/studio/${voice.slug}/figures?days=7&audio=${first.slug}`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download figures/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^[a-z0-9-]+-figures-[\d-]+-to-[\d-]+\.csv$/);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(8);
  expect(lines[1]).toMatch(/^[\d-]+,First Song,\d+,\d+,[\d.]+,\d+,\d+,/);
  await quiet();
});

test('the overview shows what is best, and what waits', async () => {
  await createAudio(db, { voiceId: voice.id, title: 'Draft Song', publishedAt: null, description: '' });
  const described = await createAudio(db, {
    voiceId: voice.id,
    title: 'Told Song',
    publishedAt: null,
    description: 'Told.',
  });
  const category = await createCategory(db, {});
  await database.pool.query('insert into audio_categories (audio_id, category_id) values ($1, $2)', [
    described.id,
    category.id,
  ]);
  await createAudio(db, {
    voiceId: voice.id,
    title: 'Later Song',
    publishedAt: new Date(Date.now() + 3 * 86_400_000),
  });
  const { id: fan } = await createUser(db, { username: 'fan_of_nora' });
  await database.pool.query('insert into comments (id, audio_id, user_id, text) values ($1, $2, $3, $4)', [
    newId(),
    first.id,
    fan,
    'I listened twice.',
  ]);
  await database.pool.query(
    `insert into uploads (id, voice_id, file_name, title, bytes, state, failure) values ($1, $2, 'a.wav', 'Cut Song', 9, 'failed', 'damaged')`,
    [newId(), voice.id],
  );
  const { page, quiet } = await asCreator(`/studio/${voice.slug}`);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(
    /^Good (morning|afternoon|evening), Nora$/,
  );
  const best = page.getByRole('region', { name: 'Best audios' });
  expect(await best.getByRole('link').allTextContents()).toEqual(['All figures', 'First Song', 'Second Song']);
  const drafts = page.getByRole('region', { name: 'Drafts' });
  expect(await drafts.getByRole('listitem').allTextContents()).toEqual([
    'Told Song1:00Ready to publish',
    'Draft Song1:00Needs a description',
  ]);
  expect(await page.getByRole('region', { name: 'Scheduled' }).textContent()).toContain('Later Song');
  expect(await page.getByRole('region', { name: 'Newest comments' }).textContent()).toContain('I listened twice.');
  expect(await page.getByRole('region', { name: 'Needs attention' }).textContent()).toContain('damaged');
  await best.getByRole('link', { name: 'Second Song' }).click();
  await page.getByRole('heading', { level: 1, name: 'Figures' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Audio' }).locator('option:checked').textContent()).toBe(
    'Second Song',
  );
  await quiet();
});

test('both pages are clean for axe and fit their width, in both sizes and themes', async () => {
  for (const path of [`/studio/${voice.slug}`, `/studio/${voice.slug}/figures?from=2026-10-01&to=${today}`]) {
    const { page, quiet } = await asCreator(path, mobile);
    for (const table of await page.getByText('Show as a table').all()) await table.click();
    await inBothSizes(page, async () => {
      for (const [colorScheme, rules] of [
        ['dark', 'all'],
        ['light', 'colors'],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await expectCleanForAxe(page, 'body', rules);
        await expectToFit(page);
      }
    });
    await page.setViewportSize({ width: 320, height: mobile.viewport.height });
    await expectToFit(page);
    await quiet();
  }
});

test('others get a 404, in pages too', async () => {
  const stranger = await registered(whole);
  const { page } = await openAs(browser, stranger, '/', visitorOf(whole, desktop));
  for (const path of [`/studio/${voice.slug}`, `/studio/${voice.slug}/figures`]) {
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(404);
  }
});
