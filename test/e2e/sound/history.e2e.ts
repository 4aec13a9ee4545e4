import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectCleanForAxe, logOut } from '../../support/accounts.ts';
import { desktop, hydrated, layouts, sound, useBrowser } from '../../support/browser/browser.ts';
import {
  type Listener,
  bar,
  call,
  clearHistory,
  newListener,
  nowPlaying,
  openAs,
  playing,
  pressPlayAll,
  signIn,
} from '../../support/listener.ts';
import { countRenders, purgeRenders, rowRenders } from '../../support/browser/renders.ts';
import { slow } from '../../support/tags.ts';

const browser = useBrowser({ images: false });
let listener: Listener;

beforeAll(async () => {
  listener = await newListener();
});
beforeEach(() => clearHistory(listener));

type Places = { currentlyListening: Record<string, number>; listenCounter: Record<string, number> };

async function placesOf(page: Parameters<typeof call>[0]): Promise<Places> {
  return (await call(page, 'GET', '/history/me')).data as Places;
}

test('leaving in the middle keeps the position; another device continues there', async () => {
  const { page, quiet } = await openAs(browser, listener, '/audio/bright-star');
  await pressPlayAll(page);
  await bar(page).getByRole('button', { name: 'Forward 15 seconds' }).click();
  await playing(page, 15.5);
  const { time } = await sound(page);
  await page.goto('about:blank');

  const other = await openAs(browser, listener, '/creators/saoirse-quill');
  const place = async () => Object.values((await placesOf(other.page)).currentlyListening)[0] ?? 0;
  await expect.poll(place).toBeGreaterThan(15);
  // Only then: closing a context aborts requests in progress; closing a tab does not.
  await page.context().close();
  await other.page.reload();
  const row = other.page.locator('main .row').filter({ hasText: 'Bright Star' }).first();
  await row.getByRole('button', { name: /^Resume/ }).click();
  await playing(other.page, 15.5);
  expect((await sound(other.page)).time).toBeLessThan(time + 6);
  await other.quiet();
  await quiet().catch(() => undefined);
});

test('“Play here” continues the playback of another device, which pauses', slow, async () => {
  const phone = await openAs(browser, listener, '/audio/bright-star');
  await pressPlayAll(phone.page);
  const slider = bar(phone.page).getByRole('slider', { name: 'Position' });
  await slider.focus();
  await slider.press('PageUp');
  const place = async () => Object.values((await placesOf(phone.page)).currentlyListening)[0] ?? 0;
  await expect.poll(place).toBeGreaterThan(10);
  const { time } = await sound(phone.page);

  const laptop = await openAs(browser, listener, '/about');
  await laptop.page.getByRole('button', { name: 'Play here' }).click();
  await playing(laptop.page, 10);
  expect(await nowPlaying(laptop.page)).toBe('Bright Star');
  expect((await sound(laptop.page)).time).toBeLessThan(time + 15);
  await expect.poll(async () => (await sound(phone.page)).paused, { timeout: 15_000 }).toBe(true);
  expect(await phone.page.getByText('your other device is playing now').count()).toBeGreaterThan(0);
  await laptop.quiet();
  await phone.quiet();
});

test('logging out in the middle keeps the place and the queue for the next time', slow, async () => {
  const { page, quiet } = await openAs(browser, listener, '/playlists/start-here');
  await pressPlayAll(page);
  const title = await nowPlaying(page);
  await playing(page, 3);
  await logOut(page);
  expect(await page.evaluate(() => localStorage.getItem('sotto_history') || null)).toBeNull();
  await quiet();

  const other = await openAs(browser, listener, '/about');
  const [seconds] = Object.values((await placesOf(other.page)).currentlyListening);
  expect(seconds).toBeGreaterThan(2.5);
  await expect.poll(() => nowPlaying(other.page)).toBe(title);
  await other.quiet();
});

test('listening is counted once, and its end removes the position', slow, async () => {
  const { page, quiet } = await openAs(browser, listener, '/audio/a-red-red-rose');
  await pressPlayAll(page);
  const slider = bar(page).getByRole('slider', { name: 'Position' });
  await slider.focus();
  await slider.press('PageUp');
  await expect.poll(async () => Object.values((await placesOf(page)).currentlyListening)[0]).toBeGreaterThan(10);
  await slider.press('End');
  await expect
    .poll(async () => Object.keys((await placesOf(page)).currentlyListening), { timeout: 15_000 })
    .toEqual([]);
  expect(Object.values((await placesOf(page)).listenCounter)).toEqual([1]);
  await quiet();
});

test('a row says that its audio was heard to the end, at once and after a reload', slow, async () => {
  const { page, quiet } = await openAs(browser, await newListener(), '/playlists/start-here');
  await pressPlayAll(page);
  const title = await nowPlaying(page);
  const row = page.locator('main li.row:not(.row--head)').first();
  const slider = bar(page).getByRole('slider', { name: 'Position' });
  await slider.focus();
  await slider.press('End');
  await row.getByText('Heard').filter({ visible: true }).waitFor();
  expect(await row.getByRole('button', { name: /^Play/ }).count()).toBe(1);
  await expect.poll(async () => Object.keys((await placesOf(page)).listenCounter).length).toBeGreaterThan(0);
  // The next audio has started automatically and has no position yet; only the first was heard.
  await expect.poll(() => nowPlaying(page)).not.toBe(title);
  await page.reload();
  await row.getByText('Heard').filter({ visible: true }).waitFor();
  expect(await page.locator('main li.row:not(.row--head)').getByText('Heard').filter({ visible: true }).count()).toBe(
    1,
  );
  await quiet();
});

describe.each(layouts)('on %s', slow, (_name, layout) => {
  test('home offers to continue unfinished audios, and shows the last ones heard', async () => {
    const { page, quiet } = await openAs(browser, listener, '/audio/bright-star', layout);
    await pressPlayAll(page);
    await playing(page, 3);
    await page
      .locator('main')
      .getByRole('button', { name: /^Pause/ })
      .first()
      .click();
    await expect.poll(async () => Object.keys((await placesOf(page)).currentlyListening).length).toBe(1);
    await page.goto('/');
    const going = page.getByRole('region', { name: 'Continue listening' });
    await going.getByRole('link', { name: 'Bright Star' }).waitFor();
    await page.getByRole('region', { name: 'Recent activity' }).getByRole('link', { name: 'Bright Star' }).waitFor();
    await going
      .getByRole('button', { name: /^Resume/ })
      .first()
      .click();
    await playing(page, 3);
    expect(await nowPlaying(page)).toBe('Bright Star');
    await quiet();
  });

  test('the history is listed; one is removed and brought back, all are cleared after asking once more', async () => {
    const { page, quiet } = await openAs(browser, listener, '/audio/bright-star', layout);
    for (const path of ['/audio/bright-star', '/audio/echo']) {
      await page.goto(path);
      await pressPlayAll(page);
      await playing(page, 1);
    }
    await page.goto('/account');
    await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Listening history' }).click();
    await page.getByRole('heading', { name: 'Listening history' }).waitFor();
    const titles = () => page.locator('main .row__title').allTextContents();
    await expect.poll(titles).toEqual(['Echo', 'Bright Star']);
    await expectCleanForAxe(page);

    const remove = page.getByRole('button', { name: 'Remove Bright Star from your history' });
    await remove.click();
    await expect.poll(titles).toEqual(['Echo']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(titles).toEqual(['Echo', 'Bright Star']);
    await remove.focus();
    await remove.press('Enter');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Remove Echo from your history');
    // Leaving the page has the same effect as waiting.
    await page.goto('/account/history');
    await expect
      .poll(async () => {
        await page.reload();
        return titles();
      })
      .toEqual(['Echo']);
    await hydrated(page);

    await page.getByRole('button', { name: 'Clear all' }).click();
    const dialog = page.getByRole('dialog', { name: 'Clear your listening history' });
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await titles()).toEqual(['Echo']);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await dialog.getByRole('button', { name: 'Clear history' }).click();
    await page.getByText('No audios').waitFor();
    expect(await placesOf(page)).toMatchObject({ currentlyListening: {}, listenCounter: {} });
    await quiet();
  }, 90_000);
});

test('visitors are asked to sign in, and without script the history can be read', slow, async () => {
  const { page, quiet } = await browser.open('/account/history', desktop);
  await page.getByRole('heading', { name: 'Sign in to see your listening history' }).waitFor();
  await signIn(page, listener);
  await page.goto('/audio/echo');
  await pressPlayAll(page);
  await playing(page, 1);
  await page.goto('/account/history');
  await page.locator('main .row__title').first().waitFor();
  const cookies = await page.context().cookies();
  const plain = await browser.open('/about', { ...desktop, javaScriptEnabled: false });
  await plain.page.context().addCookies(cookies);
  await plain.page.goto('/account/history');
  expect(await plain.page.locator('main .row__title').allTextContents()).toEqual(['Echo']);
  expect(await plain.page.getByRole('button', { name: /^Remove/ }).isVisible()).toBe(false);
  await plain.quiet();
  await quiet();
});

test('no row of a list re-renders while only the position moves', slow, async () => {
  const { page, quiet } = await openAs(browser, listener, '/about');
  await countRenders(page);
  await page.goto('/playlists/start-here');
  await pressPlayAll(page);
  await playing(page, 1);
  const title = await nowPlaying(page);
  await purgeRenders(page);
  const from = (await sound(page)).time;
  await playing(page, from + 4);
  const { [title]: current = 0, ...others } = await rowRenders(page);
  expect(others).toEqual({});
  // The progress line, in steps of half a percent; the row around it does not render.
  expect(current).toBeLessThanOrEqual(10);

  // The count itself: playback stops, and its row shows it.
  await purgeRenders(page);
  await bar(page).getByRole('button', { name: 'Pause' }).click();
  await expect.poll(async () => (await rowRenders(page))[title] ?? 0).toBeGreaterThan(1);
  await quiet();
});

test('while something plays, the page is laid out some times a second, not in each frame', slow, async () => {
  const { page, quiet } = await openAs(browser, listener, '/playlists/start-here', {
    ...desktop,
    reducedMotion: 'no-preference',
  });
  await pressPlayAll(page);
  expect(await page.locator('main .equalizer').count()).toBe(1);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const layouts = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? expect.fail('no LayoutCount');
  };
  // The first frames still belong to the press.
  await page.waitForTimeout(1000);
  const before = await layouts();
  await page.waitForTimeout(3000);
  expect((await layouts()) - before).toBeLessThan(30);
  await quiet();
});
