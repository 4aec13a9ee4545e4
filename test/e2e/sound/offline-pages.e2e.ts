/** @module-tag slow */
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser/browser.ts';
import { chooseDownload, keep, openList, rowOf, storedState, writtenTexts } from '../../support/browser/downloads.ts';
import { bar, playing } from '../../support/listener.ts';

const browser = useBrowser();
/** A busy machine plays in real time, but does everything else slowly. */
const patience = 180_000;
const [title, slug, other] = ['Bright Star', 'bright-star', 'How Do I Love Thee? Let Me Count the Ways'];

test(
  'a downloaded audio has its own page without a connection, with cover and queue, and the disk names nothing',
  async () => {
    const { page } = await openList(browser);
    const play = page
      .locator('main li.row')
      .filter({ hasText: other })
      .getByRole('button', { name: /^(Play|Resume)/ });
    await play.click();
    await playing(page, 1);
    await bar(page).getByRole('button', { name: 'Pause' }).click();
    await chooseDownload(page, title);
    const files = () =>
      page.evaluate(async () => (await (await caches.open('kept')).keys()).map(({ url }) => url.replace(/.*\//, '')));
    await expect.poll(files, { timeout: 30_000 }).toContain('page');
    const saved = () => page.evaluate(() => [localStorage['sotto_queue'], localStorage['sotto_queue_tracks']]);
    await expect.poll(async () => (await saved()).every((text) => String(text).length > 200)).toBe(true);
    expect(await storedState(page)).toContain('page');
    const texts = await writtenTexts(page);
    for (const word of ['How Do I', 'how-do-i', 'Bright', slug, 'Maren', 'Saoirse', '"title"'])
      expect(texts).not.toContain(word);
    // Nor is the page in the browser's own cache, which any other request fills.
    const isCached = (path: string) =>
      page.evaluate(async (address) => {
        const answer = await fetch(address, { cache: 'only-if-cached', mode: 'same-origin' }).catch(() => undefined);
        return answer?.ok === true;
      }, path);
    expect(await isCached(`/audio/${slug}`)).toBe(false);
    await page.evaluate((address) => fetch(address), `/audio/${slug}`);
    expect(await isCached(`/audio/${slug}`)).toBe(true);

    // The browser's HTTP cache would still have the pictures.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.clearBrowserCache');
    await page.context().setOffline(true);
    for (const visit of [() => page.goto(`/audio/${slug}?t=5`), () => page.reload()]) {
      await visit();
      await page.getByText('No internet connection. This page is from your downloads').first().waitFor();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
    }
    const widthOf = (selector: string) =>
      page.locator(selector).evaluate((image: HTMLImageElement) => image.naturalWidth);
    await expect.poll(() => widthOf('main .cover img >> nth=0')).toBeGreaterThan(0);
    await page
      .locator('main .acts')
      .getByRole('button', { name: /favorite/i })
      .first()
      .click();
    await page.getByText(`“${title}” could not be saved. No internet connection`).first().waitFor();
    // The queue is there, with titles that the disk does not reveal.
    expect(await bar(page).textContent()).toContain(other);
    await page.locator('main .acts').getByRole('button', { name: 'Play' }).click();
    await playing(page, 2);
    await expect.poll(() => widthOf('.player img >> nth=0')).toBeGreaterThan(0);
    await page.locator('main summary').filter({ hasText: 'Transcript' }).click();
    await page.getByText('would I were stedfast as thou art', { exact: false }).first().waitFor();

    // By links, during playback.
    await page.getByRole('link', { name: 'Library' }).first().click();
    await page
      .getByText(/^No internet connection$|could not be loaded/)
      .first()
      .waitFor();
    await page.goto('/library/downloads');
    await rowOf(page, title)
      .getByRole('button', { name: `Play ${title}` })
      .click();
    await playing(page, 1);
    await rowOf(page, title).getByRole('link', { name: title }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/audio/${slug}`);
    await playing(page, 2);
    await page.goto('/audio/wild-nights');
    await page.getByText('You can still play your downloads').waitFor();
    await page.context().setOffline(false);
  },
  patience,
);

test('pages of another build do not take the place of those that are stored', { timeout: patience }, async () => {
  const { page } = await openList(browser);
  await keep(page, [title]);
  const [worker] = page.context().serviceWorkers();
  await worker?.evaluate(() => {
    const send = globalThis.fetch;
    const asked: string[] = [];
    globalThis.fetch = async (input, init) => {
      // Navigations are passed on as requests.
      if (input !== '/library/downloads') return send(input, init);
      asked.push(input);
      return new Response('<html><h1>Another build</h1></html>', { headers: { 'content-type': 'text/html' } });
    };
    Object.assign(globalThis, { asked });
  });
  // Old enough to be asked for again.
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('kept');
        opening.onsuccess = () => {
          const store = opening.result.transaction('state', 'readwrite').objectStore('state');
          const reading = store.get('page');
          reading.onsuccess = () => {
            store.put({ ...(reading.result as object), storedAt: 0 }, 'page').onsuccess = () => {
              opening.result.close();
              resolve();
            };
          };
        };
      }),
  );
  const asked = async () =>
    (await worker?.evaluate(() => (globalThis as unknown as { asked: string[] }).asked.length)) ?? expect.fail();
  // One that was stored would be fresh, and not asked for again.
  for (let time = 0; time < 2; time += 1) {
    const before = await asked();
    await page.evaluate(() => navigator.serviceWorker.controller?.postMessage('keep-page'));
    await expect.poll(asked).toBeGreaterThan(before);
  }
  await page.context().setOffline(true);
  await page.goto('/library/downloads');
  await rowOf(page, title)
    .getByRole('button', { name: `Play ${title}` })
    .waitFor();
  await page.context().setOffline(false);
});
