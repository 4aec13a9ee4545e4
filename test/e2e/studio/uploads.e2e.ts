/** @module-tag slow */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { BrowserContextOptions, CDPSession, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { newId } from '#domain/kernel/ids.ts';
import { recordings } from '#domain/catalogue/tables.ts';
import { uploads } from '#domain/studio/tables.ts';
import { expectToFit } from '../../support/admin-site.ts';
import { expectCleanForAxe, expectCleanInBothSizes, visitorOf } from '../../support/accounts.ts';
import { hasFocus, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, hydrated, inBothSizes, mobile, useBrowser } from '../../support/browser/browser.ts';
import { writtenTexts } from '../../support/browser/downloads.ts';
import { createAudio, createCategory, createUser, createVoice } from '../../support/factories.ts';
import { memberState } from '../../support/payments/member-state.ts';
import { startWholeSite } from '../../support/whole-site.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startWholeSite>>;
let dir: string;

beforeAll(async () => {
  site = await startWholeSite();
  dir = await mkdtemp(join(tmpdir(), 'sotto-files-'));
  await createCategory(site.db, { label: 'Sonnets' });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function newCreator() {
  const user = await createUser(site.db, { termsAcceptedAt: new Date() });
  const voice = await createVoice(site.db);
  await setVoiceOwner(site.db, voice.id, user.id, true);
  return { ...user, voice, storageState: await memberState(site, user.id) };
}

type Creator = Awaited<ReturnType<typeof newCreator>>;

function openUpload(creator: Creator, layout: BrowserContextOptions = desktop, query = '') {
  const options = { ...visitorOf(site, layout), storageState: creator.storageState };
  return browser.open(`/studio/${creator.voice.slug}/upload${query}`, options);
}

/** A file on disk, so that it has the same date each time it is chosen. */
async function newFile(name: string, bytes: number): Promise<{ path: string; content: Buffer }> {
  const [path, content] = [join(dir, name), randomBytes(bytes)];
  await writeFile(path, content);
  return { path, content };
}

/**
 * The page's network from now on. Uses a single session: with several, the last one's conditions do not always apply.
 * @param up upload bytes per second; -1: unlimited
 */
async function useNetwork(page: Page, up: number | 'offline'): Promise<void> {
  const session = networks.get(page) ?? (await page.context().newCDPSession(page));
  if (!networks.has(page)) await session.send('Network.enable');
  networks.set(page, session);
  const [offline, uploadThroughput] = up === 'offline' ? [true, -1] : [false, up];
  await session.send('Network.emulateNetworkConditions', {
    offline,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput,
  });
}
const networks = new WeakMap<Page, CDPSession>();

async function choose(page: Page, ...paths: string[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose files' }).click(),
  ]);
  await chooser.setFiles(paths);
}

/** The row of a file, found by the label of its field or buttons. */
const rowOf = (page: Page, name: string): Locator =>
  page.locator('.upload-row').filter({ has: page.locator(`[aria-label*="${name}"]`) });

const see = (row: Locator, text: string | RegExp) => row.getByText(text).first().waitFor({ timeout: 15_000 });

async function savedOf(creator: Creator) {
  return site.db.select().from(uploads).where(eq(uploads.voiceId, creator.voice.id)).orderBy(uploads.fileName);
}

const keyOf = (content: Buffer, extension: string) =>
  `originals/${createHash('sha256').update(content).digest('hex').slice(0, 20)}.${extension}`;

test('files go up two at a time, survive a lost connection, and arrive byte for byte', async () => {
  const creator = await newCreator();
  const { page } = await openUpload(creator);
  await expectCleanInBothSizes(page);
  const files = await Promise.all([
    newFile('one.wav', 3_000_000),
    newFile('two.flac', 2_400_000),
    newFile('three.ogg', 50_000),
  ]);
  await useNetwork(page, 300_000);
  await choose(page, ...files.map(({ path }) => path));
  await see(rowOf(page, 'one.wav'), /Uploading \d+%/);
  await see(rowOf(page, 'two.flac'), /Uploading \d+%/);
  await see(rowOf(page, 'three.ogg'), '2 files at a time');
  await see(rowOf(page, 'one.wav'), /sec left/);
  await page.getByText('3 files: 3 on the way').waitFor();
  await expectCleanInBothSizes(page);

  await useNetwork(page, 'offline');
  await see(rowOf(page, 'one.wav'), /Connection lost at \d+%/);
  await see(rowOf(page, 'one.wav'), /trying again in \d+ sec/);
  await see(rowOf(page, 'three.ogg'), 'Waiting');
  await page.getByRole('status').filter({ hasText: 'Connection lost' }).waitFor({ state: 'attached' });
  await useNetwork(page, -1);
  for (const name of ['one.wav', 'two.flac', 'three.ogg']) await see(rowOf(page, name), 'Waiting to be processed');
  const saved = await savedOf(creator);
  expect(saved.map(({ state, originalKey, title }) => [state, originalKey, title])).toEqual([
    ['waiting', keyOf(files[0].content, 'wav'), 'One'],
    ['waiting', keyOf(files[2].content, 'ogg'), 'Three'],
    ['waiting', keyOf(files[1].content, 'flac'), 'Two'],
  ]);
  expect((await site.blobs.stat(keyOf(files[0].content, 'wav')))?.bytes).toBe(3_000_000);
  await inBothSizes(page, () => expectToFit(page));
});

test('an upload pauses, resumes after a reload when the file is chosen again, keeps its new title, and can be cancelled', async () => {
  const creator = await newCreator();
  const { page, quiet } = await openUpload(creator, mobile);
  const file = await newFile('night.wav', 2_500_000);
  await useNetwork(page, 400_000);
  await choose(page, file.path);
  const row = rowOf(page, 'night.wav');
  await see(row, /Uploading [3-9]\d%/);
  const title = page.getByRole('textbox', { name: 'Title of night.wav' });
  await title.fill('Night, second take');
  await title.press('Enter');
  await row.getByRole('button', { name: 'Pause' }).click();
  await see(row, /Paused at/);
  // A proxy's error page is no refusal.
  await page.route('**/uploads/*', (route) => route.fulfill({ status: 404, body: 'Not found' }), { times: 1 });
  await row.getByRole('button', { name: 'Resume' }).click();
  await see(row, /The site does not answer/);
  await row.getByRole('button', { name: 'Resume now' }).click();
  await see(row, /Uploading [4-9]\d%/);
  await row.getByRole('button', { name: 'Pause' }).click();
  await see(row, /Paused at/);

  // Nothing is uploading, so the browser does not ask.
  await page.reload();
  await useNetwork(page, 400_000);
  await see(row, /Stopped at [4-9]\d%/);
  expect(await writtenTexts(page)).not.toMatch(/night|second take/);
  await expectCleanInBothSizes(page);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    row.getByRole('button', { name: 'Choose night.wav again' }).click(),
  ]);
  await chooser.setFiles(file.path);
  await see(row, /continued at [4-9]\d%/);
  await see(row, 'Waiting to be processed');
  expect(await savedOf(creator)).toMatchObject([
    { title: 'Night, second take', originalKey: keyOf(file.content, 'wav') },
  ]);

  const other = await newFile('gone.wav', 2_000_000);
  await choose(page, other.path);
  const second = rowOf(page, 'gone.wav');
  await see(second, /Uploading [1-9]/);
  await second.getByRole('button', { name: 'Cancel' }).click();
  await second.waitFor({ state: 'detached' });
  await vi.waitFor(async () => {
    const [gone] = await savedOf(creator);
    expect([gone?.fileName, gone?.failure, gone?.removedAt !== null]).toEqual(['gone.wav', 'removed', true]);
  });
  await quiet([expect.stringContaining('a status of 404')]);
});

test('an upload that stopped in one browser is resumed in another, but not with a file that was changed since', async () => {
  const creator = await newCreator();
  const first = await openUpload(creator);
  const file = await newFile('moved.wav', 2_500_000);
  await useNetwork(first.page, 400_000);
  await choose(first.page, file.path);
  await see(rowOf(first.page, 'moved.wav'), /Uploading [3-9]\d%/);
  await rowOf(first.page, 'moved.wav').getByRole('button', { name: 'Pause' }).click();
  await see(rowOf(first.page, 'moved.wav'), /Paused at/);

  const { page, quiet } = await openUpload(creator);
  const row = rowOf(page, 'moved.wav');
  const chooseAgain = async () => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      row.getByRole('button', { name: 'Choose moved.wav again' }).click(),
    ]);
    await chooser.setFiles(file.path);
  };
  await see(row, /Stopped at/);
  const { mtime } = await stat(file.path);
  await utimes(file.path, mtime, new Date(Date.now() + 60_000));
  await chooseAgain();
  await seeNotice(page, /This is a different file/);
  await utimes(file.path, mtime, mtime);
  await chooseAgain();
  await see(row, 'Waiting to be processed');
  expect(await savedOf(creator)).toMatchObject([{ fileName: 'moved.wav', originalKey: keyOf(file.content, 'wav') }]);
  await quiet();
});

test('uploads continue while the creator navigates within the site, and the page asks before it closes', async () => {
  const creator = await newCreator();
  const { page, quiet } = await openUpload(creator, mobile);
  const file = await newFile('moving.mp3', 2_400_000);
  await useNetwork(page, 400_000);
  await choose(page, file.path);
  await see(rowOf(page, 'moving'), /Uploading \d+%/);
  const asked = page.waitForEvent('dialog');
  const leaving = page.reload({ timeout: 3000 }).catch(() => undefined);
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await leaving;
  const progress = page.getByText(/^1 upload, \d+%$/).locator('visible=true');
  await page.setViewportSize(desktop.viewport);
  await progress.waitFor();
  await page.setViewportSize(mobile.viewport);
  await page.locator('header details > summary').click();
  await progress.waitFor();
  await page.getByRole('link', { name: 'Back to listening' }).locator('visible=true').click();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
  await vi.waitFor(async () => expect(await savedOf(creator)).toMatchObject([{ state: 'waiting' }]), {
    timeout: 15_000,
    interval: 200,
  });
  await page.goBack();
  await see(rowOf(page, 'moving'), 'Waiting to be processed');
  await quiet();
});

test('unusable files are refused at once, with the reason', async () => {
  const creator = await newCreator();
  const { page, quiet } = await openUpload(creator);
  const [wma, empty] = [await newFile('draft.wma', 10), await newFile('empty.wav', 0)];
  await choose(page, wma.path, empty.path);
  await see(rowOf(page, 'draft.wma'), 'This is a WMA file. Save it as WAV, FLAC, MP3, M4A or OGG and add it again.');
  await see(rowOf(page, 'empty.wav'), /This file is empty/);
  // A sparse file of 2.3 GB.
  const big = join(dir, 'session.wav');
  await writeFile(big, '');
  await (await import('node:fs/promises')).truncate(big, 2_300_000_000);
  await choose(page, big);
  await see(
    rowOf(page, 'session.wav'),
    '2.3 GB is over the limit of 2 GB. Split it, or save it as FLAC (about 1.1 GB).',
  );
  await expectCleanInBothSizes(page);
  await page.getByRole('button', { name: 'Remove draft.wma' }).click();
  await rowOf(page, 'draft.wma').waitFor({ state: 'detached' });
  expect(await savedOf(creator)).toEqual([]);
  await quiet();
});

/** One row of each state, as processing makes them. */
async function fillStates(creator: Creator) {
  const { db } = site;
  const audio = await createAudio(db, { voiceId: creator.voice.id, title: 'First time he kissed me', slug: newId() });
  await db.insert(recordings).values({ audioId: audio.id, fileKey: audio.fileKey, peaks: randomBytes(2400) });
  const common = { voiceId: creator.voice.id, userId: creator.id, bytes: 1_000_000, title: 'A title' };
  await db.insert(uploads).values([
    {
      ...common,
      id: newId(),
      fileName: 'ready.m4a',
      state: 'ready',
      audioId: audio.id,
      facts: { durationMs: 58_000, loudnessAfter: -16 },
    },
    {
      ...common,
      id: newId(),
      fileName: 'processing.wav',
      state: 'processing',
      step: 'encoding',
      progress: 64,
      facts: { durationMs: 62_000, channels: 1, sampleRate: 48_000, loudnessBefore: -19.8, loudnessAfter: -16 },
    },
    {
      ...common,
      id: newId(),
      fileName: 'timeout.wav',
      state: 'failed',
      failure: 'takes-too-much',
      originalKey: 'originals/1.wav',
    },
    {
      ...common,
      id: newId(),
      fileName: 'silent.wav',
      state: 'failed',
      failure: 'silent',
      originalKey: 'originals/2.wav',
    },
  ]);
  return audio;
}

test.each([
  ['dark', desktop],
  ['light', mobile],
] as const)('the progress of uploads is shown live, in the %s theme', async (colorScheme, layout) => {
  const creator = await newCreator();
  const audio = await fillStates(creator);
  const { page, quiet } = await openUpload(creator, { ...layout, colorScheme });
  const processing = rowOf(page, 'processing.wav');
  await see(processing, 'Encoding 64%');
  await see(processing, '1:02, mono, 48 kHz');
  await see(processing, '−19.8 to −16.0 LUFS');
  const ready = page.locator('.upload-row').filter({ hasText: 'First time he kissed me' });
  await see(ready, '−16.0 LUFS');
  expect(await ready.getByRole('link').getAttribute('href')).toBe(`/studio/${creator.voice.slug}/audios/${audio.id}`);
  expect(await ready.locator('svg path').count()).toBeGreaterThan(1);
  await see(
    rowOf(page, 'silent.wav').or(page.locator('.upload-row').filter({ hasText: 'silent.wav' })),
    /recording is silent/,
  );
  await expectCleanForAxe(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(
    true,
  );

  const failed = page.locator('.upload-row').filter({ hasText: 'timeout.wav' });
  await failed.getByRole('button', { name: 'Try again' }).click();
  await see(rowOf(page, 'timeout.wav'), 'Waiting to be processed');
  expect(site.jobs.filter((job) => job.startsWith('process-upload'))).not.toEqual([]);
  await page.getByRole('button', { name: 'Remove silent.wav' }).click();
  await page.getByText('silent.wav').waitFor({ state: 'detached' });
  // Changes on the site appear without a reload, and are announced.
  await site.db
    .update(uploads)
    .set({ state: 'failed', failure: 'damaged', step: null })
    .where(eq(uploads.fileName, 'processing.wav'));
  await see(page.locator('.upload-row').filter({ hasText: 'processing.wav' }), /damaged or cut off/);
  await page.getByRole('status').filter({ hasText: 'processing.wav was not processed' }).waitFor({ state: 'attached' });
  await quiet();
});

test('everything works by keyboard, and files can be dropped anywhere', async () => {
  const creator = await newCreator();
  const { page, quiet } = await openUpload(creator);
  await page.getByRole('combobox', { name: 'Category' }).selectOption({ label: 'Sonnets' });
  await page.getByRole('combobox', { name: 'Who may hear them' }).selectOption({ label: 'Everyone' });
  await page.getByRole('combobox', { name: 'Who may comment' }).selectOption({ label: 'Nobody' });
  const file = await newFile('by-key.wav', 900_000);
  await useNetwork(page, 150_000);
  const button = page.getByRole('button', { name: 'Choose files' });
  await button.focus();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.press('Enter')]);
  await chooser.setFiles(file.path);
  await see(rowOf(page, 'by-key.wav'), /Uploading/);
  await button.focus();
  await page.keyboard.press('Tab'); // Pause all
  await page.keyboard.press('Tab');
  expect(await hasFocus(page.getByRole('textbox', { name: 'Title of by-key.wav' }))).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await see(rowOf(page, 'by-key.wav'), 'Paused at');
  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(1000)], 'dropped.wav', { lastModified: 1 }));
    return data;
  });
  await page.dispatchEvent('aside', 'dragenter', { dataTransfer: dropped });
  await page.getByText('Drop to upload').waitFor();
  await page.dispatchEvent('aside', 'drop', { dataTransfer: dropped });
  await page.getByText('Drop files here').waitFor();
  await see(rowOf(page, 'dropped.wav'), 'Waiting to be processed');
  const [, second] = await savedOf(creator);
  expect(second?.choices).toMatchObject({ isFree: true, commenters: 'nobody', categoryId: expect.any(String) });
  await quiet();
});

test('a second tab leaves a file alone, a log-out pauses it, and a lost voice ends it', async () => {
  const creator = await newCreator();
  const { page } = await openUpload(creator);
  const file = await newFile('shared.wav', 3_000_000);
  await useNetwork(page, 200_000);
  await choose(page, file.path);
  await see(rowOf(page, 'shared.wav'), /Uploading \d/);
  const second = await page.context().newPage();
  await second.goto(page.url());
  await hydrated(second);
  const [chooser] = await Promise.all([
    second.waitForEvent('filechooser'),
    second.getByRole('button', { name: 'Choose shared.wav again' }).click(),
  ]);
  await chooser.setFiles(file.path);
  await see(second.locator('.upload-row').filter({ hasText: 'Refused' }), /in another tab/);
  await second.getByRole('button', { name: 'Remove shared.wav' }).click();
  await see(rowOf(second, 'shared.wav'), /Stopped at/);
  await second.close();
  await see(rowOf(page, 'shared.wav'), /Uploading \d/);
  expect(await savedOf(creator)).toMatchObject([{ state: 'uploading', removedAt: null }]);

  await setVoiceOwner(site.db, creator.voice.id, creator.id, false);
  await see(page.locator('.upload-row').filter({ hasText: 'shared.wav' }), /you no longer manage this creator/);
});

test('after a log-out an upload waits until its creator is logged in', async () => {
  const creator = await newCreator();
  const { page } = await openUpload(creator);
  const file = await newFile('waits.wav', 3_000_000);
  await useNetwork(page, 250_000);
  await choose(page, file.path);
  await see(rowOf(page, 'waits.wav'), /Uploading [1-9]/);
  await site.db.execute(`delete from sessions where user_id = '${creator.id}'`);
  await see(rowOf(page, 'waits.wav'), /You are logged out/);
});

test('a recording is replaced by the next file, which keeps its title; a foreign one is a 404', async () => {
  const creator = await newCreator();
  const [own, foreign] = [await createAudio(site.db, { voiceId: creator.voice.id }), await createAudio(site.db)];
  const { page, quiet } = await openUpload(creator, desktop, `?replaces=${own.id}`);
  await page.getByText(`The next file replaces the recording of “${own.title}”`).waitFor();
  const file = await newFile('better.wav', 1000);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose file', exact: true }).click(),
  ]);
  await chooser.setFiles(file.path);
  await see(rowOf(page, 'better.wav'), 'Waiting to be processed');
  expect(await savedOf(creator)).toMatchObject([{ replaces: true, audioId: own.id, title: own.title }]);
  await quiet();
  const answer = await openUpload(creator, desktop, `?replaces=${foreign.id}`);
  await answer.page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor();
});

test('the list is without JavaScript what the site has', async () => {
  const creator = await newCreator();
  await fillStates(creator);
  const { page } = await openUpload(creator, { ...desktop, javaScriptEnabled: false });
  await page.getByText('Encoding 64%').waitFor();
  await page.getByText('First time he kissed me').waitFor();
});
