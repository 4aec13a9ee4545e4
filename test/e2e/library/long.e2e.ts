/** @module-tag slow */
import { sql } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { button, hasFocus } from '../../support/browser/account-page.ts';
import { desktop, useBrowser } from '../../support/browser/browser.ts';
import { createUserPlaylist, createVoice } from '../../support/factories.ts';
import { newMember, startLibrarySite } from '../../support/library-site.ts';
import { countRenders, purgeRenders, rowRenders } from '../../support/browser/renders.ts';

const browser = useBrowser({ images: false });
const sizes = { favorites: 5000, playlist: 2000 };
let site: Awaited<ReturnType<typeof startLibrarySite>>;
let reader: Awaited<ReturnType<typeof newMember>>;
let playlistId: string;

beforeAll(async () => {
  site = await startLibrarySite();
  const { db } = site;
  reader = await newMember(site);
  const { id: voiceId } = await createVoice(db, { name: 'Wren Ashby' });
  await db.execute(sql`
    insert into audios (id, slug, title, sort_title, description, voice_id, file_key, file_mime, file_bytes, duration_ms, published_at, is_free)
    select gen_random_uuid(), 'number-' || n, 'Number ' || n, 'number ' || lpad(n::text, 8, '0'), repeat('A description. ', 6), ${voiceId},
      'audio/' || n || '.mp3', 'audio/mpeg', 1000, 60000, now() - make_interval(mins => n), true
    from generate_series(1, ${sizes.favorites}::int) n`);
  const number = sql`substr(slug, 8)::int`;
  await db.execute(sql`
    insert into audio_favorites (user_id, content_id, created_at)
    select ${reader.id}, id, now() - make_interval(secs => ${number}) from audios where slug like 'number-%'`);
  playlistId = (await createUserPlaylist(db, { userId: reader.id, isPublic: false, title: 'Two thousand' })).id;
  await db.execute(sql`
    insert into user_playlist_items (user_playlist_id, audio_id, position)
    select ${playlistId}, id, 1024 * ${number} from audios where slug like 'number-%' and ${number} <= ${sizes.playlist}`);
});

const rowCount = (page: Page) => page.locator('main li.row[data-id]').count();

/** Like the browser's own search. */
const find = (page: Page, text: string) =>
  page.evaluate((wanted) => (window as unknown as { find(text: string): boolean }).find(wanted), text);

test('a library of 5,000 opens with its first rows; the rest loads automatically and is found by the browser’s own search', async () => {
  const { page, quiet } = await site.openAs(browser, reader, '/library', desktop);
  await page.getByRole('link', { name: 'Audios 5,000' }).waitFor();
  // Before any script ran.
  const html = await page.evaluate(() => fetch('/library').then((answer) => answer.text()));
  expect(html.match(/class="row__title /g)?.length).toBe(24);
  await expect.poll(() => rowCount(page), { timeout: 60_000 }).toBe(sizes.favorites);
  // Text only until they are near the window.
  expect(await page.locator('main li.row .heart').count()).toBeLessThan(200);
  const far = page.locator('main .rows__chunk').nth(200);
  expect(await far.evaluate((rows) => getComputedStyle(rows).contentVisibility)).toBe('auto');
  expect(await find(page, 'Number 4321')).toBe(true);
  const found = page.locator('main li.row', { hasText: 'Number 4321' });
  await found.locator('.heart[aria-pressed=true]').waitFor();
  expect(await found.evaluate((row) => Math.abs(row.getBoundingClientRect().top) < window.innerHeight)).toBe(true);
  await quiet();
}, 120_000);

test('in a playlist of 2,000 an audio goes from the top to the end at a press, and only it is drawn', async () => {
  const { page, quiet } = await site.openAs(browser, reader, '/about', desktop);
  await countRenders(page);
  await page.goto(`/users-playlists/${playlistId}`);
  await expect.poll(() => rowCount(page), { timeout: 60_000 }).toBe(sizes.playlist);
  await purgeRenders(page);
  const grip = button(page.locator('main'), 'Reorder Number 1');
  await grip.press('End');
  expect(await page.locator('main li.row[data-id] .row__title').last().textContent()).toBe('Number 1');
  await expect.poll(() => hasFocus(grip)).toBe(true);
  const drawn = Object.keys(await rowRenders(page)).map((title) => Number(title.replace('Number ', '')));
  // Except for rows that move to the previous group of twenty.
  expect(drawn.filter((number) => number > 20 && number < 1900 && number % 20 !== 1)).toEqual([]);
  await expect
    .poll(async () => {
      const { rows } = await site.db.execute<{ title: string }>(
        sql`select title from user_playlist_items i join audios a on a.id = i.audio_id where i.user_playlist_id = ${playlistId} order by position desc limit 1`,
      );
      return rows[0]?.title;
    })
    .toBe('Number 1');
  await page.reload();
  await expect.poll(() => page.locator('main li.row .row__title').first().textContent()).toBe('Number 2');
  await quiet();
}, 120_000);
