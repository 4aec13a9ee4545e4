import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectCleanForAxe, expectCleanInBothLooks, expectCleanInBothSizes } from '../support/accounts.ts';
import { overflowOf, useBrowser } from '../support/browser/browser.ts';
import { newListener, openAs } from '../support/listener.ts';
import { startHostPage } from '../support/servers/host-page.ts';

const site = inject('siteUrl');
const browser = useBrowser();
const audio = '/embed/audio/how-do-i-love-thee';
let series: string;
let host: Awaited<ReturnType<typeof startHostPage>>;

beforeAll(async () => {
  host = await startHostPage(site);
  const { items } = (await (await fetch(`${site}/v1/api/series?limit=50`)).json()) as { items: { slug: string }[] };
  for (const { slug } of items) {
    const html = await (await fetch(`${site}/embed/series/${slug}`)).text();
    if (html.includes('data-part="0"')) series = `/embed/series/${slug}`;
  }
  expect(series).toBeDefined();
});
afterAll(() => host.close());

test('a frame’s script is at most 40 KB, and asks for no other', async () => {
  const built = await readFile(join(import.meta.dirname, '../../build/embed.json'), 'utf8');
  const { script } = JSON.parse(built) as { script: string };
  for (const packed of [brotliCompressSync(script), gzipSync(script)])
    expect(packed.byteLength).toBeLessThanOrEqual(40 * 1024);
  expect(script).not.toMatch(/\bimport\b|document\.cookie|localStorage|sessionStorage|indexedDB/);
});

const playButton = (page: Page) => page.getByRole('button', { name: /^(?:Play|Pause)$/ });

test('before Play, a frame asks for its cover and fonts alone; then for the sound, of this site, without cookies', async () => {
  const { page, quiet } = await browser.open('/healthz');
  const requests: Request[] = [];
  page.on('request', (request) => void requests.push(request));
  host.show(`<iframe src="${site}${audio}" width="640" height="180" title="Audio"></iframe>`);
  await page.goto(host.url, { waitUntil: 'networkidle' });
  const asked = () => requests.filter((request) => !request.url().startsWith(host.url));
  const elsewhere = () => asked().flatMap((request) => (request.url().startsWith(site) ? [] : [request.url()]));
  expect(elsewhere()).toEqual([]);
  expect([...new Set(asked().map((request) => request.resourceType()))].toSorted()).toEqual([
    'document',
    'font',
    'image',
  ]);
  const frame = page.frameLocator('iframe');
  await frame.getByRole('button', { name: 'Play' }).click();
  await frame.getByRole('button', { name: 'Pause' }).waitFor();
  const isCounted = () => asked().some((request) => /\/audios\/play\/[^?]*\?source=embed$/.test(request.url()));
  await expect.poll(isCounted).toBe(true);
  expect(elsewhere()).toEqual([]);
  const headers = await Promise.all(asked().map((request) => request.allHeaders()));
  expect(headers.filter(({ cookie }) => cookie !== undefined)).toEqual([]);
  const { cookies } = await page.context().storageState();
  expect(cookies.filter(({ name }) => name !== 'sotto_theme')).toEqual([]);
  await quiet();
});

test('it is operated by the keyboard, and the place is told', async () => {
  const { page, quiet } = await browser.open(audio);
  const slider = page.getByRole('slider');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect.poll(() => playButton(page).evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press('Tab');
  await expect.poll(() => slider.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^0:10 of \d+:\d\d$/);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  // It begins where the slider was.
  await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThanOrEqual(10);
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Play' }).waitFor();
  await quiet();
});

test('a series plays the part that is pressed', async () => {
  const { page, quiet } = await browser.open(series);
  const parts = page.locator('ol').getByRole('button');
  const title = await parts.first().locator('span').nth(1).textContent();
  await parts.first().click();
  await expect.poll(() => page.locator('h1').textContent()).toBe(title);
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  expect(await parts.first().getAttribute('aria-current')).toBe('true');
  await quiet();
});

test.each(['dark', 'light'] as const)(
  'in every width and with the %s theme, axe finds nothing and nothing is cut off',
  async (theme) => {
    const locked = '/embed/audio/no-such-audio';
    for (const path of [audio, series, locked]) {
      const { page } = await browser.open('/healthz', { viewport: { width: 640, height: 180 } });
      await page.goto(`${path}?theme=${theme}`);
      for (const [width, height] of [
        [280, 180],
        [320, 180],
        [479, 180],
        [480, 180],
        [640, 180],
        [800, 180],
        [640, 360],
      ] as const) {
        await page.setViewportSize({ width, height });
        expect([path, width, await overflowOf(page)]).toEqual([path, width, 0]);
        if (path !== series)
          expect([path, width, await page.evaluate(() => document.documentElement.scrollHeight)]).toEqual([
            path,
            width,
            height,
          ]);
        await expectCleanForAxe(page);
      }
    }
  },
);

test('without scripts, the browser’s own player is there', async () => {
  const { page } = await browser.open(audio, { javaScriptEnabled: false });
  await page.locator('audio[controls]').waitFor();
  expect(await playButton(page).isVisible()).toBe(false);
});

test('the page of an audio that everyone may hear names its frame and oEmbed', async () => {
  const html = await (await fetch(`${site}/audio/how-do-i-love-thee`, { headers: { accept: 'text/html' } })).text();
  const [, address = ''] =
    /<link rel="alternate" type="application\/json\+oembed"[^>]* href="([^"]*)"/.exec(html) ?? [];
  const answer = (await (await fetch(address.replaceAll('&amp;', '&'))).json()) as { html: string };
  expect(answer.html).toContain(`src="${site}${audio}"`);
  expect(html).toContain(`<meta name="twitter:player" content="${site}${audio}"/>`);
  expect(html).toContain('<meta name="twitter:card" content="player"/>');
  const { items } = (await (await fetch(`${site}/v1/api/audios?limit=100`)).json()) as {
    items: { slug: string; isFree: boolean }[];
  };
  const { slug } = items.find(({ isFree }) => !isFree) ?? expect.fail();
  const locked = await (await fetch(`${site}/audio/${slug}`, { headers: { accept: 'text/html' } })).text();
  expect(locked).not.toMatch(/oembed|twitter:player/);
});

test('a listener takes along the code of a frame, and the link to a clip, from the menu of an audio', async () => {
  const { page, quiet } = await openAs(browser, await newListener(), '/audio/how-do-i-love-thee');
  await page.locator('main').getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Clip and embed' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  await dialog.getByRole('tab', { name: 'Embed' }).click();
  const code = dialog.getByRole('textbox', { name: 'Code' });
  await expect.poll(() => code.inputValue()).toContain(`src="${site}${audio}" width="640" height="180"`);
  await dialog.getByRole('combobox', { name: 'Size' }).selectOption('320');
  await dialog.getByRole('combobox', { name: 'Theme' }).selectOption('dark');
  await expect.poll(() => code.inputValue()).toContain(`src="${site}${audio}?theme=dark" width="320" height="180"`);
  await expectCleanInBothSizes(page, '.modal');

  await dialog.getByRole('tab', { name: 'Clip' }).click();
  const [start, end] = [
    dialog.getByRole('slider', { name: 'Start of the clip' }),
    dialog.getByRole('slider', { name: 'End of the clip' }),
  ];
  await start.press('Shift+ArrowRight');
  await start.press('ArrowRight');
  await end.press('End');
  // An end that is moved takes the start along.
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Starts at' }).inputValue()).not.toBe('0:06');
  await dialog.getByRole('textbox', { name: 'Starts at' }).fill('0:10');
  await dialog.getByRole('textbox', { name: 'Starts at' }).press('Tab');
  await expect.poll(() => start.getAttribute('aria-valuetext')).toBe('0:10');
  await dialog.getByRole('textbox', { name: 'Ends at' }).fill('0:14');
  await dialog.getByRole('textbox', { name: 'Ends at' }).press('Tab');
  await expect.poll(() => end.getAttribute('aria-valuetext')).toBe('0:14');
  await expectCleanInBothSizes(page, '.modal');
  await dialog.getByRole('button', { name: 'Copy link to the clip' }).click();
  const link = dialog.getByRole('textbox', { name: 'Link' });
  await expect.poll(() => link.inputValue()).toMatch(/\/clip\/[0-9a-f-]{36}$/);
  const address = await link.inputValue();
  await quiet();

  // The job cuts it.
  const state = async () =>
    ((await (await fetch(address.replace('/clip/', '/v1/api/clips/'))).json()) as { state: string }).state;
  await expect.poll(state, { timeout: 60_000 }).toBe('ready');
  const { page: clip, quiet: clipIsQuiet } = await browser.open(address);
  await clip.getByRole('button', { name: 'Play' }).click();
  await clip.getByRole('button', { name: 'Pause' }).waitFor();
  await expectCleanInBothLooks(clip);
  expect(await overflowOf(clip)).toBe(0);
  await clipIsQuiet();
});
