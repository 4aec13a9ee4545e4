/** @module-tag slow */
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { sessions } from '#domain/identity/tables.ts';
import { giveMonths } from '#domain/membership/entitlement.ts';
import { memberships } from '#domain/membership/tables.ts';
import { modalOf } from '../../support/accounts.ts';
import { mobile, sound, useBrowser, workerInCharge } from '../../support/browser/browser.ts';
import { keep } from '../../support/browser/downloads.ts';
import { createAudio, createPlaylist } from '../../support/factories.ts';
import { newMember, startLibrarySite } from '../../support/library-site.ts';
import { bar, nowPlaying, openQueue, pressPlayAll, upNext } from '../../support/listener.ts';
import { tone, wavOf } from '../../support/sound/sounds.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
});

test('when access ends while a list plays, free audios follow, the list stays, and one notice says why', async () => {
  const file = wavOf(tone(220), { seconds: 40, rate: 8000 });
  const audioIds: string[] = [];
  for (const [title, isFree] of [
    ['First', false],
    ['Second', false],
    ['Third', false],
    ['Free', true],
    ['Last', false],
  ] as const) {
    const audio = { title, isFree, durationMs: 40_000, fileMime: 'audio/wav', fileBytes: file.length };
    const { id, fileKey } = await createAudio(site.db, { ...audio, voiceId: site.voice.id });
    await site.blobs.write(fileKey, file);
    audioIds.push(id);
  }
  const { slug } = await createPlaylist(site.db, { audioIds });
  const listener = await newMember(site);
  await giveMonths(site.db, listener.id, 1);
  const { page } = await site.openAs(browser, listener, `/playlists/${slug}`, mobile);
  const notices: string[] = [];
  await page.exposeFunction('keepNotice', (text: string) => notices.push(text));
  await page.evaluate(() => {
    const { keepNotice } = window as unknown as { keepNotice: (text: string) => void };
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof Element && node.closest('[aria-label="Notices"]') && node.textContent)
            keepNotice(node.textContent);
    }).observe(document.body, { childList: true, subtree: true });
  });
  // The next audio is loaded while access lasts: once this one is buffered, or in its last 30 s.
  const loaded = page.waitForResponse((response) => response.url().includes(`/media/audios/${audioIds[1]}`));
  await pressPlayAll(page);
  await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(0.2);
  await page.evaluate(() => void (document.querySelector('audio')!.currentTime = 12));
  expect((await loaded).ok()).toBe(true);
  await site.db
    .update(memberships)
    .set({ giftUntil: new Date(Date.now() - 1000) })
    .where(eq(memberships.userId, listener.id));

  const end = () => page.evaluate(() => void (document.querySelector('audio')!.currentTime = 39.8));
  await end();
  await expect.poll(() => nowPlaying(page)).toBe('Second');
  await expect.poll(async () => (await sound(page)).time).toBeLessThan(30);
  await end();
  await expect.poll(() => nowPlaying(page)).toBe('Free');
  await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(0.2);
  await page.getByText('Your subscription has ended. Playing what is free').first().waitFor();
  expect(await modalOf(page).count()).toBe(0);
  await openQueue(page);
  expect(await upNext(page)).toEqual(['Third', 'Last']);
  await end();
  await bar(page).getByRole('button', { name: /^Play/ }).first().waitFor();
  expect(await upNext(page)).toEqual(['Third', 'Last']);
  expect(notices).toEqual(['Your subscription has ended. Playing what is free']);
  // A locked audio says so when it is pressed.
  await page
    .getByRole('region', { name: 'Up Next' })
    .getByRole('button', { name: /^Play.*Last/ })
    .first()
    .click();
  await modalOf(page)
    .getByText(/“Last”/)
    .first()
    .waitFor();
});

test('a session that is ended from elsewhere ends playback, and a notice says why', async () => {
  const file = wavOf(tone(220), { seconds: 40, rate: 8000 });
  const audio = await createAudio(site.db, { durationMs: 40_000, fileMime: 'audio/wav', fileBytes: file.length });
  await site.blobs.write(audio.fileKey, file);
  const { slug } = await createPlaylist(site.db, { audioIds: [audio.id] });
  const listener = await newMember(site);
  await giveMonths(site.db, listener.id, 1);
  const { page } = await site.openAs(browser, listener, `/playlists/${slug}`, mobile);
  await pressPlayAll(page);
  await site.db.delete(sessions).where(eq(sessions.userId, listener.id));
  await page.evaluate(() => document.querySelector('audio')!.pause());
  await page.getByText('You are logged out. Log in to continue.').first().waitFor();
  expect(await sound(page)).toMatchObject({ paused: true });
});

test('downloads that were deleted with the subscription are not reported as lost when it begins again', async () => {
  const file = wavOf(tone(220), { seconds: 10, rate: 8000 });
  const listener = await newMember(site);
  await giveMonths(site.db, listener.id, 1);
  const title = 'Kept for a While';
  const audio = await createAudio(site.db, {
    title,
    voiceId: site.voice.id,
    fileMime: 'audio/wav',
    fileBytes: file.length,
  });
  await site.blobs.write(audio.fileKey, file);
  const { slug } = await createPlaylist(site.db, { audioIds: [audio.id] });
  const { page } = await site.openAs(browser, listener, `/playlists/${slug}`, { ...mobile, isFirstVisit: true });
  await workerInCharge(page);
  await keep(page, [title]);
  const ends = (giftUntil: Date) =>
    site.db.update(memberships).set({ giftUntil }).where(eq(memberships.userId, listener.id));
  await ends(new Date(Date.now() - 1000));
  await page.reload();
  await page.getByText('Your subscription has ended, so the downloads on this device were deleted.').waitFor();
  await ends(new Date(Date.now() + 1_000_000));
  const asked = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/user/offline-devices'));
  await page.reload();
  expect(await (await asked).json()).toMatchObject({ items: [] });
  await page.getByText('No downloads yet').waitFor();
  expect(await page.getByText('to make room').count()).toBe(0);
});
