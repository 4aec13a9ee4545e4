import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openFirefox, openWebKit, press, typeKey } from '../../support/other-browsers.ts';
import type { OtherPage } from '../../support/other-browsers.ts';

const { firefox, webkit } = inject('otherBrowsers');
const pages = new Map<string, OtherPage>();
const keys = { pageUp: '\uE00E', end: '\uE010' };

// Concurrently, because their start takes most of the time.
beforeAll(async () => {
  const open = async (name: string, page: OtherPage) => void pages.set(name, page);
  await Promise.all([
    firefox && openFirefox(firefox).then((page) => open('Firefox', page)),
    webkit && openWebKit(webkit).then((page) => open('WebKit', page)),
  ]);
});
afterAll(() => Promise.all([...pages.values()].map((page) => page.close())));

type Sound = { time: number; paused: boolean; src: string; same: boolean };

test.for([
  ['Firefox', firefox],
  ['WebKit', webkit],
] as const)(
  '%s plays, seeks, continues while pages change, and plays the next',
  { timeout: 120_000 },
  async ([name, program], { skip }) => {
    skip(program === undefined, 'It is not installed here.');
    const page = pages.get(name) ?? expect.fail();
    const sound = async () =>
      (await page.read(`(({ currentTime, paused, currentSrc, dataset }) =>
      ({ time: currentTime, paused, src: currentSrc, same: 'same' in dataset }))(document.querySelector('audio'))`)) as Sound;
    const sounds = async (beyond: number) => {
      await expect.poll(async () => (await sound()).time).toBeGreaterThan(beyond);
      expect((await sound()).paused).toBe(false);
    };
    const onSlider = async (key: string) => {
      await page.read(`document.querySelector('input[aria-label="Position"]').focus()`);
      await typeKey(page, key);
    };

    await page.goTo(new URL('/playlists/start-here', inject('siteUrl')).href);
    // React has hydrated: it adds its own keys to the elements.
    const hydrated = `Object.keys(document.body.firstElementChild).some((key) => key.startsWith('__react'))`;
    await expect.poll(() => page.read(hydrated)).toBe(true);
    await press(page, 'main button', 'Play');
    await sounds(0.3);
    await page.read(`document.querySelector('audio').dataset.same = ''`);

    const before = (await sound()).time;
    await onSlider(keys.pageUp);
    await expect.poll(async () => (await sound()).time, { timeout: 12_000 }).toBeGreaterThan(before + 14);
    await sounds(before + 14);

    await press(page, 'footer a[href="/blog"]');
    // The focus moves there once the page is complete.
    await expect.poll(() => page.read('document.activeElement.matches("h1") && location.pathname')).toBe('/blog');
    const { time, src, same } = await sound();
    expect(same).toBe(true);
    await sounds(time);

    await onSlider(keys.end);
    await expect.poll(async () => (await sound()).src).not.toBe(src);
    await sounds(0);
    expect((await sound()).same).toBe(true);
  },
);
