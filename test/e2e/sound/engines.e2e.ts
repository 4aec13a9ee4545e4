import { expect, onTestFinished } from 'vitest';
import type { EnginePage } from '../../support/browser/engine-page.ts';
import { inEveryEngine, signIn } from '../../support/browser/engine-walks.ts';
import { keyCodes } from '../../support/browser/engines.ts';

/** Keys of the device's own database. */
const storedState = `new Promise((resolve) => {
  const opening = indexedDB.open('kept');
  opening.onsuccess = () => {
    const keys = opening.result.transaction('state').objectStore('state').getAllKeys();
    keys.onsuccess = () => resolve(keys.result);
  };
})`;

async function plays(page: EnginePage, beyond = 0.3): Promise<void> {
  await expect.poll(async () => (await page.sound()).time).toBeGreaterThan(beyond);
  expect((await page.sound()).paused).toBe(false);
}

inEveryEngine(({ walk, network }) => {
  walk(
    'plays, seeks, continues while pages change, and plays the next',
    async (page) => {
      const onSlider = async (key: string) => {
        await page.read(`document.querySelector('input[aria-label="Position"]').focus() ?? null`);
        await page.type(keyCodes[key] ?? key);
      };
      await page.goTo('/playlists/start-here');
      // The preview, which is loaded by now: WebKitGTK cannot jump in an MP3 that was to play before it was loaded.
      await page.press('.player button', 'Play');
      await plays(page);
      const [before, began] = [(await page.sound()).time, Date.now()];
      await onSlider('PageUp');
      // More than by playing.
      await expect
        .poll(async () => (await page.sound()).time - before - (Date.now() - began) / 1000)
        .toBeGreaterThan(9);
      const preview = (await page.sound()).src;
      await page.press('main .row button', 'Play ');
      await expect.poll(async () => (await page.sound()).src).not.toBe(preview);
      await plays(page);
      await page.read(`document.querySelector('audio').dataset.same = ''`);

      await page.press('footer a[href="/blog"]');
      // The focus moves there once the page is complete.
      await expect.poll(() => page.read('document.activeElement.matches("h1") && location.pathname')).toBe('/blog');
      const { time, src, same } = await page.sound();
      expect(same).toBe(true);
      await plays(page, time);
      await onSlider('End');
      await expect.poll(async () => (await page.sound()).src).not.toBe(src);
      await plays(page, 0);
      expect((await page.sound()).same).toBe(true);
    },
    { quick: true },
  );

  walk('logs in, plays a list, and takes an audio out of the queue and back', async (page) => {
    await page.goTo('/about');
    await page.press('header a', 'Log in');
    await page.fill(['.modal input', 'Email'], 'listener@sotto.example');
    await page.fill(['.modal input', 'Password'], 'listener');
    await page.press('.modal button', 'Log in');
    await page.see('header button', 'Account menu');
    await page.gone('.modal');
    await page.goTo('/playlists/start-here');
    await page.press('main .row button', 'Play ');
    await plays(page);
    await page.press('button', 'Go to Queue');
    await page.see('h1', 'Your Queue');
    const upNext = () => page.read<number>(`document.querySelectorAll('[aria-label="Up Next"] .row__title').length`);
    await expect.poll(upNext).toBeGreaterThan(0);
    const count = await upNext();
    await page.press('[aria-label="Up Next"] button', 'More for ');
    await page.press('[role=menuitem]', 'Remove from queue');
    await expect.poll(upNext).toBe(count - 1);
    await page.press('.toast button', 'Undo');
    await expect.poll(upNext).toBe(count);
    const next = await page.text('[aria-label="Up Next"] .row__title');
    await page.press('[aria-label="Up Next"] .row__menu + button');
    await expect.poll(() => page.text('.player__title')).toBe(next);
    await plays(page);
  });

  walk('downloads an audio, and plays it without a connection', async (page) => {
    const title = 'Bright Star';
    await signIn(page, 'subscriber@sotto.example', 'subscriber');
    const { items } = await page.call<{ items: { id: string }[] }>('GET', '/user/offline-devices');
    for (const { id } of items) await page.call('DELETE', `/user/offline-devices/${id}`);
    await page.goTo('/playlists/start-here');
    await page.press('main button', `More for ${title}`);
    await page.press('[role=menuitem]', 'Download');
    // A page that is left before the answer adds nothing.
    await page.see('.toast', `Downloading “${title}”`);
    await page.goTo('/library/downloads');
    await page.see('.download__row button', `Play ${title}`);
    // The page for starting without a connection is stored last.
    await expect.poll(() => page.settled(storedState)).toContain('page');
    await network().set('refuse');
    onTestFinished(() => network().set('pass'));
    await page.goTo('/');
    await expect.poll(() => page.read('location.pathname')).toBe('/library/downloads');
    await page.press('.download__row button', `Play ${title}`);
    await plays(page, 1);
    expect((await page.sound()).src).toMatch(/\/kept\/[\w-]+\/sound$/);

    await network().set('hold');
    await page.read(`(window.isFormer = true, location.assign('/'), null)`);
    await expect.poll(() => page.read('"isFormer" in window || location.pathname')).toBe('/library/downloads');
    await page.see('.download__row button', `Play ${title}`);
    // Four seconds of patience.
    const came = await page.read(`performance.getEntriesByType('navigation')[0].responseEnd`);
    expect(came).toBeGreaterThan(3500);
    expect(came).toBeLessThan(5000);
  });
});
