import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectCleanForAxe } from '../../support/accounts.ts';
import { desktop, layouts, mobile, sound, useBrowser } from '../../support/browser/browser.ts';
import {
  type Listener,
  bar,
  call,
  newListener,
  nowPlaying,
  openAs,
  openQueue,
  playing,
  pressPlayAll,
  upNext,
} from '../../support/listener.ts';
import { slow } from '../../support/tags.ts';

const browser = useBrowser({ images: false });
let listener: Listener;

beforeAll(async () => {
  listener = await newListener();
});

/** The playlist "Start Here", in which all audios are free. */
const list = '/playlists/start-here';

/** A page with a whole list in the queue, its first audio playing. */
async function withQueue(options = desktop, who = listener) {
  const opened = await openAs(browser, who, list, options);
  await pressPlayAll(opened.page);
  return opened;
}

const queueOf = (page: Page) => page.getByRole('region', { name: 'Up Next' });

async function savedIds(page: Page): Promise<string[]> {
  const { data } = await call(page, 'GET', '/user/queue');
  return (data as { queue: { list: { id: string }[] } }).queue.list.map(({ id }) => id);
}

// Most listen on a phone.
for (const [name, layout] of layouts)
  describe(`on ${name}`, layout === desktop ? slow : {}, () => {
    test('the queue takes the page’s place, at its top, and gives it back where it was; a change of page closes it', async () => {
      const { page, quiet } = await withQueue(layout);
      await page.evaluate(() => window.scrollTo(0, 240));
      await openQueue(page);
      expect(await page.evaluate(() => window.scrollY)).toBe(0);
      expect(await page.getByRole('heading', { name: 'Start Here' }).isVisible()).toBe(false);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Your Queue');
      for (const part of ['Now Playing', 'Up Next'])
        expect(await page.getByRole('heading', { name: part }).isVisible()).toBe(true);
      await page.getByRole('button', { name: 'Close queue' }).click();
      await page.getByRole('heading', { name: 'Start Here' }).waitFor();
      expect(await page.evaluate(() => window.scrollY)).toBe(240);

      await openQueue(page);
      await queueOf(page).getByRole('link').first().click();
      await page.waitForURL('**/audio/**');
      await page.getByRole('heading', { name: 'Your Queue' }).waitFor({ state: 'detached' });
      await page.goBack();
      await page.getByRole('heading', { name: 'Start Here' }).waitFor();
      expect(await page.getByRole('heading', { name: 'Your Queue' }).count()).toBe(0);
      await playing(page);
      await quiet();
    });

    test('a page longer than the queue has its place again', slow, async () => {
      const { page, quiet } = await openAs(browser, listener, '/audios', layout);
      await page.evaluate(() => window.scrollTo(0, 1500));
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(1500);
      const ways = [
        () => page.getByRole('button', { name: 'Close queue' }).click(),
        () => page.keyboard.press('q'),
        () => page.goBack(),
      ];
      for (const close of ways) {
        await openQueue(page);
        await close();
        await page.getByRole('heading', { name: 'Your Queue' }).waitFor({ state: 'detached' });
        expect(await page.evaluate(() => window.scrollY)).toBe(1500);
      }
      await quiet();
    });

    test('Undo restores removed and cleared items; the notice does not cover the pressed control', slow, async () => {
      const { page, quiet } = await withQueue(layout);
      await openQueue(page);
      const titles = await upNext(page);
      // The previous test's session may still count as playing.
      const toast = page.locator('.toast').filter({ hasNotText: 'another device' });
      const more = queueOf(page)
        .getByRole('listitem')
        .nth(3)
        .getByRole('button', { name: /^More for/ });
      await more.click();
      await page.getByRole('menuitem', { name: 'Remove from queue' }).click();
      await expect.poll(() => upNext(page)).toEqual(titles.toSpliced(3, 1));
      // By keyboard, wherever the focus is.
      await page.keyboard.press('F6');
      await toast.getByRole('button', { name: 'Undo' }).press('Enter');
      await expect.poll(() => upNext(page)).toEqual(titles);

      const clear = queueOf(page).getByRole('button', { name: 'Clear Queue' });
      const boxes = [await clear.boundingBox(), await bar(page).boundingBox()];
      await clear.click();
      await queueOf(page).getByText('The queue is empty').waitFor();
      await toast.filter({ hasText: 'Queue cleared' }).waitFor();
      expect(await toast.count()).toBe(1);
      const shown = await toast.boundingBox();
      for (const box of boxes)
        expect(shown && box && (shown.y >= box.y + box.height || shown.y + shown.height <= box.y)).toBe(true);
      await toast.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => upNext(page)).toEqual(titles);
      await expect.poll(() => savedIds(page)).toHaveLength(titles.length + 1);
      await quiet();
    });

    test('rows add to the queue and take out of it again; what plays has neither', slow, async () => {
      const { page, quiet } = await openAs(browser, listener, '/audio/bright-star', layout);
      const { data } = await call(page, 'GET', '/user/queue');
      const version = (data as { version: number }).version;
      const empty = { list: [], played: [], listType: null, index: 0, individualAddToQueueIndex: 0 };
      await call(
        page,
        'PUT',
        '/user/queue',
        { ...empty, isIndividualQueueUpdate: false, position: 0 },
        { 'if-match': `"${version}"` },
      );
      await page.evaluate(() =>
        Object.keys(localStorage).forEach((key) => key.includes('queue') && localStorage.removeItem(key)),
      );
      await page.goto('/audio/bright-star');
      const main = page.locator('main');
      await main.getByRole('button', { name: /^Play/ }).first().click();
      await playing(page);
      expect(await main.getByRole('button', { name: /(Add to|Remove from) queue/ }).count()).toBe(0);

      await page.goto(list);
      const row = main.getByRole('listitem').filter({ hasText: 'Echo' }).first();
      const menu = async () => {
        await row.getByRole('button', { name: 'More for Echo' }).click();
        await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
      };
      await menu();
      await page.getByRole('menuitem', { name: 'Add to queue' }).click();
      await page.getByText('Added to your queue').first().waitFor();
      await menu();
      expect(await page.getByRole('menuitem', { name: 'Add to queue' }).count()).toBe(0);
      await page.keyboard.press('Escape');
      await openQueue(page);
      expect(await upNext(page)).toEqual(['Echo']);
      await page.keyboard.press('Escape');
      await menu();
      await page.getByRole('menuitem', { name: 'Remove from queue' }).click();
      await openQueue(page);
      await queueOf(page).getByText('The queue is empty').waitFor();
      await page.keyboard.press('Escape');

      const playingRow = main.getByRole('listitem').filter({ hasText: 'Bright Star' }).first();
      await playingRow.getByRole('button', { name: 'More for Bright Star' }).click();
      await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
      expect(await page.getByRole('menuitem', { name: /queue/ }).count()).toBe(0);
      await page.keyboard.press('Escape');
      await quiet();
    });

    test('it is dragged into another order', slow, async () => {
      const { page, quiet } = await withQueue(layout);
      await openQueue(page);
      const [first, second, third, ...others] = await upNext(page);
      const grip = await queueOf(page).locator('.grip').first().boundingBox();
      const row = await queueOf(page).locator('.row').first().boundingBox();
      if (grip === null || row === null) throw new Error('There is nothing to drag');
      const at = { x: grip.x + grip.width / 2, y: grip.y + grip.height / 2 };
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      await page.mouse.move(at.x, at.y + row.height, { steps: 4 });
      await page.mouse.move(at.x, at.y + 2 * row.height, { steps: 4 });
      await page.mouse.up();
      expect(await upNext(page)).toEqual([second, third, first, ...others]);
      expect(await queueOf(page).locator('[data-dragging], [data-shift]').count()).toBe(0);

      // Escape cancels a move.
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      await page.mouse.move(at.x, at.y + row.height, { steps: 4 });
      await page.keyboard.press('Escape');
      await page.mouse.up();
      expect(await upNext(page)).toEqual([second, third, first, ...others]);
      expect(await page.getByRole('heading', { name: 'Your Queue' }).count()).toBe(1);
      await quiet();
    });

    test(
      'queue, sleep timer and transcript are clean for axe, dark and light',
      { ...slow, timeout: 150_000 },
      async () => {
        const { page, quiet } = await withQueue(layout);
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme });
          await openQueue(page);
          await expectCleanForAxe(page);
          await page.keyboard.press('Escape');
          if (layout === mobile) await bar(page).getByRole('button', { name: 'Expand player' }).click();
          else await bar(page).getByRole('button', { name: 'Open full screen' }).click();
          const player = page.getByRole('dialog', { name: 'Player' });
          const transcript = player.getByRole('button', { name: 'Transcript' });
          // It stays open between presses.
          if ((await transcript.getAttribute('aria-pressed')) === 'false') await transcript.click();
          await player.getByRole('region', { name: 'Transcript' }).getByRole('list').waitFor();
          await player.getByRole('button', { name: /^Sleep timer/ }).click();
          await page.getByRole('button', { name: '15 minutes' }).waitFor();
          await expectCleanForAxe(page);
          await page.keyboard.press('Escape');
          await page.keyboard.press('Escape');
          await player.waitFor({ state: 'detached' });
        }
        await quiet();
      },
    );
  });

test('by keyboard alone: reordered with a word for each step, played from, removed, cleared', async () => {
  const { page, quiet } = await withQueue();
  await openQueue(page);
  const [first, second, third, ...others] = await upNext(page);
  // The close button comes first, then the current audio, then the list.
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Close queue');
  for (let stops = 0; stops < 12; stops += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement?.classList.contains('grip'))) break;
  }
  const announcement = queueOf(page).locator('[aria-live]');
  await page.keyboard.press('ArrowDown');
  expect(await announcement.textContent()).toBe(`${first}, place 2 of ${others.length + 3}`);
  await page.keyboard.press('ArrowDown');
  expect(await upNext(page)).toEqual([second, third, first, ...others]);
  await page.keyboard.press('Home');
  expect(await upNext(page)).toEqual([first, second, third, ...others]);
  await page.keyboard.press('End');
  expect(await announcement.textContent()).toBe(`${first}, place ${others.length + 3} of ${others.length + 3}`);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(`Reorder ${first}`);
  await page.keyboard.press('Home');
  // Anywhere in the row with Alt.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Alt+ArrowDown');
  expect(await upNext(page)).toEqual([second, first, third, ...others]);

  const row = queueOf(page).getByRole('listitem').first();
  await row.getByRole('button', { name: /^More for/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Remove from queue' }).press('Enter');
  await expect.poll(() => upNext(page)).toEqual([first, third, ...others]);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe(`More for ${first}`);

  await row.getByRole('button', { name: new RegExp(`^Play ${third}`) }).count();
  await queueOf(page).getByRole('listitem').nth(1).locator('.pill').press('Enter');
  await expect.poll(() => nowPlaying(page)).toBe(third);
  await queueOf(page).getByRole('button', { name: 'Clear Queue' }).press('Enter');
  await queueOf(page).getByText('The queue is empty').waitFor();
  expect(await nowPlaying(page)).toBe(third);
  await page.keyboard.press('q');
  await page.getByRole('heading', { name: 'Your Queue' }).waitFor({ state: 'detached' });
  await quiet();
});

test('a reload keeps the second and the queue, and does not start playback', async () => {
  const { page, quiet } = await withQueue();
  await bar(page).getByRole('button', { name: 'Forward 15 seconds' }).click();
  await playing(page, 15.5);
  const title = await nowPlaying(page);
  await openQueue(page);
  const titles = await upNext(page);
  await page.keyboard.press('Escape');
  await bar(page).getByRole('button', { name: 'Pause' }).click();
  const { time } = await sound(page);
  // The server's rendering, once the pause has reached it: no other title appears before.
  await expect
    .poll(async () => {
      const html = await (await page.request.get(list)).text();
      return html.slice(html.indexOf('aria-label="Player"')).includes(`>${title}</a>`);
    })
    .toBe(true);
  await page.reload();
  await expect.poll(() => nowPlaying(page)).toBe(title);
  expect((await sound(page)).paused).toBe(true);
  await openQueue(page);
  await expect.poll(() => upNext(page)).toEqual(titles);
  await bar(page).getByRole('button', { name: 'Resume' }).click();
  await playing(page, time);
  expect((await sound(page)).time).toBeLessThan(time + 3);
  await quiet();
});

test('two devices: the older one adopts the newer queue, shows a notice, and keeps playing', slow, async () => {
  const { page: bedroom, quiet } = await withQueue();
  const { page: kitchen, quiet: kitchenQuiet } = await openAs(browser, listener, list);
  await expect.poll(() => savedIds(bedroom).then((ids) => ids.length)).toBeGreaterThan(5);
  await kitchen.reload();
  await openQueue(kitchen);
  await expect.poll(() => upNext(kitchen).then((titles) => titles.length)).toBeGreaterThan(5);
  await queueOf(kitchen).getByRole('button', { name: 'Clear Queue' }).click();
  await expect.poll(() => savedIds(kitchen).then((ids) => ids.length)).toBe(1);

  await openQueue(bedroom);
  const before = await nowPlaying(bedroom);
  await queueOf(bedroom).locator('.grip').first().press('ArrowDown');
  await bedroom
    .getByText(/^Your queue was updated from another device/)
    .first()
    .waitFor();
  await queueOf(bedroom).getByText('The queue is empty').waitFor();
  expect(await nowPlaying(bedroom)).toBe(before);
  await playing(bedroom);
  // The refusal that revealed it, as logged by the browser.
  await quiet([expect.stringContaining('412')]);
  await kitchenQuiet();
});

test('another tab that starts pauses this one, and the lock screen’s next key plays the next audio', async () => {
  const opened = await openAs(browser, listener, '/about');
  await opened.page.addInitScript(() => {
    const actions = new Map<string, (details: object) => void>();
    const set = navigator.mediaSession.setActionHandler.bind(navigator.mediaSession);
    navigator.mediaSession.setActionHandler = (action, handler) => {
      if (handler === null) actions.delete(action);
      else actions.set(action, handler as (details: object) => void);
      set(action, handler);
    };
    Object.assign(window, {
      lockScreen: (action: string) => actions.has(action) && (actions.get(action)?.({ action }), true),
    });
  });
  const { page, quiet } = opened;
  await page.goto(list);
  await pressPlayAll(page);
  const first = await nowPlaying(page);
  // The system's keys are set up after the sound has started.
  await expect
    .poll(() =>
      page.evaluate(() => (window as never as { lockScreen(action: string): boolean }).lockScreen('nexttrack')),
    )
    .toBe(true);
  await expect.poll(() => nowPlaying(page)).not.toBe(first);
  await playing(page);
  const second = await nowPlaying(page);
  expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe(second);

  const other = await page.context().newPage();
  await other.goto(list);
  await bar(other)
    .getByRole('button', { name: /^(Play|Resume)$/ })
    .click();
  await playing(other);
  await expect.poll(async () => (await sound(page)).paused).toBe(true);
  await quiet();
});

test('the end of the list stops; with "keep playing" similar audios follow', slow, async () => {
  const { page, quiet } = await withQueue();
  await openQueue(page);
  await queueOf(page).getByRole('button', { name: 'Clear Queue' }).click();
  const last = await nowPlaying(page);
  const toEnd = async () => {
    const slider = bar(page).getByRole('slider', { name: 'Position' });
    await slider.focus();
    await slider.press('End');
  };
  await toEnd();
  await expect.poll(async () => (await sound(page)).paused, { timeout: 15_000 }).toBe(true);
  expect(await nowPlaying(page)).toBe(last);
  await bar(page).getByRole('button', { name: 'Play' }).click();
  await playing(page);

  await bar(page).getByRole('button', { name: 'Sleep timer' }).click();
  const keepPlaying = page.getByRole('switch', { name: 'Keep playing' });
  await keepPlaying.click();
  expect(await keepPlaying.getAttribute('aria-checked')).toBe('true');
  await page.keyboard.press('Escape');
  await toEnd();
  await expect.poll(() => nowPlaying(page), { timeout: 20_000 }).not.toBe(last);
  await playing(page);
  await page.reload();
  await bar(page).getByRole('button', { name: 'Sleep timer' }).click();
  expect(await keepPlaying.getAttribute('aria-checked')).toBe('true');
  await keepPlaying.click();
  await quiet();
});

test('the sleep timer counts down, fades, pauses, and gives the volume back; it can be cancelled', slow, async () => {
  const { page, quiet } = await openAs(browser, listener, '/about');
  await page.clock.install();
  await page.goto(list);
  await pressPlayAll(page);
  const button = bar(page).getByRole('button', { name: /^Sleep timer/ });
  await button.click();
  await page.getByRole('button', { name: '10 minutes' }).click();
  await expect.poll(() => button.textContent()).toMatch(/^9:5\d$/);
  await page.getByText(/^Stops at \d\d:\d\d, after fading out for 30 seconds$/).waitFor();
  await page.getByRole('button', { name: '10 more minutes' }).click();
  await expect.poll(() => button.textContent()).toMatch(/^19:[45]\d$/);
  await page.getByRole('button', { name: 'Turn the timer off' }).click();
  expect(await button.textContent()).toBe('');

  await page.getByRole('button', { name: '5 minutes', exact: true }).click();
  await page.keyboard.press('Escape');
  const volume = () => page.evaluate(() => document.querySelector('audio')?.volume ?? -1);
  expect(await volume()).toBe(1);
  await page.clock.fastForward('04:45');
  await expect.poll(volume).toBeLessThan(0.9);
  expect((await sound(page)).paused).toBe(false);
  await page.clock.fastForward('00:20');
  await expect.poll(async () => (await sound(page)).paused).toBe(true);
  await expect.poll(volume).toBe(1);
  expect(await button.textContent()).toBe('');
  await quiet();
});

test('"stop after this one" ends with the audio, and the next one waits for Play', slow, async () => {
  const { page, quiet } = await withQueue();
  const title = await nowPlaying(page);
  await bar(page)
    .getByRole('button', { name: /^Speed and settings/ })
    .click();
  await page.getByRole('menuitemcheckbox', { name: 'Stop after this one' }).click();
  await page.keyboard.press('Escape');
  const slider = bar(page).getByRole('slider', { name: 'Position' });
  await slider.focus();
  await slider.press('End');
  await expect.poll(async () => (await sound(page)).paused, { timeout: 15_000 }).toBe(true);
  // Next's own start would take less.
  await page.getByRole('button', { name: 'Sleep timer', exact: true }).waitFor();
  expect((await sound(page)).paused).toBe(true);
  await expect.poll(() => nowPlaying(page)).not.toBe(title);
  await quiet();
});

test(
  'Back closes the expanded player and the queue and stays on the page; a link from there takes their place',
  slow,
  async () => {
    const { page, quiet } = await openAs(browser, listener, '/categories', mobile);
    await page.goto('/playlists/start-here');
    await pressPlayAll(page);
    const dialog = page.getByRole('dialog', { name: 'Player' });
    const queue = page.getByRole('heading', { name: 'Your Queue' });
    const expand = () => bar(page).getByRole('button', { name: 'Expand player' }).click();
    const address = page.url();

    await expand();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await page.goForward();
    await dialog.waitFor();
    // The queue is not left in the history behind it.
    await page.keyboard.press('q');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Your Queue');
    await page.reload();
    await queue.waitFor();
    await page.goBack();
    await queue.waitFor({ state: 'detached' });
    expect(page.url()).toBe(address);

    await expand();
    await page.keyboard.press('q');
    await page.getByRole('button', { name: 'Close queue' }).click();
    await queue.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Expand player');

    await expand();
    await dialog.getByRole('link', { name: 'See Audio Details' }).click();
    await page.waitForURL('**/audio/**');
    await page.goBack();
    await page.getByRole('heading', { name: 'Start Here' }).waitFor();
    expect(page.url()).toBe(address);
    await dialog.waitFor({ state: 'detached' });
    await page.goForward();
    await page.waitForURL('**/audio/**');
    await page.goBack();
    await page.getByRole('heading', { name: 'Start Here' }).waitFor();
    await page.goBack();
    await page.waitForURL('**/categories');
    await quiet();
  },
);

test('controls without room in the bar are in its menu, by keyboard, without axe violations', slow, async () => {
  const { page, quiet } = await openAs(browser, listener, list, { viewport: { width: 800, height: 900 } });
  await pressPlayAll(page);
  const more = bar(page).getByRole('button', { name: 'More', exact: true });
  const labels = () => page.locator('.menu [role^=menuitem]').allTextContents();
  await more.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: '0.5×' }).waitFor();
  await expectCleanForAxe(page);
  expect(await labels()).toEqual(
    expect.arrayContaining(['2×', '50%', 'Mute', 'Favorite', 'Copy', 'See Audio Details', 'Stop after this one']),
  );
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.querySelector('audio')?.playbackRate)).toBe(0.75);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('More');
  // Each only where the bar lacks it.
  await page.setViewportSize({ width: 1240, height: 900 });
  await more.click();
  await expect
    .poll(async () => (await labels()).filter((label) => !label.endsWith('×')))
    .toEqual(['Not for me', 'Hide Maren Holt', 'Stop after this one', 'Keyboard shortcuts']);
  await quiet();
});

test('after a broken connection playback continues at the same second', slow, async () => {
  const { page } = await openAs(browser, listener, '/about');
  let isCut = true;
  // The start of the file arrives; then the connection is lost.
  await page.route('**/media/**', async (route) => {
    const range = /bytes=(\d+)-/.exec(route.request().headers()['range'] ?? '');
    const from = Number(range?.[1] ?? 0);
    if (!isCut) return route.continue();
    if (from >= 90_000) return route.abort('internetdisconnected');
    const whole = await route.fetch({
      headers: { ...route.request().headers(), range: `bytes=${from}-${from + 89_999}` },
    });
    return route.fulfill({ response: whole });
  });
  await page.goto('/audio/bright-star');
  await page
    .locator('main')
    .getByRole('button', { name: /^(Play|Resume)/ })
    .first()
    .click();
  await playing(page);
  await bar(page).getByText('Connection lost. Trying again…').waitFor({ timeout: 40_000 });
  const { time } = await sound(page);
  await page.context().setOffline(true);
  isCut = false;
  await page.context().setOffline(false);
  await playing(page, time);
  expect((await sound(page)).time).toBeLessThan(time + 4);
  await bar(page).getByText('Connection lost. Trying again…').waitFor({ state: 'detached' });
});

test('pressing a line of the transcript goes there, and the line that is read is marked', async () => {
  const { page, quiet } = await openAs(browser, listener, '/audio/bright-star');
  await page.locator('main').getByText('Transcript', { exact: true }).click();
  const lines = page.locator('main .transcript__line');
  const fourth = lines.nth(3);
  const start = await fourth.getByRole('button').textContent();
  const [minutes = 0, seconds = 0] = (start ?? '').split(':').map(Number);
  await fourth.getByText(/\w/).last().click();
  await playing(page, minutes * 60 + seconds);
  await expect.poll(() => lines.nth(3).getAttribute('aria-current')).toBe('true');
  await lines.nth(1).getByRole('button').press('Enter');
  await expect.poll(() => lines.nth(1).getAttribute('aria-current')).toBe('true');
  await playing(page);
  await quiet();
});

test(
  'Copy gives the address with the second, and on asking without; the preview has no details to see',
  slow,
  async () => {
    const { page, quiet } = await openAs(browser, listener, list, {
      ...desktop,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await pressPlayAll(page);
    await bar(page).getByRole('button', { name: 'Forward 15 seconds' }).click();
    await playing(page, 15.2);
    await bar(page).getByRole('button', { name: 'Copy' }).click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const notice = page.getByText(/^Link copied, starts at 0:\d\d$/).first();
    const second = Number((await notice.textContent())?.slice(-2));
    expect(second).toBeGreaterThanOrEqual(15);
    expect(await copied()).toMatch(new RegExp(String.raw`/audio/[a-z0-9-]+\?t=${second}&via=share$`));
    await page.getByRole('button', { name: 'From the start' }).click();
    await expect.poll(copied).toMatch(/\/audio\/[a-z0-9-]+\?via=share$/);
    await quiet();

    const visitor = await browser.open('/about', desktop);
    await expect.poll(() => bar(visitor.page).textContent()).toMatch(/Preview/);
    expect(await bar(visitor.page).getByRole('button', { name: 'See Audio Details' }).isDisabled()).toBe(true);
    await visitor.quiet();
  },
);
