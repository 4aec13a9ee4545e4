import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { desktop, layouts, mobile, sound, useBrowser } from '../../support/browser/browser.ts';
import { slow } from '../../support/tags.ts';

const browser = useBrowser({ images: false });

const bar = (page: Page) => page.getByRole('region', { name: 'Player' });

async function playing(page: Page, beyond = 0.2): Promise<void> {
  await expect.poll(async () => (await sound(page)).time, { timeout: 15_000 }).toBeGreaterThan(beyond);
  expect((await sound(page)).paused).toBe(false);
}

/** By keyboard: the slider's End key goes to the maximum. */
async function seekToEnd(page: Page): Promise<void> {
  const slider = bar(page).getByRole('slider', { name: 'Position' });
  await slider.focus();
  await slider.press('End');
}

describe.each(layouts)('on %s', (name, layout) => {
  // Most listen on a phone.
  const tags = layout === desktop ? slow : {};
  test(
    'Play on a list starts sound, continues across every navigation, and uses one element throughout',
    tags,
    async () => {
      const { page, quiet } = await browser.open('/playlists/start-here', layout);
      await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
      await playing(page);
      const { src } = await sound(page);
      for (const link of ['Privacy', 'home']) {
        if (link === 'home') await page.getByRole('link', { name: /home$/ }).click();
        else
          await page
            .evaluate(() => window.scrollTo(0, document.body.scrollHeight))
            .then(() => page.getByRole('link', { name: 'Blog' }).click());
        await page.waitForLoadState('networkidle');
        const before = (await sound(page)).time;
        await playing(page, before);
      }
      expect(await sound(page)).toMatchObject({ src, count: 1, paused: false });
      await quiet();
    },
  );

  test('Pause stops, Resume continues at the same position', tags, async () => {
    const { page, quiet } = await browser.open('/playlists/start-here', layout);
    const row = page.locator('main').getByRole('listitem').filter({ hasText: 'How Do I Love Thee?' }).first();
    await row.getByRole('button', { name: /Play/ }).first().click();
    await playing(page, 1);
    await row.getByRole('button', { name: /Pause/ }).first().click();
    await expect.poll(async () => (await sound(page)).paused).toBe(true);
    const { time } = await sound(page);
    await row
      .getByRole('button', { name: /Resume/ })
      .first()
      .click();
    await playing(page, time);
    await quiet();
  });

  test('a locked audio is shown as locked, asks by name, and plays nothing', tags, async () => {
    const { page, quiet } = await browser.open('/audio/the-sun-rising', layout);
    await page
      .locator('main')
      .getByRole('button', { name: /^(Play|Locked)/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await dialog.textContent()).toContain('The Sun Rising');
    expect((await sound(page)).time).toBeLessThanOrEqual(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await quiet();
  });

  if (name === 'desktop') {
    test('after an audio ends, the next playable one starts', async () => {
      const { page, quiet } = await browser.open('/playlists/start-here', layout);
      await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
      await playing(page);
      const first = await sound(page);
      const title = await bar(page).getByRole('link').first().textContent();
      await seekToEnd(page);
      await expect.poll(async () => (await sound(page)).src, { timeout: 20_000 }).not.toBe(first.src);
      await playing(page);
      expect(await bar(page).getByRole('link').first().textContent()).not.toBe(title);
      await quiet();
    });

    test('15 seconds forward and back, the position by keys, and the volume', async () => {
      const { page, quiet } = await browser.open('/playlists/start-here', layout);
      await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
      await playing(page);
      await bar(page).getByRole('button', { name: 'Forward 15 seconds' }).click();
      // Sooner than by playing.
      await expect.poll(async () => (await sound(page)).time, { timeout: 10_000 }).toBeGreaterThan(14.5);
      await bar(page).getByRole('button', { name: 'Back 15 seconds' }).click();
      await expect.poll(async () => (await sound(page)).time).toBeLessThan(10);
      const slider = bar(page).getByRole('slider', { name: 'Position' });
      expect(await slider.getAttribute('aria-valuetext')).toMatch(/^\d+:\d\d of \d+:\d\d$/);
      await slider.focus();
      await slider.press('PageUp');
      await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(3);
      const volume = bar(page).getByRole('slider', { name: 'Volume' });
      await volume.focus();
      await volume.press('Home');
      await expect.poll(() => page.evaluate(() => document.querySelector('audio')?.volume)).toBe(0);
      await quiet();
    });

    test(
      'a cancelled drag, by the pointer or by closing the player, does not seek, and the time keeps running',
      slow,
      async () => {
        const { page, quiet } = await browser.open('/playlists/start-here', layout);
        await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
        await playing(page);
        await bar(page).getByRole('button', { name: 'Pause' }).click();
        // The shown time lags up to a quarter of a second behind the element's, but not after a seek.
        await bar(page).getByRole('slider', { name: 'Position' }).press('PageUp');
        await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(15);
        await page.getByRole('button', { name: 'Open full screen' }).click();
        const expanded = page.getByRole('dialog', { name: 'Player' });
        const place = (within: Locator) =>
          within.getByRole('slider', { name: 'Position' }).getAttribute('aria-valuetext');
        const stood = await place(expanded);
        const track = expanded.locator('.slider').first();
        async function drag() {
          // Waits until the window stops moving and nothing covers the slider.
          await track.hover();
          const { x, y, width, height } = (await track.boundingBox()) ?? expect.fail('no slider');
          await page.mouse.down();
          await page.mouse.move(x + width * 0.8, y + height / 2);
          await expect.poll(() => place(expanded)).not.toBe(stood);
        }
        await drag();
        await track.dispatchEvent('pointercancel', { bubbles: true });
        await expect.poll(() => place(expanded)).toBe(stood);
        await page.mouse.up();
        await drag();
        await page.keyboard.press('Escape');
        await expanded.waitFor({ state: 'detached' });
        await expect.poll(() => place(bar(page))).toBe(stood);
        await page.mouse.up();
        await bar(page).getByRole('button', { name: 'Resume' }).click();
        await expect.poll(() => place(bar(page))).not.toBe(stood);
        await quiet();
      },
    );

    test('the keys work, and not while someone types', async () => {
      const { page, quiet } = await browser.open('/', layout);
      await page
        .locator('main')
        .getByRole('button', { name: /preview/i })
        .click();
      await playing(page);
      await page.locator('h1').click();
      await page.keyboard.press('Space');
      await expect.poll(async () => (await sound(page)).paused).toBe(true);
      await bar(page).getByRole('button', { name: 'Open full screen' }).click();
      const expanded = page.getByRole('dialog', { name: 'Player' });
      await expanded.waitFor();
      await page.keyboard.press('Shift+ArrowRight');
      await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(15);
      await page.keyboard.press('Escape');
      await expanded.waitFor({ state: 'detached' });
      // Behind a dialog, keys do nothing.
      await page.keyboard.press('q');
      await page.locator('[data-modal]').waitFor();
      await page.getByRole('button', { name: 'Close' }).press('m');
      await page.keyboard.press('Escape');
      await page.locator('[data-modal]').waitFor({ state: 'detached' });
      expect(await page.evaluate(() => document.querySelector('audio')?.muted)).toBe(false);
      await page.keyboard.press('/');
      await page.keyboard.type('a b');
      expect((await sound(page)).paused).toBe(true);
      expect(await page.getByRole('searchbox').or(page.getByRole('combobox')).first().inputValue()).toBe('a b');
      await quiet();
    });

    test('previous and next wait for a log-in', async () => {
      const { page, quiet } = await browser.open('/', layout);
      for (const label of ['Previous', 'Next'])
        expect(await bar(page).getByRole('button', { name: label }).isDisabled()).toBe(true);
      await quiet();
    });
  }
});

test('with nothing else there, the bar holds the preview, whose title leads nowhere', async () => {
  const { page, quiet } = await browser.open('/about', desktop);
  await expect.poll(() => bar(page).textContent()).toMatch(/Preview/);
  expect(
    await bar(page)
      .getByRole('link', { name: /How Do I Love Thee/ })
      .count(),
  ).toBe(0);
  await bar(page).getByRole('button', { name: /^Play/ }).click();
  await playing(page);
  await quiet();
});

test('two tabs: the one where Play was pressed last is heard', slow, async () => {
  const { page, quiet } = await browser.open('/playlists/start-here', desktop);
  await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
  await playing(page);
  const other = await page.context().newPage();
  await other.goto('/playlists/start-here');
  await expect.poll(() => bar(other).textContent()).toMatch(/Preview/);
  await other.locator('main').getByRole('button', { name: /^Play/ }).first().click();
  await playing(other);
  await expect.poll(async () => (await sound(page)).paused).toBe(true);
  await quiet();
});

test('on a phone the player opens over the whole screen, and closes by Escape and by leaving', async () => {
  const { page, quiet } = await browser.open('/playlists/start-here', mobile);
  await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
  await playing(page);
  await bar(page).getByRole('button', { name: 'Expand player' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  for (const label of ['Go to Queue', 'Copy', 'Back 15 seconds', 'Forward 15 seconds'])
    expect(await dialog.getByRole('button', { name: label }).count()).toBe(1);
  // On its side, a small phone shows the controls without scrolling.
  for (const [width, height] of [
    [667, 331],
    [740, 360],
  ] as const) {
    await page.setViewportSize({ width, height });
    const controls = [
      dialog.locator('.slider').first(),
      ...['Previous', 'Pause', 'Next'].map((name) => dialog.getByRole('button', { name })),
    ];
    for (const control of controls) {
      const box = (await control.boundingBox()) ?? expect.fail('not shown');
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24);
    }
  }
  // At 400 %, Pause stays in sight below a transcript.
  await page.setViewportSize({ width: 360, height: 225 });
  await dialog.getByRole('button', { name: 'Transcript' }).click();
  await dialog.locator('.transcript__line').first().waitFor();
  const pause = (await dialog.getByRole('button', { name: 'Pause' }).boundingBox()) ?? expect.fail('not shown');
  expect(pause.y + pause.height).toBeLessThanOrEqual(225);
  await page.setViewportSize(mobile.viewport);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await bar(page).getByRole('button', { name: 'Expand player' }).click();
  await dialog.getByRole('link', { name: 'See Audio Details' }).click();
  await page.waitForURL(/\/audio\//);
  await dialog.waitFor({ state: 'detached' });
  const { time } = await sound(page);
  await playing(page, time);
  await quiet();
});

test('in discreet mode neither tab nor lock screen says what is heard', async () => {
  const { page, quiet } = await browser.open('/', desktop);
  await page.context().addCookies([{ name: 'sotto_discreet', value: '1', url: page.url() }]);
  await page.goto('/playlists/start-here');
  expect(await page.title()).toBe('Sotto');
  await expect.poll(() => bar(page).textContent()).toMatch(/Preview/);
  await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
  await playing(page);
  const shown = await page.evaluate(() => [
    navigator.mediaSession.metadata?.title,
    navigator.mediaSession.metadata?.artist,
  ]);
  expect(shown).toEqual(['Sotto', '']);
  await quiet();
});
