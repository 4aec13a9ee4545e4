/** @module-tag slow */
import { expect, test } from 'vitest';
import { registered, visitorOf } from '../../support/accounts.ts';
import { desktop, useBrowser } from '../../support/browser/browser.ts';
import { createAudio, createPlaylist, createVoice } from '../../support/factories.ts';
import { openAs, openQueue, upNext } from '../../support/listener.ts';
import { purgeRenders, countRenders, rowRenders } from '../../support/browser/renders.ts';
import { tone, wavOf } from '../../support/sound/sounds.ts';
import { startWholeSite } from '../../support/whole-site.ts';

const browser = useBrowser();
const whole = await startWholeSite();
const max = 1000;
const { id: voiceId } = await createVoice(whole.db);
const file = wavOf(tone(220), { seconds: 60, rate: 8000 });
const fileKey = 'audio/number.wav';
await whole.blobs.write(fileKey, file);
const sound = { fileKey, fileMime: 'audio/wav', fileBytes: file.length };
const list: { id: string; source: string }[] = [];
for (let number = 1; number <= max; number += 1) {
  const { id } = await createAudio(whole.db, { voiceId, title: `Number ${number}`, isFree: true, ...sound });
  list.push({ id, source: 'playlist' });
}
const { slug } = await createPlaylist(whole.db, { audioIds: list.slice(0, 150).map(({ id }) => id) });

test('a queue of 1,000 is all there, opens before it is all drawn, and moving one of them draws one', async () => {
  const person = await registered(whole);
  const saved = await whole.site.library.saveQueue(person.id, [0], {
    list,
    played: [],
    listType: 'playlist',
    index: 0,
    individualAddToQueueIndex: 1,
    isIndividualQueueUpdate: false,
    position: 0,
  });
  expect(saved.ok).toBe(true);

  const { page, quiet } = await openAs(browser, person, '/about', visitorOf(whole, desktop));
  await countRenders(page);
  await page.reload();
  await expect.poll(() => page.locator('.player__title').textContent(), { timeout: 15_000 }).toBe('Number 1');
  await openQueue(page);
  await page.getByText('999 audios, 16 hr 39 min').waitFor();
  await expect.poll(() => upNext(page).then((titles) => titles.length)).toBe(max - 1);

  // Those near the window render fully afterwards; then nothing renders any more.
  const drawnSince = async () => {
    await purgeRenders(page);
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => requestAnimationFrame(resolve))));
    return Object.keys(await rowRenders(page));
  };
  await expect.poll(async () => [...(await drawnSince()), ...(await drawnSince())]).toEqual([]);
  const first = page.locator('.grip').first();
  await first.press('End');
  expect((await upNext(page)).at(-1)).toBe('Number 2');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Reorder Number 2');
  // Those at the end are near the window now and fully rendered; the others have not changed.
  const drawn = Object.keys(await rowRenders(page)).map((title) => Number(title.replace('Number ', '')));
  expect(drawn.filter((number) => number < 900)).toEqual([]);

  // Rows out of view are not rendered fully, but the browser's own search still finds them.
  expect(
    await page
      .locator('.queue .row')
      .nth(500)
      .evaluate((row) => getComputedStyle(row).contentVisibility),
  ).toBe('auto');
  await page.getByRole('button', { name: 'Clear Queue' }).click();
  await page.getByText('The queue is empty').waitFor();
  await quiet();
}, 120_000);

test('“Play all” and “Add all to queue” take the whole playlist, of which the page has loaded the first rows', async () => {
  const person = await registered(whole);
  const { page, quiet } = await openAs(browser, person, `/playlists/${slug}`, visitorOf(whole, desktop));
  const queued = async () => (await whole.site.library.findQueue(person.id)).queue.list.map(({ id }) => id);
  const all = list.slice(0, 150).map(({ id }) => id);
  await page.getByRole('button', { name: 'Add all to queue' }).click();
  await page.getByText('Added 150 audios to your queue').first().waitFor();
  await page.getByRole('button', { name: 'Play all' }).click();
  await expect.poll(queued).toEqual(all);
  await quiet();
});
