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

  const words = 'edit old-title --slug new-title --voice bea --category night --tag Rain --badge New --file new.flac';
  const edited = await sotto(
    ...words.split(' '),
    '--title',
    'New title',
    '--cover',
    'cover.png',
    '--transcript',
    'words.vtt',
  );
  expect(edited).toEqual({
    code: 0,
    stdout: 'new-title is changed: title, slug, voice, badge, categories, tags, transcript, file, cover.\n',
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
  const refused = await sotto('edit', 'new-title', '--file', 'other.mp3', '--voice', 'nobody', '--title', 'No');
  expect(refused).toEqual({ code: 1, stdout: '', stderr: 'There is no voice "nobody"\n' });
  expect(await findAudio(db, 'new-title')).toEqual(audio);
  expect((await blobsLater('audio', 'originals')).toSorted()).toEqual(after.toSorted());

  expect(await sotto('edit', 'new-title', '--no-cover')).toMatchObject({ code: 0 });
  expect([(await findAudio(db, 'new-title'))?.imageUrl, await blobsLater('images')]).toEqual([null, []]);
});

test.each([
  [['edit', 'x'], 2, 'Name something to change'],
  [['edit', 'x', '--color', 'red'], 2, 'must look like #3E5A9C'],
  [['edit', 'x', '--title', 'X'], 1, 'There is no audio "x"'],
  [['edit', 'new-title', '--file', 'words.vtt'], 1, 'words.vtt '],
  [['edit', 'new-title', '--cover', 'words.vtt'], 1, 'words.vtt cannot be read as a picture'],
  [['edit', 'new-title', '--cover', 'nowhere.png'], 1, 'nowhere.png cannot be read: ENOENT'],
  [['edit', 'new-title', '--transcript', 'cover.png'], 1, 'cover.png is not a WebVTT file'],
  [['voice', 'bea'], 2, 'Name something to change'],
  [['voice', 'bea', '--linked-series', 'no-such'], 1, 'There is no series "no-such"'],
  [['voice', 'nobody', '--no-picture'], 1, 'There is no voice "nobody"'],
  [['category', 'night'], 2, 'Name something to change'],
  [['category', 'none', '--no-picture'], 1, 'There is no category "none"'],
  [['delete', 'x'], 1, 'There is no audio "x"'],
  [['promo'], 2, 'Name an act: list, create'],
  [['audios', '--drafts', '--deleted'], 2, 'exclude each other'],
])('%j is refused in one line', async (args, code, reason) => {
  const outcome = await sotto(...args);
  expect(outcome).toEqual({ code, stdout: '', stderr: expect.stringContaining(reason) });
  expect(outcome.stderr.trimEnd().split('\n')).toHaveLength(1);
});

test('a slug that another audio has is refused with a clear word', async () => {
  const recordings = mkdtempSync(join(folder, 'recordings-'));
  writeFileSync(join(recordings, 'two.mp3'), silentMp3(1, { TIT2: 'Second', TPE1: 'Ana' }));
  await sotto('import', recordings);
  expect(await sotto('edit', 'second', '--slug', 'new-title')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Another audio has the slug "new-title" already'),
  });
});

test('delete hides an audio for 30 days, undelete brings it back', async () => {
  const gone = await sotto('delete', 'new-title');
  expect(gone.stdout).toMatch(/^new-title is now deleted, and goes for good on \d{4}-\d\d-\d\d\.\n$/);
  expect(await findAudio(db, 'new-title')).toBeUndefined();
  expect((await sotto('audios')).stdout).not.toContain('new-title');
  expect(await sotto('audios', '--deleted')).toMatchObject({
    stdout: expect.stringMatching(/^new-title {2}\[deleted, and goes for good on [\d-]+\]/),
    stderr: '1 deleted audio\n',
  });
  expect(await sotto('undelete', 'new-title')).toMatchObject({ code: 0, stdout: expect.stringContaining('published') });
  expect(await findAudio(db, 'new-title')).toBeDefined();
});

test('voices and categories get pictures, and a voice its linked series', async () => {
  put('portrait.png', await pictureOf('#103060'));
  const bea = await findVoice(db, 'bea');
  await createSeries(db, { slug: 'nights', ...(bea && { voiceId: bea.id }) });
  await createSeries(db, { slug: 'of-another', voiceId: (await createVoice(db)).id });
  expect(await sotto('voice', 'bea', '--picture', 'portrait.png', '--linked-series', 'nights')).toMatchObject({
    code: 0,
    stdout: 'bea is changed: picture, linked series.\n',
  });
  expect(await findVoice(db, 'bea')).toMatchObject({
    imageURL: `/images/${blobsIn('images')[0]}`,
    linkedSeries: { slug: 'nights' },
  });
  expect(await sotto('voice', 'bea', '--linked-series', 'of-another')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('belongs to another voice'),
  });
  expect((await sotto('doctor')).stdout).toMatch(
    /^warn {2}Feeds: 1 picture below 1400 px, which podcast directories refuse .*: voice bea \(40 px\)$/m,
  );
  // The same picture is one file, deleted with its last use.
  expect(await sotto('category', 'night', '--picture', 'portrait.png')).toMatchObject({ code: 0 });
  expect(await sotto('voice', 'bea', '--no-picture', '--linked-series', 'none')).toMatchObject({ code: 0 });
  expect(await findVoice(db, 'bea')).toMatchObject({ imageURL: null, linkedSeries: null });
  expect(await findCategory(db, 'night')).toMatchObject({ imageUrl: `/images/${blobsIn('images')[0]}` });
  await sotto('category', 'night', '--no-picture');
  expect(await blobsLater('images')).toEqual([]);
});
