/** @module-tag slow */
import { sql } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectCleanForAxe, expectCleanInBothSizes, modalOf, visitorOf } from '../../support/accounts.ts';
import { button, hasFocus, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, hydrated, mobile, useBrowser } from '../../support/browser/browser.ts';
import { createAudio, createUserPlaylist } from '../../support/factories.ts';
import {
  chooseInRow,
  countCalls,
  newMember,
  rowOf,
  rowTitles,
  seeTitles,
  startLibrarySite,
  visit,
} from '../../support/library-site.ts';
import { tone, wavOf } from '../../support/sound/sounds.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
});

/** With its first audios in it. */
function playlistOf(user: { id: string }, count: number, overrides: { title?: string; isPublic?: boolean } = {}) {
  const audioIds = site.audios.slice(0, count).map(({ id }) => id);
  return createUserPlaylist(site.db, { userId: user.id, title: 'Sunday', isPublic: false, audioIds, ...overrides });
}

/** The site's state. */
async function savedTitles(user: { id: string }, playlist: { id: string }): Promise<string[]> {
  const viewer = { kind: 'user', id: user.id, isSubscribed: false, isComplete: true } as const;
  const found = await site.site.library.findUserPlaylist(viewer, playlist.id);
  if (found === undefined) return [];
  const { items } = await site.site.library.listUserPlaylistAudios(viewer, found, { limit: 100 });
  return items.map(({ title }) => title);
}

/** 60 further audios, “Number 1” to “Number 60”, newest first. */
async function fillCatalogue(): Promise<void> {
  await site.db.execute(sql`
    insert into audios (id, slug, title, sort_title, description, voice_id, file_key, file_mime, file_bytes, duration_ms, published_at, is_free)
    select gen_random_uuid(), 'number-' || n, 'Number ' || n, 'number ' || lpad(n::text, 8, '0'), '', ${site.voice.id},
      'audio/' || n || '.mp3', 'audio/mpeg', 1000, 60000, now() - make_interval(days => n), true
    from generate_series(1, 60) n on conflict do nothing`);
}

async function dragBelow(page: Page, held: Locator, target: Locator): Promise<void> {
  const grip = await held.locator('.grip').boundingBox();
  const below = await target.boundingBox();
  if (grip === null || below === null) throw new Error('There is nothing to drag');
  const x = grip.x + grip.width / 2;
  await page.mouse.move(x, grip.y + grip.height / 2);
  await page.mouse.down();
  await page.mouse.move(x, below.y + below.height / 2, { steps: 4 });
  await page.mouse.move(x, below.y + below.height - 4, { steps: 4 });
  await page.mouse.up();
}

test('a playlist is made from a row, filled, named, painted, shared, and deleted with a way back', async () => {
  const reader = await newMember(site);
  const { page, quiet } = await site.openAs(browser, reader, '/audios', mobile);
  const modal = modalOf(page);
  // The first one: there is no menu yet.
  await chooseInRow(page, 'Echo', 'Add to playlist');
  await modal.getByRole('textbox', { name: 'Title' }).fill('Sunday, curtains closed');
  await expectCleanInBothSizes(page, '.modal');
  await modal.getByRole('button', { name: 'Create' }).click();
  await seeNotice(page, 'Added to “Sunday, curtains closed”');
  await modal.waitFor({ state: 'detached' });

  await chooseInRow(page, 'Ode', 'Add to playlist');
  const choice = modal.getByRole('checkbox', { name: /Sunday/ });
  expect(await choice.isChecked()).toBe(false);
  await choice.press('Space');
  await modal.getByText('2 audios').waitFor();
  await expectCleanInBothSizes(page, '.modal');
  // A title longer than the window is cut; the list does not scroll sideways.
  expect(
    await modal.locator('.truncate').evaluate((title) => {
      const [text, list] = [title.firstChild!, title.closest('fieldset')];
      const { nodeValue } = text;
      text.nodeValue = 'Sunday, curtains closed '.repeat(6);
      const overflow = (list?.scrollWidth ?? NaN) - (list?.clientWidth ?? NaN);
      text.nodeValue = nodeValue;
      return overflow;
    }),
  ).toBe(0);
  await modal.getByRole('button', { name: 'Done' }).click();
  await modal.waitFor({ state: 'detached' });

  await visit(page, '/library?tab=own');
  await page.setViewportSize(mobile.viewport);
  const [card, feeds] = await Promise.all([
    page.locator('main .user-playlist').boundingBox(),
    page.getByRole('link', { name: 'Listen in your podcast app' }).boundingBox(),
  ]);
  expect((feeds?.y ?? NaN) - (card?.y ?? NaN) - (card?.height ?? NaN)).toBeGreaterThanOrEqual(16);
  await page.setViewportSize(desktop.viewport);
  await page.getByRole('link', { name: 'Sunday, curtains closed' }).click();
  await page.getByRole('heading', { name: 'Sunday, curtains closed', level: 1 }).waitFor();
  await seeTitles(page, ['Echo', 'Ode']);
  const main = page.locator('main');
  await main.getByText('Private').waitFor();
  expect(await button(main, 'Copy link').count()).toBe(0);

  const more = (item: string) =>
    button(main, 'More')
      .click()
      .then(() => page.getByRole('menuitem', { name: item, exact: true }).click());
  await more('Rename');
  await modal.getByRole('textbox', { name: 'Title' }).fill('  Monday ');
  await modal.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Monday', level: 1 }).waitFor();
  expect(await page.title()).toBe('Monday · Sotto');

  await button(main, 'Edit cover').click();
  await main.getByRole('radio', { name: 'Blue to Green' }).press('Space');
  await main.getByRole('radio', { name: 'Teko Regular' }).press('Space');
  await main.locator('.user-playlist.bg-blue-green .font-teko').waitFor();
  await more('Make public');
  await seeNotice(page, 'This playlist is public now');
  await button(main, 'Copy link').waitFor();
  await expectCleanInBothSizes(page);
  const shared = (await site.site.library.listOwnUserPlaylists(reader.id))[0];
  expect(shared).toMatchObject({
    title: 'Monday',
    background: 'Blue to Green',
    font: 'Teko Regular',
    isPublic: true,
    totalAudios: 2,
  });

  await more('Delete playlist');
  await page.getByRole('heading', { name: 'No playlists yet' }).waitFor();
  await page.locator('.toast', { hasText: 'Deleted “Monday”' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Monday', level: 1 }).waitFor();
  await seeTitles(page, ['Echo', 'Ode']);
  await quiet();
});

test('audios are dragged into another order, removed, and put back', async () => {
  const reader = await newMember(site);
  const playlist = await playlistOf(reader, 4);
  const { page, quiet } = await site.openAs(browser, reader, `/users-playlists/${playlist.id}`);
  // This site has no sound, and a pointer that rests on a row asks for its beginning.
  await page.route('**/media/audios/*', (route) => route.fulfill({ status: 206 }));
  await seeTitles(page, ['Bright Star', 'Echo', 'Wild Nights', 'Silent Noon']);
  // Away from the edges, where a held row scrolls the page.
  await rowOf(page, 'Echo').evaluate((row) => row.scrollIntoView({ block: 'center' }));
  await dragBelow(page, rowOf(page, 'Bright Star'), rowOf(page, 'Echo'));
  await seeTitles(page, ['Echo', 'Bright Star', 'Wild Nights', 'Silent Noon']);
  await chooseInRow(page, 'Bright Star', 'Remove from playlist');
  await seeTitles(page, ['Echo', 'Wild Nights', 'Silent Noon']);
  await page.locator('main').getByText('3 audios').waitFor();
  await expect.poll(() => hasFocus(button(page.locator('main'), 'More for Wild Nights'))).toBe(true);
  await expect.poll(() => savedTitles(reader, playlist)).toEqual(['Echo', 'Wild Nights', 'Silent Noon']);
  await page
    .locator('.toast', { hasText: 'Removed “Bright Star” from “Sunday”' })
    .getByRole('button', { name: 'Undo' })
    .click();
  await seeTitles(page, ['Echo', 'Bright Star', 'Wild Nights', 'Silent Noon']);
  await expect.poll(() => savedTitles(reader, playlist)).toEqual(['Echo', 'Bright Star', 'Wild Nights', 'Silent Noon']);
  // Quick removals have one Undo, which restores the order too.
  for (const title of ['Echo', 'Silent Noon', 'Wild Nights']) await chooseInRow(page, title, 'Remove from playlist');
  const removals = page.locator('.toast', { hasText: 'Removed 3 audios from “Sunday”' });
  await removals.getByRole('button', { name: 'Undo' }).click();
  await seeTitles(page, ['Echo', 'Bright Star', 'Wild Nights', 'Silent Noon']);
  await expect.poll(() => savedTitles(reader, playlist)).toEqual(['Echo', 'Bright Star', 'Wild Nights', 'Silent Noon']);
  await chooseInRow(page, 'Silent Noon', 'Remove from playlist');
  await seeTitles(page, ['Echo', 'Bright Star', 'Wild Nights']);
  // Unticking this playlist removes the audio from its page too.
  await chooseInRow(page, 'Bright Star', 'Add to playlist');
  const modal = modalOf(page);
  await modal.getByRole('checkbox', { name: /Sunday/ }).press('Space');
  await modal.getByText('2 audios').waitFor();
  await modal.getByRole('button', { name: 'Done' }).click();
  await seeTitles(page, ['Echo', 'Wild Nights']);
  await page.locator('main').getByText('2 audios').waitFor();
  await quiet();
});

test('by keyboard an audio goes up, down and to the ends, with a word for each step', async () => {
  const reader = await newMember(site);
  const playlist = await playlistOf(reader, 4);
  const { page, quiet } = await site.openAs(browser, reader, `/users-playlists/${playlist.id}`);
  const grip = button(page.locator('main'), 'Reorder Echo');
  await grip.focus();
  await page.keyboard.press('ArrowUp');
  await seeTitles(page, ['Echo', 'Bright Star', 'Wild Nights', 'Silent Noon']);
  await page.getByText('Echo, place 1 of 4').waitFor({ state: 'attached' });
  await page.keyboard.press('End');
  await seeTitles(page, ['Bright Star', 'Wild Nights', 'Silent Noon', 'Echo']);
  expect(await hasFocus(grip)).toBe(true);
  await chooseInRow(page, 'Silent Noon', 'Move up');
  const moved = ['Bright Star', 'Silent Noon', 'Wild Nights', 'Echo'];
  await seeTitles(page, moved);
  await expect.poll(() => savedTitles(reader, playlist)).toEqual(moved);
  await page.reload();
  await seeTitles(page, moved);
  await quiet();
});

test('two tabs that reorder at once lose nothing of each other’s; what is refused is put back', async () => {
  const reader = await newMember(site);
  const playlist = await playlistOf(reader, 4);
  const path = `/users-playlists/${playlist.id}`;
  const { page: one, quiet } = await site.openAs(browser, reader, path);
  const { page: two } = await site.openAs(browser, reader, path);
  await chooseInRow(one, 'Silent Noon', 'Move up');
  await chooseInRow(two, 'Echo', 'Remove from playlist');
  await expect.poll(() => savedTitles(reader, playlist)).toEqual(['Bright Star', 'Silent Noon', 'Wild Nights']);
  // Otherwise the notice of this removal would take the next one in.
  await two.reload();
  await hydrated(two);

  await two.route('**/v1/api/users-playlists/*/move', (route) => route.abort());
  const before = await rowTitles(two);
  await chooseInRow(two, 'Silent Noon', 'Move up');
  await seeNotice(two, 'No internet connection');
  await seeTitles(two, before);
  await two.unroute('**/v1/api/users-playlists/*/move');
  // Refused, and then undone.
  await two.route('**/v1/api/users-playlists/*/audios/*', (route) => route.abort());
  await chooseInRow(two, 'Wild Nights', 'Remove from playlist');
  await seeTitles(two, before);
  await two.locator('.toast', { hasText: 'Removed “Wild Nights”' }).getByRole('button', { name: 'Undo' }).click();
  await two.locator('main').getByText('3 audios').waitFor();
  await seeTitles(two, before);
  await quiet();
});

test('refused moves of a long playlist are undone, and its list is the saved one again', async () => {
  const reader = await newMember(site);
  const { id } = await createUserPlaylist(site.db, { userId: reader.id, isPublic: false });
  await fillCatalogue();
  await site.db.execute(sql`
    insert into user_playlist_items (user_playlist_id, audio_id, position)
    select ${id}, id, 1024 * substr(slug, 8)::int from audios where slug like 'number-%'`);
  const { page, quiet } = await site.openAs(browser, reader, `/users-playlists/${id}`);
  const numbers = async () => (await rowTitles(page)).map((title) => Number(title.replace('Number ', '')));
  const first = Array.from({ length: 60 }, (_, index) => index + 1);
  await expect.poll(numbers).toEqual(first);
  const moves = countCalls(page, 'POST', `/users-playlists/${id}/move`);
  const answered = Promise.withResolvers<void>();
  const answerWith = (status: number, code: string, message: string) =>
    page.route('**/move', async (route) => {
      await answered.promise;
      await route.fulfill({ status, json: { error: { code, message } } });
    });

  // Too many: the second and third are not sent at all.
  await answerWith(429, 'request/too-many', 'Too many at once.');
  for (const key of ['Home', 'ArrowDown', 'End']) await button(page.locator('main'), 'Reorder Number 40').press(key);
  answered.resolve();
  await seeNotice(page, 'Too many at once.');
  await expect.poll(numbers).toEqual(first);
  expect(moves.bodies.length).toBe(1);
  await page.unroute('**/move');

  // Another tab has taken out one audio beyond the first page.
  await answerWith(409, 'playlist/changed', 'This playlist was changed meanwhile.');
  await site.db.execute(sql`
    delete from user_playlist_items where user_playlist_id = ${id} and position = 50 * 1024`);
  await button(page.locator('main'), 'Reorder Number 2').press('End');
  await expect.poll(numbers).toEqual(first.filter((number) => number !== 50));
  await quiet([expect.stringContaining('429'), expect.stringContaining('409')]);
});

test('Undo in the history works as long as its notice is there, and an entry of a later page stays removed after Back', async () => {
  const reader = await newMember(site);
  await fillCatalogue();
  await site.db.execute(sql`
    insert into listening_history (user_id, audio_id, listens, last_listened_at)
    select ${reader.id}, id, 1, published_at from audios where slug like 'number-%'`);
  const { page, quiet } = await site.openAs(browser, reader, '/about');
  await page.clock.install();
  await visit(page, '/account/history');
  const remove = (number: number) => button(page, `Remove Number ${number} from your history`).click();
  const isListed = async (number: number) => (await rowTitles(page)).includes(`Number ${number}`);
  const notice = page.locator('.toast', { hasText: 'from your history' });

  await remove(1);
  await notice.hover();
  await page.clock.runFor(60_000);
  await button(notice, 'Undo').click();
  await expect.poll(() => isListed(1)).toBe(true);
  await notice.waitFor({ state: 'detached' });
  await visit(page, '/account/history');
  expect(await isListed(1)).toBe(true);

  await page.locator('main .row').last().scrollIntoViewIfNeeded();
  await expect.poll(() => isListed(30)).toBe(true);
  await remove(30);
  await expect.poll(() => isListed(30)).toBe(false);
  const sent = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.getByRole('link', { name: 'Number 28', exact: true }).click();
  await sent;
  await notice.waitFor({ state: 'detached' });
  await page.goBack();
  await expect.poll(() => isListed(29)).toBe(true);
  expect(await isListed(30)).toBe(false);
  await quiet();
});

test('another listener sees, keeps and shares what is public, and nothing of what is private', async () => {
  const [owner, guest] = [await newMember(site), await newMember(site)];
  const later = await createAudio(site.db, { publishedAt: new Date(Date.now() + 86_400_000) });
  const audioIds = [...site.audios.slice(0, 3), later].map(({ id }) => id);
  const shared = await createUserPlaylist(site.db, { userId: owner.id, title: 'Shared', audioIds });
  // Its first audio is playable: the player would continue with the next one, which would count as a second start.
  await site.blobs.write(site.audios[0]?.fileKey ?? '', wavOf(tone(220), { seconds: 60, rate: 8000 }));
  const own = await playlistOf(owner, 3, { title: 'Secret' });
  const { page } = await site.openAs(browser, guest, `/users-playlists/${own.id}`);
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
  expect(await page.locator('main').innerText()).not.toContain('Secret');

  await page.addInitScript(() => {
    Object.assign(navigator, {
      share: async (data: ShareData) => void ((window as { shared?: ShareData }).shared = data),
    });
  });
  await visit(page, `/users-playlists/${shared.id}`);
  const main = page.locator('main');
  const { bodies } = countCalls(page, 'POST', `/users-playlists/${shared.id}/play`);
  const kept = page.waitForResponse((response) => response.url().includes('/user/favorite/'));
  await button(main, 'Favorite Shared').click();
  await button(main, 'Share').click();
  await expect
    .poll(() => page.evaluate(() => (window as { shared?: ShareData }).shared))
    .toEqual({ title: 'Shared', url: new URL(`/users-playlists/${shared.id}`, site.url).href });
  expect(await main.locator('.grip').count()).toBe(0);
  await main
    .getByRole('button', { name: /^Play all/ })
    .first()
    .click();
  await main.getByText('1 play', { exact: true }).waitFor();
  expect(bodies.length).toBe(1);
  await kept;
  await visit(page, '/library?tab=playlists');
  await main.getByRole('link', { name: 'Shared' }).waitFor();

  const html = await (await fetch(`${site.url}/users-playlists/${shared.id}`)).text();
  expect(html).toContain('<meta property="og:title" content="Shared"/>');
  expect(html).toContain(`A playlist by ${owner.username}: 3 audios`);
});

test('a visitor who adds to a playlist is asked to sign in; own playlists are clean for axe in both themes', async () => {
  const { page: visitor } = await browser.open('/audios', visitorOf(site, mobile));
  await chooseInRow(visitor, 'Echo', 'Add to playlist');
  await modalOf(visitor).getByRole('heading', { name: 'Sign in to add “Echo” to a playlist' }).waitFor();

  const reader = await newMember(site);
  const playlist = await playlistOf(reader, 3);
  const { page, quiet } = await site.openAs(browser, reader, `/users-playlists/${playlist.id}`, {
    ...desktop,
    colorScheme: 'light',
  });
  await button(page.locator('main'), 'Edit cover').click();
  await expectCleanForAxe(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectCleanForAxe(page, 'body', 'colors');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectCleanForAxe(page);
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0);
  await quiet();
});
