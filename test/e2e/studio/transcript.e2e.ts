/** @module-tag slow */
import type { Page } from 'playwright-core';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { findTranscript } from '#domain/catalogue/editing/transcripts.ts';
import { audios } from '#domain/catalogue/tables.ts';
import { voiceOwners } from '#domain/community/tables.ts';
import { button, hasFocus, seeNotice } from '../../support/browser/account-page.ts';
import { expectCleanInBothLooks, visitorOf } from '../../support/accounts.ts';
import { desktop, mobile, useBrowser } from '../../support/browser/browser.ts';
import { createAudio, createVoice } from '../../support/factories.ts';
import { newMember, startLibrarySite } from '../../support/library-site.ts';
import { memberState } from '../../support/payments/member-state.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
});

const verse = ['How do I love thee?', 'Let me count the ways.', 'I love thee to the depth'];

/** The editor of a one-minute draft, with a line of three seconds at every fifth second. */
async function openEditor(layout: Parameters<typeof visitorOf>[1], lines = verse) {
  const creator = await newMember(site);
  const voice = await createVoice(site.db);
  await site.db.insert(voiceOwners).values({ voiceId: voice.id, userId: creator.id, role: 'owner' });
  const cues = lines.map((text, index) => ({ start: index * 5, end: index * 5 + 3, text }));
  const audio = await createAudio(site.db, {
    voiceId: voice.id,
    publishedAt: null,
    durationMs: Math.max(60, lines.length * 5) * 1000,
    ...(cues.length > 0 && { cues }),
  });
  const { page, quiet } = await browser.open(`/studio/${voice.slug}/audios/${audio.id}`, {
    ...visitorOf(site, layout),
    storageState: await memberState(site, creator.id),
  });
  await page.getByRole('region', { name: 'Transcript' }).waitFor();
  const saved = async () => (await findTranscript(site.db, audio.id))?.cues;
  return { page, quiet, saved, audio };
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const importFile = (page: Page, name: string, content: string) =>
  page
    .locator('[aria-label="Transcript file"]')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

test('times move by keys, lines are split and joined, and all of it is saved', async () => {
  const { page, saved } = await openEditor(desktop);
  await field(page, 'Line 2 starts').focus();
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Alt+ArrowRight');
  expect(await field(page, 'Line 2 starts').inputValue()).toBe('0:05.10');
  await field(page, 'Line 2 ends').fill('0:04');
  await page.keyboard.press('Enter');
  await page.getByText('Line 2 ends before it starts').waitFor();
  expect(await field(page, 'Line 2 ends').getAttribute('aria-invalid')).toBe('true');
  await field(page, 'Line 2 ends').fill('8,5');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.getByText('Line 2 ends before it starts').count()).toBe(0);
  await field(page, 'Line 2 ends').fill('soon');
  await page.keyboard.press('Tab');
  await page.getByText('“soon” is not a time. Enter a time like 0:19.40').waitFor();
  await field(page, 'Line 2 ends').press('Escape');
  await expect.poll(() => page.getByText('is no time').count()).toBe(0);

  const text = field(page, 'Line 2 text');
  await text.focus();
  await text.evaluate((input: HTMLInputElement) => input.setSelectionRange(6, 6));
  await button(page, 'Split here').click();
  await expect.poll(() => hasFocus(field(page, 'Line 3 text'))).toBe(true);
  await expect
    .poll(async () => (await saved())?.map((cue) => cue.text))
    .toEqual([verse[0], 'Let me', 'count the ways.', verse[2]]);
  await button(page, 'More for line 2').click();
  await page.getByRole('menuitem', { name: 'Join with the next line' }).click();
  await expect
    .poll(() => saved())
    .toEqual([
      { start: 0, end: 3, text: verse[0] },
      { start: 5.1, end: 8.5, text: verse[1] },
      { start: 10, end: 13, text: verse[2] },
    ]);
});

test('files are imported or refused by line, removed lines come back', async () => {
  const { page, quiet, saved } = await openEditor(mobile, []);
  await page.getByText('No transcript.').waitFor();
  await importFile(page, 'wrong.srt', '1\n00:00:01,000 --> 00:00:0x,000\nx');
  await page.getByText('wrong.srt cannot be read: line 2 is not two times').waitFor();
  await importFile(page, 'verse.txt', verse.join('\n'));
  await seeNotice(page, '3 lines imported');
  await page.getByText('3 timed by length only').waitFor();
  expect(await page.getByText('wrong.srt').count()).toBe(0);
  await importFile(page, 'verse.vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n\n00:03.000 --> 00:04.000\nTwo');
  await seeNotice(page, '2 lines imported');
  await page.getByText('all timed').waitFor();
  await button(page, 'More for line 1').click();
  await page.getByRole('menuitem', { name: 'Remove line' }).click();
  await seeNotice(page, 'Line 1 removed');
  await expect.poll(async () => (await saved())?.map((cue) => cue.text)).toEqual(['Two']);
  await button(page.locator('.toast', { hasText: 'Line 1 removed' }), 'Undo').click();
  await expect.poll(async () => (await saved())?.map((cue) => cue.text)).toEqual(['One', 'Two']);
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download VTT').click()]);
  expect(download.suggestedFilename()).toBe('transcript.vtt');
  await quiet();
});

test('a translation is imported, and listeners read it, without JavaScript too', async () => {
  const { page, quiet, audio } = await openEditor(desktop);
  const section = page.getByRole('region', { name: 'Translations' });
  await section.getByLabel('Add a translation').selectOption('German');
  await section.locator('[aria-label="Translation file"]').setInputFiles({
    name: 'verse.de.vtt',
    mimeType: 'text/vtt',
    buffer: Buffer.from('WEBVTT\n\n00:00.000 --> 00:03.000\nWie lieb ich dich?\n'),
  });
  await seeNotice(page, '1 line imported');
  await section.getByRole('listitem').filter({ hasText: 'German' }).waitFor();
  await expectCleanInBothLooks(page, '[aria-label="Translations"]');
  await quiet();

  await site.db.update(audios).set({ publishedAt: new Date(), isFree: true }).where(eq(audios.id, audio.id));
  const path = `/audio/${audio.slug}`;
  const plain = await browser.open(`${path}?transcript=de`, { ...visitorOf(site, mobile), javaScriptEnabled: false });
  const line = plain.page.locator('.transcript[lang=de]').getByText('Wie lieb ich dich?');
  await line.waitFor();
  await plain.page.getByRole('link', { name: 'English', exact: true }).click();
  await plain.page.locator('.transcript[lang=en]').getByText('How do I love thee?').waitFor();

  const own = await browser.open(path, visitorOf(site, desktop));
  await own.page.locator('main summary').click();
  await own.page.getByRole('link', { name: 'Deutsch', exact: true }).click();
  await own.page.locator('.transcript[lang=de]').getByText('Wie lieb ich dich?').waitFor();
  expect(new URL(own.page.url()).search).toBe('');
  await own.quiet();
});

test('a line is added at the end of the chosen one, and ten lines are shown before all are asked for', async () => {
  const { page, quiet } = await openEditor(
    desktop,
    Array.from({ length: 28 }, (_, index) => `Line of verse ${index + 1}`),
  );
  await page.getByText('10 of 28 lines').waitFor();
  await field(page, 'Line 10 text').focus();
  await button(page, 'Add line').click();
  await expect.poll(() => hasFocus(field(page, 'Line 11 text'))).toBe(true);
  await button(page, 'Show all lines').click();
  await page.getByText('29 of 29 lines').waitFor();
  await field(page, 'Line 29 text').fill('The last');
  await quiet();
});

test('the transcript is clean for axe in both sizes and themes', async () => {
  const { page, quiet } = await openEditor(desktop);
  await field(page, 'Line 2 ends').fill('0:04');
  await field(page, 'Line 2 ends').press('Enter');
  await page.getByText('Line 2 ends before it starts').waitFor();
  await expectCleanInBothLooks(page, '[aria-label="Transcript"]');
  await quiet();
});
