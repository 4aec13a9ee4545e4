/** @module-tag slow */
import { beforeAll, expect, test } from 'vitest';
import { expectCleanForAxe } from '../../support/accounts.ts';
import { desktop, mobile, overflowOf, sound, useBrowser } from '../../support/browser/browser.ts';
import { type Listener, bar, newListener, openAs, playing, pressPlayAll } from '../../support/listener.ts';

const browser = useBrowser({ images: false });
let listener: Listener;

beforeAll(async () => {
  listener = await newListener();
});

const list = '/playlists/start-here';

test('in the last seconds, a touch anywhere prolongs and presses nothing; it can be undone', async () => {
  const { page, quiet } = await openAs(browser, listener, '/about');
  await page.clock.install();
  await page.goto(list);
  await pressPlayAll(page);
  await page.clock.runFor(3000);
  await bar(page)
    .getByRole('button', { name: /^Sleep timer/ })
    .click();
  await page.getByRole('button', { name: '5 minutes', exact: true }).click();
  await page.keyboard.press('Escape');
  const at = (await bar(page).getByRole('button', { name: 'Pause' }).boundingBox()) ?? expect.fail('no button');
  await page.clock.fastForward('04:40');
  const last = page.getByRole('alertdialog', { name: 'Still awake?' });
  await last.waitFor();
  await expectCleanForAxe(page);
  await page.mouse.click(at.x + at.width / 2, at.y + at.height / 2);
  await last.waitFor({ state: 'detached' });
  expect((await sound(page)).paused).toBe(false);
  await page.getByText(/^Plays until \d\d:\d\d$/).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.clock.fastForward('00:31');
  await expect.poll(async () => (await sound(page)).paused).toBe(true);
  expect(await last.count()).toBe(0);
  await quiet();
});

test('the next morning, Home offers the last sign of waking, and the player is there', async () => {
  const { page, quiet } = await openAs(browser, listener, list, desktop);
  await pressPlayAll(page);
  await bar(page).getByRole('button', { name: 'Pause' }).click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('sotto_queue_place'))).not.toBeNull();
  await page.evaluate(() => {
    const { id } = JSON.parse(localStorage.getItem('sotto_queue_place') ?? '{}') as { id: string };
    const at = Date.now() - 8 * 3_600_000;
    const night = { sign: { audioId: id, seconds: 42, at }, stopped: { audioId: id, seconds: 110, at: at + 300_000 } };
    localStorage.setItem('sotto_night', JSON.stringify({ ...night, isTimed: false }));
  });
  await page.goto('/');
  const row = page.getByRole('region', { name: 'You fell asleep around here' });
  await row.getByText('Last sign of waking at 0:42, it stopped at 1:50.').waitFor();
  await expectCleanForAxe(page);
  await row.getByRole('button', { name: 'From 0:12' }).click();
  await playing(page);
  expect((await sound(page)).time).toBeGreaterThanOrEqual(12);
  expect((await sound(page)).time).toBeLessThan(20);
  await row.waitFor({ state: 'detached' });
  await quiet();
});

test('a bookmark is kept with its note, listed in the Library, changed, and deleted with Undo', async () => {
  const { page, quiet } = await openAs(browser, listener, list, mobile);
  await pressPlayAll(page);
  await page.getByRole('button', { name: 'Expand player' }).click();
  const player = page.getByRole('dialog', { name: 'Player' });
  await player.getByRole('button', { name: 'Bookmark' }).click();
  const dialog = page.getByRole('dialog', { name: /^Bookmark at \d:\d\d$/ });
  await dialog.waitFor();
  expect((await sound(page)).paused).toBe(true);
  await expectCleanForAxe(page);
  await dialog.getByRole('button', { name: '5 sec later' }).click();
  await dialog.getByRole('textbox', { name: 'Your note' }).fill('The pause before this');
  await dialog.getByRole('textbox', { name: 'Your note' }).press('Enter');
  await page.getByText(/^Bookmarked at \d:\d\d$/).waitFor();
  await page.goto('/library/moments');
  const row = page.getByRole('listitem').filter({ hasText: 'The pause before this' }).last();
  await row.waitFor();
  expect(await overflowOf(page)).toBe(0);
  await expectCleanForAxe(page);
  const edit = async () => {
    await row.getByRole('button', { name: /^More about/ }).click();
  };
  await edit();
  await page.getByRole('menuitem', { name: 'Edit note' }).click();
  await page.getByRole('textbox', { name: 'Your note' }).fill('Four seconds');
  await page.getByRole('button', { name: 'Save bookmark' }).click();
  const changed = page.getByRole('listitem').filter({ hasText: 'Four seconds' }).last();
  await changed.waitFor();
  await changed.getByRole('button', { name: /^More about/ }).click();
  await page.getByRole('menuitem', { name: 'Delete bookmark' }).click();
  await page.getByRole('heading', { name: 'No moments yet' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await changed.waitFor();
  await changed.getByRole('button', { name: /^Play from/ }).click();
  await playing(page);
  await quiet();
});
