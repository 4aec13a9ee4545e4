/** @module-tag slow */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test, vi } from 'vitest';
import { findAudio } from '#domain/catalogue/audios.ts';
import { findCategory } from '#domain/catalogue/categories.ts';
import { findTranscript } from '#domain/catalogue/editing/transcripts.ts';
import { findVoice } from '#domain/catalogue/voices.ts';
import { englishErrors } from '#domain/kernel/errors.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { silentFlac, silentMp3 } from '#test/support/sound/sound-files.ts';
import { runSotto } from '#test/support/processes/command-line.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createCategory, createSeries, createVoice } from '#test/support/factories.ts';
import { removeAfterTwoDays } from '#test/support/unused-files.ts';

// Sound is processed at low priority.
vi.setConfig({ testTimeout: 120_000 });

const { db, url } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'sotto-edit-'));
const dataDir = join(folder, 'data');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sotto = (...args: string[]) =>
  runSotto(args, { environment: { DATABASE_URL: url, DATA_DIR: dataDir }, startFolder: folder });

const blobsIn = (name: string) => readdirSync(join(dataDir, 'blobs', name)).toSorted();
const put = (name: string, content: Uint8Array | string) => writeFileSync(join(folder, name), content);
const pictureOf = (background: string) =>
  sharp({ create: { width: 40, height: 40, channels: 3, background } })
    .png()
    .toBuffer();

await createVoice(db, { slug: 'bea', name: 'Bea' });
await createCategory(db, { slug: 'night' });

/** The names after two days, when files that nothing names are removed. */
async function blobsLater(...names: string[]): Promise<string[]> {
  await removeAfterTwoDays({ db, blobs: openDiskBlobs({ dir: join(dataDir, 'blobs') }) });
  return names.flatMap(blobsIn);
}

test('edit changes an audio, its sound and its cover, and leaves no file behind', async () => {
  const recordings = mkdtempSync(join(folder, 'recordings-'));
  writeFileSync(join(recordings, 'one.mp3'), silentMp3(2, { TIT2: 'Old title', TPE1: 'Ana' }));
  expect(await sotto('import', recordings, '--publish')).toMatchObject({ code: 0 });
  put('new.flac', silentFlac(5, { TITLE: 'Another' }));
  put('cover.png', await pictureOf('#803020'));
  put('words.vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nHush');
  const before = [...blobsIn('audio'), ...blobsIn('originals')];
  expect(before).toHaveLength(3);

  const words =
    'audios edit old-title --slug new-title --voice bea --categories night --tags Rain --badge New --file new.flac';
  const edited = await sotto(
    ...words.split(' '),
    '--title',
    'New title',
    '--cover',
    'cover.png',
    '--transcript',
    '@words.vtt',
  );
  expect(edited).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^slug +new-title\nstate +published\n/),
    stderr: '',
  });
  const audio = await findAudio(db, 'new-title');
  expect(audio).toMatchObject({ title: 'New title', numberDuration: 5.02, voice: { slug: 'bea' }, badge: 'New' });
  expect(await findTranscript(db, audio?.id ?? '')).toMatchObject({ cues: [{ text: 'Hush' }] });
  expect(await findAudio(db, 'old-title')).toMatchObject({ id: audio?.id });
  // The listening file, the small one and the original; all former files are deleted.
  const after = await blobsLater('audio', 'originals');
  expect(after.map((name) => name.replace(/^.*\./, '')).toSorted()).toEqual(['flac', 'm4a', 'opus']);
  expect(after.filter((name) => before.includes(name))).toEqual([]);
  expect(audio?.imageUrl).toBe(`/images/${blobsIn('images')[0]}`);

  // A failed edit changes nothing: the title stays, and the copied file is deleted.
  put('other.mp3', silentMp3(1));
  const refused = await sotto(
    'audios',
    'edit',
    'new-title',
    '--file',
    'other.mp3',
    '--voice',
    'nobody',
    '--title',
    'No',
  );
  expect(refused).toEqual({ code: 1, stdout: '', stderr: 'There is no voice "nobody"\n' });
  expect(await findAudio(db, 'new-title')).toEqual(audio);
  expect((await blobsLater('audio', 'originals')).toSorted()).toEqual(after.toSorted());

  expect(await sotto('audios', 'edit', 'new-title', '--no-cover')).toMatchObject({ code: 0 });
  expect([(await findAudio(db, 'new-title'))?.imageUrl, await blobsLater('images')]).toEqual([null, []]);
});

test.each([
  [['audios', 'edit', 'x'], 2, 'Name something to change'],
  [['audios', 'edit', 'x', '--color', 'red'], 2, 'Write the color as #RRGGBB'],
  [['audios', 'edit', 'x', '--title', 'X'], 1, 'There is no audio "x"'],
  [['audios', 'edit', 'new-title', '--file', 'words.vtt'], 1, 'words.vtt '],
  [['audios', 'edit', 'new-title', '--cover', 'words.vtt'], 1, 'cannot be read'],
  [['audios', 'edit', 'new-title', '--cover', 'nowhere.png'], 1, 'nowhere.png cannot be read: ENOENT'],
  [['audios', 'edit', 'new-title', '--transcript', '@cover.png'], 1, 'The transcript is not WebVTT'],
  [['voices', 'edit-page', 'bea'], 2, 'Name something to change'],
  [['voices', 'edit-page', 'bea', '--linked-series', 'no-such'], 1, 'There is no series "no-such"'],
  [['voices', 'edit-page', 'nobody', '--no-picture'], 1, 'There is no voice "nobody"'],
  [['categories', 'set-picture', 'night'], 2, '--picture is missing'],
  [['categories', 'set-picture', 'none', '--no-picture'], 1, 'There is no category "none"'],
  [['audios', 'delete', 'x'], 1, 'There is no audio "x"'],
])('%j is refused in one line', async (args, code, reason) => {
  const outcome = await sotto(...args);
  expect(outcome).toEqual({ code, stdout: '', stderr: expect.stringContaining(reason) });
  expect(outcome.stderr.trimEnd().split('\n')).toHaveLength(1);
});

test('a transcript is translated by a file, and its translations are listed and removed', async () => {
  put('words.de.vtt', 'WEBVTT\n\n00:00.000 --> 00:02.000\nStill\n');
  const translate = (language: string, file: string) =>
    sotto('audios', 'translate', 'new-title', language, '--transcript', file);
  expect(await translate('DE', '@words.de.vtt')).toMatchObject({ code: 0, stderr: '' });
  expect((await sotto('audios', 'translations', 'new-title')).stdout).toMatch(/de +German +1/);
  expect((await sotto('audios', 'show-translation', 'new-title', 'de')).stdout).toContain('Still');
  expect(await translate('en', '@words.de.vtt')).toMatchObject({ code: 1, stderr: expect.stringContaining('spoken') });
  expect(await translate('x', '@words.de.vtt')).toMatchObject({ code: 1, stderr: expect.stringContaining('code') });
  expect(await translate('de', '@cover.png')).toMatchObject({ code: 1, stderr: 'The transcript is not WebVTT\n' });
  expect(await sotto('audios', 'remove-translation', 'new-title', 'de')).toMatchObject({ code: 0 });
  expect(await sotto('audios', 'show-translation', 'new-title', 'de')).toMatchObject({ code: 1 });
});

test('a slug that another audio has is refused with a clear word', async () => {
  const recordings = mkdtempSync(join(folder, 'recordings-'));
  writeFileSync(join(recordings, 'two.mp3'), silentMp3(1, { TIT2: 'Second', TPE1: 'Ana' }));
  await sotto('import', recordings);
  expect(await sotto('audios', 'edit', 'second', '--slug', 'new-title')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(englishErrors['audio/slug-taken']),
  });
});

test('delete hides an audio for 30 days, restore brings it back', async () => {
  expect((await sotto('audios', 'delete', 'new-title')).stdout).toMatch(/^state +deleted$/m);
  expect(await findAudio(db, 'new-title')).toBeUndefined();
  expect((await sotto('audios')).stdout).not.toContain('new-title');
  expect((await sotto('audios', '--state', 'deleted')).stdout).toMatch(/^new-title .*deleted/);
  expect((await sotto('audios', 'restore', 'new-title')).stdout).toMatch(/^state +published$/m);
  expect(await findAudio(db, 'new-title')).toBeDefined();
});

test('a change of a published audio is a draft until it is published', async () => {
  await sotto('audios', 'save', 'new-title', '--title', 'Newer');
  expect(await findAudio(db, 'new-title')).toMatchObject({ title: 'New title' });
  await sotto('audios', 'publish-changes', 'new-title');
  expect(await findAudio(db, 'new-title')).toMatchObject({ title: 'Newer' });
});

test('voices and categories get pictures, and a voice its linked series', async () => {
  put('portrait.png', await pictureOf('#103060'));
  const bea = await findVoice(db, 'bea');
  await createSeries(db, { slug: 'nights', ...(bea && { voiceId: bea.id }) });
  await createSeries(db, { slug: 'of-another', voiceId: (await createVoice(db)).id });
  expect(
    await sotto('voices', 'edit-page', 'bea', '--picture', 'portrait.png', '--linked-series', 'nights'),
  ).toMatchObject({ code: 0, stderr: '' });
  expect(await findVoice(db, 'bea')).toMatchObject({
    imageURL: `/images/${blobsIn('images')[0]}`,
    linkedSeries: { slug: 'nights' },
  });
  expect((await sotto('voices', 'edit-page', 'bea', '--linked-series', 'of-another')).code).toBe(1);
  expect((await sotto('doctor')).stdout).toMatch(
    /^warn {2}Feeds: 1 picture below 1400 px, which podcast directories refuse .*: voice bea \(40 px\)$/m,
  );
  // The same picture is one file, deleted with its last use.
  expect(await sotto('categories', 'set-picture', 'night', '--picture', 'portrait.png')).toMatchObject({ code: 0 });
  expect(await sotto('voices', 'edit-page', 'bea', '--no-picture', '--no-linked-series')).toMatchObject({ code: 0 });
  expect(await findVoice(db, 'bea')).toMatchObject({ imageURL: null, linkedSeries: null });
  expect(await findCategory(db, 'night')).toMatchObject({ imageUrl: `/images/${blobsIn('images')[0]}` });
  await sotto('categories', 'set-picture', 'night', '--no-picture');
  expect(await blobsLater('images')).toEqual([]);
});
