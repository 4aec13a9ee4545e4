/** @module-tag slow */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { voiceOwners } from '#domain/community/tables.ts';
import { button, hasFocus, seeNotice } from '../../support/browser/account-page.ts';
import { expectCleanForAxe, modalOf, visitorOf } from '../../support/accounts.ts';
import { desktop, layouts, mobile, useBrowser } from '../../support/browser/browser.ts';
import { createAudio, createSeries, createVoice } from '../../support/factories.ts';
import { newMember, startLibrarySite, visit } from '../../support/library-site.ts';
import { memberState } from '../../support/payments/member-state.ts';

const browser = useBrowser();
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
});

/** A creator with three audios, the first two of them in a series. */
async function newCreator(role: 'owner' | 'editor' = 'owner') {
  const creator = await newMember(site);
  const voice = await createVoice(site.db);
  const { id: voiceId } = voice;
  await site.db.insert(voiceOwners).values({ voiceId, userId: creator.id, role });
  const audios = [];
  for (const title of ['Alba', 'Berceuse', 'Canon'])
    audios.push(await createAudio(site.db, { title, slug: `${title.toLowerCase()}-${voiceId}`, voiceId }));
  const [a, b] = audios.map(({ id }) => id) as [string, string];
  const series = await createSeries(site.db, { voiceId, title: 'Songs', audioIds: [a, b], slug: `songs-${voiceId}` });
  return { creator, voice, series, path: `/studio/${voice.slug}/series/${series.id}` };
}

async function openAs(user: { id: string }, path: string, layout: BrowserContextOptions = desktop) {
  const opened = await browser.open(path, {
    ...visitorOf(site, layout),
    storageState: await memberState(site, user.id),
  });
  await opened.page.locator('.page-head h1').waitFor();
  return opened;
}

const seeOrder = (page: Page, titles: string[]) =>
  expect.poll(() => page.locator('li[data-id] b').allTextContents()).toEqual(titles);
const gripOf = (page: Page, title: string) => page.getByRole('button', { name: new RegExp(`^Move ${title}, `) });

test('audios are put in order by keyboard, put back with Escape, and each move is announced', async () => {
  const { creator, path } = await newCreator();
  const { page, quiet } = await openAs(creator, path);
  await gripOf(page, 'Alba').focus();
  await page.keyboard.press('Space');
  await page.getByText('Alba, place 1 of 2. Picked up.').waitFor();
  await page.keyboard.press('ArrowDown');
  await seeOrder(page, ['Berceuse', 'Alba']);
  await page.getByText('Alba, place 2 of 2').waitFor();
  await page.keyboard.press('Escape');
  await seeOrder(page, ['Alba', 'Berceuse']);
  expect(await hasFocus(gripOf(page, 'Alba'))).toBe(true);
  await page.keyboard.press('Space');
  await page.keyboard.press('End');
  await page.keyboard.press('Space');
  await seeNotice(page, 'Order saved');
  await visit(page, path);
  await seeOrder(page, ['Berceuse', 'Alba']);
  await button(page, 'Move up: Alba').click();
  await seeOrder(page, ['Alba', 'Berceuse']);
  await seeNotice(page, 'Order saved');
  await button(page, 'Undo').click();
  await seeNotice(page, 'Order as before');
  await visit(page, path);
  await seeOrder(page, ['Berceuse', 'Alba']);
  await quiet();
});

test.each(layouts)('a row is dragged to a line, on %s', async (_name, layout) => {
  const { creator, path } = await newCreator();
  const { page, quiet } = await openAs(creator, path, layout);
  const [from, to] = [await gripOf(page, 'Berceuse').boundingBox(), await gripOf(page, 'Alba').boundingBox()];
  if (from === null || to === null) throw new Error('a grip is not drawn');
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 10, to.y, { steps: 5 });
  await page.locator('.drop-line').waitFor({ state: 'attached' });
  await page.mouse.up();
  await seeNotice(page, 'Order saved');
  await seeOrder(page, ['Berceuse', 'Alba']);
  await visit(page, path);
  await seeOrder(page, ['Berceuse', 'Alba']);
  await quiet();
});

test('an audio is found, added and removed, and returns to its position', async () => {
  const { creator, path } = await newCreator();
  const { page, quiet } = await openAs(creator, path, mobile);
  const field = page.getByRole('combobox', { name: 'Add an audio' });
  await field.fill('can');
  await page.getByRole('option', { name: /Canon/ }).waitFor();
  await field.press('Enter');
  await seeNotice(page, '“Canon” added');
  await seeOrder(page, ['Alba', 'Berceuse', 'Canon']);
  await button(page, 'Remove: Berceuse').click();
  await seeNotice(page, '“Berceuse” removed');
  await seeOrder(page, ['Alba', 'Canon']);
  await button(page, 'Undo').click();
  await seeOrder(page, ['Alba', 'Berceuse', 'Canon']);
  await seeNotice(page, '“Berceuse” is restored');
  await visit(page, path);
  await seeOrder(page, ['Alba', 'Berceuse', 'Canon']);
  await quiet();
});

test('a series is created, edited, deleted and restored', async () => {
  const { creator, voice } = await newCreator();
  const list = `/studio/${voice.slug}/series`;
  const { page, quiet } = await openAs(creator, list);
  await button(page, 'New series').click();
  await modalOf(page).getByRole('textbox', { name: 'Title' }).fill('Nocturnes');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Nocturnes', level: 1 }).waitFor();
  await page.getByRole('textbox', { name: 'Description' }).fill('For the night.');
  await button(page, 'Save text').click();
  await seeNotice(page, 'Text saved');
  await button(page, 'Delete series').click();
  await button(modalOf(page), 'Delete').click();
  await seeNotice(page, '“Nocturnes” deleted');
  await page.getByRole('heading', { name: 'Deleted' }).waitFor();
  await button(page, 'Restore Nocturnes').click();
  await seeNotice(page, '“Nocturnes” is restored');
  await page.getByRole('link', { name: /Nocturnes/ }).click();
  await page.getByRole('heading', { name: 'Nocturnes', level: 1 }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('For the night.');
  await quiet();
});

test('the Studio is walked by keyboard alone: an act that removes its button leaves the focus beside it', async () => {
  const { creator, voice } = await newCreator();
  const { page, quiet } = await openAs(creator, `/studio/${voice.slug}/audios`);
  const press = async (target: Locator, key: string) => {
    for (let stops = 0; stops < 150 && !(await hasFocus(target)); stops += 1) await page.keyboard.press('Tab');
    expect(await hasFocus(target)).toBe(true);
    await page.keyboard.press(key);
  };
  const seeFocus = (target: Locator) => expect.poll(() => hasFocus(target)).toBe(true);

  await press(page.getByRole('checkbox', { name: 'Select Alba' }), 'Space');
  await press(button(page, 'Clear'), 'Enter');
  await seeFocus(page.getByRole('checkbox', { name: /^Select all/ }));

  const bar = page.getByRole('region', { name: 'Changes' });
  await press(page.getByRole('link', { name: 'Alba' }), 'Enter');
  await press(page.getByLabel('Title'), 'End');
  await page.keyboard.type(' again');
  await bar.getByText('1 change is not public yet').waitFor();
  await press(button(page, 'Publish changes'), 'Enter');
  await seeNotice(page, 'Changes published');
  // Not on the danger zone's first button.
  await seeFocus(bar);

  await press(page.getByRole('link', { name: 'Series', exact: false }).first(), 'Enter');
  await press(page.getByRole('link', { name: 'Songs' }), 'Enter');
  await press(button(page, 'Move up: Berceuse'), 'Enter');
  await seeNotice(page, 'Order saved');
  await seeFocus(button(page, 'Move Berceuse, 1 of 2'));

  await press(page.getByRole('link', { name: 'Creator page' }), 'Enter');
  await press(page.getByRole('textbox', { name: 'Text', exact: true }), 'End');
  await page.keyboard.type('Read at night.');
  await press(button(page, 'Save page'), 'Enter');
  await seeFocus(page.getByRole('form', { name: 'Page' }));
  await quiet();
});

test('editors arrange a series and cannot delete it', async () => {
  const { creator, path } = await newCreator('editor');
  const { page, quiet } = await openAs(creator, path);
  await button(page, 'Move down: Alba').click();
  await seeNotice(page, 'Order saved');
  await seeOrder(page, ['Berceuse', 'Alba']);
  expect(await button(page, 'Delete series').count()).toBe(0);
  await quiet();
});

test.each(['cover', 'portrait'])('a %s is cut to a square by keyboard, by a corner and by its middle', async (name) => {
  const { creator, voice, path } = await newCreator();
  const { page, quiet } = await openAs(
    creator,
    name === 'cover' ? path : `/studio/${voice.slug}/voice`,
    name === 'cover' ? desktop : mobile,
  );
  // 2,000 × 1,500 px: red at the left, blue at the right.
  const picture = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [2000, 1500];
    const context = canvas.getContext('2d');
    for (const [x, color] of [
      [0, '#f00'],
      [1000, '#00f'],
    ] as const) {
      if (context !== null) context.fillStyle = color;
      context?.fillRect(x, 0, 1000, 1500);
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });
  const file = { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from(picture, 'base64') };
  await page.getByLabel(`File of the ${name}`).setInputFiles(file);
  const crop = page.getByRole('group', { name: /^Crop/ });
  await crop.waitFor();
  expect(await hasFocus(crop)).toBe(true);
  await page.keyboard.press('-');
  await page.getByText('1480 pixels wide, 260 from the left').waitFor({ state: 'attached' });
  await expectCleanForAxe(page);
  const handle = await crop.locator('[data-corner="bottom-left"]').boundingBox();
  if (handle === null) throw new Error('The handle is not drawn');
  await page.mouse.move(handle.x + 7, handle.y + 7);
  await page.mouse.down();
  await page.mouse.move(handle.x + 200, handle.y - 100, { steps: 4 });
  await page.mouse.up();
  await page.getByText('1400 pixels wide, 340 from the left').waitFor({ state: 'attached' });
  const frame = await crop.boundingBox();
  if (frame === null) throw new Error('The frame is not drawn');
  await page.mouse.move(frame.x + frame.width / 2, frame.y + frame.height / 2);
  await page.mouse.down();
  await page.mouse.move(frame.x + frame.width * 2, frame.y + frame.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.getByText('1400 pixels wide, 600 from the left').waitFor({ state: 'attached' });
  await button(page, `Save ${name}`).click();
  await seeNotice(page, name === 'cover' ? 'Cover saved' : 'Portrait saved');
  const kept = page.getByRole('img', { name: `The ${name}` }).first();
  await expect.poll(() => hasFocus(button(page, `Replace the ${name}`))).toBe(true);
  // The color changes at (1000 - 600) / 1400 of the square.
  const shown = await kept.evaluate(async (image: HTMLImageElement) => {
    const answer = await fetch(`${new URL(image.currentSrc || image.src).pathname}?width=2048&quality=90&format=webp`);
    const bitmap = await createImageBitmap(await answer.blob());
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    const context = canvas.getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const red = (x: number) => context?.getImageData(x, 700, 1, 1).data[0] ?? 0;
    return { width: bitmap.width, height: bitmap.height, left: red(380) > 200, right: red(420) < 50 };
  });
  expect(shown).toEqual({ width: 1400, height: 1400, left: true, right: true });
  await button(page, 'Crop').click();
  await crop.waitFor();
  await button(page, 'Cancel').click();
  await crop.waitFor({ state: 'detached' });
  await quiet();
});
