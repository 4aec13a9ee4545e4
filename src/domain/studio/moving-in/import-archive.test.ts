import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { zipSync } from 'fflate';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { openArchives } from '#gateways/archives/open-archive.ts';
import { openCovers } from '#gateways/covers.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openSoundEngine } from '#gateways/sound/sound-engine.ts';
import { readFeed } from '#gateways/web/read-feed.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createCategory, createVoice } from '#test/support/factories.ts';
import { mailInto } from '#test/support/servers/mail-box.ts';
import { createCreator } from '#test/support/sound/sound-site.ts';
import { tone, wavOf } from '#test/support/sound/sounds.ts';
import { audios, categories, facets, recordings, series, transcripts, voices } from '../../catalogue/tables.ts';
import { type Actor, operator } from '../../kernel/actor.ts';
import { newId } from '../../kernel/ids.ts';
import { findFeedImport, listFeedItems } from '../feed-imports/import-state.ts';
import { chooseFeedItems, runFeedImport, startImport, stopFeedImport } from '../feed-imports/imports.ts';
import { importFeed } from '../feed-imports/run-import.ts';
import { feedImports, movedInFiles } from '../tables.ts';
import { processUploadJob } from '../uploads/finish-uploads.ts';
import { processUpload } from '../uploads/process-upload.ts';
import { importArchive } from './import-archive.ts';

// The encoder runs at low priority.
vi.setConfig({ testTimeout: 120_000 });

const { db } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'sotto-move-in-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const blobs = openDiskBlobs({ dir: join(folder, 'blobs') });
const engine = openSoundEngine({ blobs, dir: join(folder, 'work') });
const isThere = (await engine.version()) !== undefined;
const openArchive = openArchives({ blobs, folder });
const noWeb = () => Promise.reject(new Error('nothing is asked of the web'));
const tools = {
  db,
  blobs,
  readFeed,
  openArchive,
  covers: openCovers(),
  mail: mailInto([]),
  site: { name: 'Sotto', url: 'https://sotto.example' },
  web: { read: noWeb, download: noWeb },
  addJobs: async (name: string, ids: string[]) => {
    if (name === processUploadJob) for (const id of ids) await processUpload({ db, blobs, engine }, id);
  },
  pauseMs: 20,
};

let hertz = 400;
const line = (slug: string, more: object = {}) => ({
  id: newId(),
  guid: `guid-${slug}`,
  slug,
  title: `Title of ${slug}`,
  description: 'Come in,\n\nand stay.',
  language: 'en',
  isFree: true,
  syntheticVoice: 'none',
  commenters: 'everyone',
  commentHold: null,
  commentsPausedUntil: null,
  color: null,
  badge: null,
  categories: [],
  tags: [],
  credits: [],
  publishedAt: '2024-05-01T20:00:00.000Z',
  number: null,
  durationMs: 1500,
  fileBytes: 100,
  sound: `sound/${slug}.wav`,
  originalName: null,
  hasOwnChapters: false,
  transcripts: [],
  ...more,
});
const page = (slug: string, more: object = {}) => ({
  format: 1,
  name: 'Ana Moves',
  slug,
  bio: 'Reads at night.',
  language: 'en',
  links: [],
  license: '',
  directoryText: '',
  voiceType: 'Female voice',
  category: null,
  color: null,
  recommended: [],
  linkedSeries: null,
  welcomeAudio: null,
  paymentAudio: null,
  farewellAudio: null,
  comments: { commenters: 'everyone', hold: 'none', words: [], order: 'newest', pausedUntil: null },
  ...more,
});

type Parts = {
  creator?: unknown;
  lines?: unknown[];
  series?: unknown;
  catalogue?: unknown;
  files?: Record<string, Uint8Array>;
};

async function archive({ creator, lines = [], series: all = [], catalogue, files = {} }: Parts): Promise<string> {
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  const key = `archives/${newId().slice(-12)}.zip`;
  const zip = zipSync(
    {
      'creator.json': json(creator ?? page('ana-moves')),
      'catalogue.json': json(catalogue ?? { categories: [], facets: [] }),
      'series.json': json(all),
      'audios.jsonl': Buffer.from(lines.map((one) => `${JSON.stringify(one)}\n`).join('')),
      ...files,
    },
    { level: 1 },
  );
  await blobs.write(key, zip);
  return key;
}

async function newCreator() {
  const { voiceId, userId } = await createCreator(db);
  const actor: Actor = {
    kind: 'user',
    id: userId,
    isSubscribed: false,
    isComplete: true,
    voiceRoles: { [voiceId]: 'owner' },
  };
  return { voiceId, actor };
}

/** As an upload of a creator does, up to the plan. */
async function plan(key: string) {
  const { voiceId, actor } = await newCreator();
  const started = await startImport(tools, actor, voiceId, { archiveName: 'ana.zip', archiveKey: key });
  if (!started.ok) throw new Error(started.reason);
  await importFeed(tools, started.id);
  const found = await findFeedImport(db, actor, voiceId);
  if (found === undefined) throw new Error('there is no import');
  return { voiceId, actor, id: started.id, found };
}

const sound = (slug: string) => ({ [`sound/${slug}.wav`]: wavOf(tone((hertz += 1)), { seconds: 1.5 }) });

describe('what is no archive of a creator is refused as a whole', () => {
  test.each<[string, Parts]>([
    ['another format', { creator: page('ana', { format: 2 }) }],
    ['a page with a line too long', { creator: page('ana', { name: 'a'.repeat(121) }) }],
    ['a link of a script', { creator: page('ana', { links: [{ label: 'x', url: 'javascript:alert(1)' }] }) }],
    ['an audio without a title', { lines: [line('one', { title: '' })] }],
    ['a title of control characters', { lines: [line('one', { title: 'a\u0000b' })] }],
    ['a slug that leads elsewhere', { lines: [line('../admin')] }],
    ['a color of CSS', { lines: [line('one', { color: 'red;background:url(//x)' })] }],
    ['a date of no calendar', { lines: [line('one', { publishedAt: 'yesterday' })] }],
    ['series that are none', { series: [{ slug: 'a' }] }],
    ['tags of any length', { lines: [line('one', { tags: ['t'.repeat(61)] })] }],
  ])('%s', async (_, parts) => {
    const { found } = await plan(await archive({ lines: [line('fine')], ...parts }));
    expect(found).toMatchObject({ state: 'failed', failure: 'not-an-archive', counts: { all: 0 } });
  });

  test('one that is no ZIP, one that is gone, and one with more audios than are read', async () => {
    await blobs.write('archives/no.zip', Buffer.from('no'));
    expect((await plan('archives/no.zip')).found.failure).toBe('not-an-archive');
    expect((await plan('archives/gone.zip')).found.failure).toBe('unreachable');
    const many = Array.from({ length: 5001 }, (_, index) => line(`a${index}`));
    expect((await plan(await archive({ lines: many }))).found.failure).toBe('too-large');
  });
});

describe.skipIf(!isThere)('an archive', () => {
  test('needs no code, says what cannot come, and brings the rest of a creator', async () => {
    const catalogue = {
      categories: [{ slug: 'brought-along', label: 'Brought', description: '', color: null }],
      facets: [],
    };
    const known = await createCategory(db);
    const files = {
      ...sound('one'),
      ...sound('two'),
      'covers/one.webp': Buffer.from('RIFFxxxxWEBPno picture'),
      'transcripts/one.en.vtt': Buffer.from('WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nCome\nin\n'),
      'figures.csv': Buffer.from('Day,Plays\n'),
    };
    const one = line('one', {
      cover: 'covers/one.webp',
      categories: [known.slug, 'brought-along'],
      tags: ['whispered'],
      credits: [{ role: 'writer', name: 'Sappho', voice: { slug: 'sappho' } }],
      transcripts: [{ language: 'en', path: 'transcripts/one.en.vtt' }],
    });
    const two = line('two', { publishedAt: null });
    const lines = [one, two, line('gone'), line('listed', { sound: 'transcripts/one.en.vtt' })];
    const all = [
      { slug: 'nights', title: 'Nights', description: '', color: null, isHidden: false, audios: ['two', 'one'] },
    ];
    const { voiceId, actor, id, found } = await plan(await archive({ lines, files, catalogue, series: all }));
    expect(found).toMatchObject({ state: 'planned', archive: 'ana.zip', counts: { all: 4, new: 3, cannot: 1 } });
    await runFeedImport(tools, actor, id, { isFree: false, publishes: true, keepsGuids: true });
    await importFeed(tools, id);
    const items = (await listFeedItems(db, actor, id, { limit: 10 }))?.items;
    expect(items).toMatchObject([
      { state: 'made', held: null, audio: { slug: 'one', imageUrl: null, state: 'published' } },
      { state: 'made', held: null, audio: { slug: 'two', state: 'draft' } },
      { state: 'cannot', obstacle: 'no-sound' },
      { state: 'failed', failure: 'not-sound' },
    ]);
    const [audio] = await db.select().from(audios).where(eq(audios.slug, 'one'));
    expect(audio).toMatchObject({ isFree: true, description: 'Come in,\n\nand stay.', fileMime: 'audio/mp4' });
    // A creator's file is processed like an upload; only an operator's stays as it is.
    expect(
      await db
        .select()
        .from(recordings)
        .where(eq(recordings.audioId, audio?.id ?? '')),
    ).toMatchObject([{ originalName: 'one.wav' }]);
    expect(
      await db
        .select()
        .from(transcripts)
        .where(eq(transcripts.audioId, audio?.id ?? '')),
    ).toMatchObject([{ cues: [{ start: 0, end: 1, text: 'Come\nin' }] }]);
    expect(await db.$count(categories, eq(categories.slug, 'brought-along'))).toBe(0);
    expect(await db.select().from(series).where(eq(series.voiceId, voiceId))).toMatchObject([{ slug: 'nights' }]);
    expect(await db.select().from(voices).where(eq(voices.id, voiceId))).toMatchObject([{ bio: 'Reads at night.' }]);
    expect(await db.select().from(movedInFiles).where(eq(movedInFiles.voiceId, voiceId))).toMatchObject([
      { path: 'before/1/figures.csv', bytes: 10 },
    ]);
    // One did not come, so the archive stays for another try, which doubles nothing.
    await runFeedImport(tools, actor, id, { isFree: false, publishes: true, keepsGuids: true });
    await importFeed(tools, id);
    expect(await db.$count(audios, eq(audios.voiceId, voiceId))).toBe(2);
    expect(await db.$count(movedInFiles, eq(movedInFiles.voiceId, voiceId))).toBe(1);
    expect(await db.$count(series, eq(series.voiceId, voiceId))).toBe(1);
  });

  test('a page that has texts keeps them', async () => {
    const { voiceId, actor, id } = await plan(await archive({ lines: [line('kept')], files: sound('kept') }));
    await db.update(voices).set({ bio: 'Mine' }).where(eq(voices.id, voiceId));
    await runFeedImport(tools, actor, id, { isFree: false, publishes: false, keepsGuids: true });
    await importFeed(tools, id);
    expect(await db.select().from(voices).where(eq(voices.id, voiceId))).toMatchObject([{ bio: 'Mine' }]);
    expect(await db.select().from(audios).where(eq(audios.voiceId, voiceId))).toMatchObject([{ publishedAt: null }]);
    expect(await db.select().from(feedImports).where(eq(feedImports.id, id))).toMatchObject([
      { state: 'done', archiveKey: null },
    ]);
    expect(await runFeedImport(tools, actor, id, { isFree: false, publishes: true, keepsGuids: true })).toEqual({
      ok: false,
      reason: 'import-too-late',
    });
  });

  test('what has not begun can be left out while the rest comes', async () => {
    const files = { ...sound('first'), ...sound('second') };
    const { actor, id, voiceId } = await plan(await archive({ lines: [line('first'), line('second')], files }));
    expect(await chooseFeedItems(db, actor, id, { positions: [1], comes: false })).toMatchObject({ ok: false });
    await runFeedImport(tools, actor, id, { isFree: false, publishes: true, keepsGuids: true });
    expect(await chooseFeedItems(db, actor, id, { positions: [0, 1], comes: false })).toEqual({ ok: true });
    expect(await chooseFeedItems(db, actor, id, { positions: [0], comes: true })).toEqual({ ok: true });
    const other = await newCreator();
    expect(await chooseFeedItems(db, other.actor, id, { positions: [1], comes: true })).toMatchObject({
      reason: 'not-found',
    });
    await importFeed(tools, id);
    expect((await findFeedImport(db, actor, voiceId))?.counts).toMatchObject({ made: 1, leftOut: 1, new: 0 });
    expect(await stopFeedImport(db, actor, id)).toMatchObject({ ok: false });
  });

  test('an operator makes the creator, categories and tags of it', async () => {
    const catalogue = {
      categories: [{ slug: 'evenings', label: 'Evenings', description: 'Late', color: '#AA3311' }],
      facets: [
        {
          slug: 'mood',
          label: 'Mood',
          explanation: '',
          chooses: 'one',
          isRequired: false,
          hasContentNotes: true,
          tags: ['Tender', 'Slow'],
        },
      ],
    };
    const one = line('evening', { categories: ['evenings'], tags: ['Slow'] });
    const key = await archive({ creator: page('ana-of-old'), lines: [one], files: sound('evening'), catalogue });
    const stranger = await newCreator();
    const wanted = { key, name: 'ana.zip' };
    expect(await importArchive(tools, stranger.actor, wanted)).toEqual({ ok: false, reason: 'not-found' });
    const started = await importArchive(tools, operator, wanted);
    expect(started).toMatchObject({ ok: true, slug: 'ana-of-old' });
    expect(await importArchive(tools, operator, wanted)).toEqual({ ok: false, reason: 'slug-taken' });
    expect(await importArchive(tools, operator, { ...wanted, voice: 'nobody' })).toEqual({
      ok: false,
      reason: 'not-found',
    });
    await importFeed(tools, started.ok ? started.id : '');
    const [audio] = await db.select().from(audios).where(eq(audios.slug, 'evening'));
    expect(audio).toMatchObject({ fileMime: 'audio/wav', durationMs: 1500 });
    expect(await db.select().from(facets).where(eq(facets.slug, 'mood'))).toMatchObject([{ hasContentNotes: true }]);
    expect(await db.select().from(categories).where(eq(categories.slug, 'evenings'))).toMatchObject([
      { color: '#AA3311' },
    ]);
    const known = await createVoice(db);
    expect(await importArchive(tools, operator, { ...wanted, voice: known.slug })).toMatchObject({ ok: true });
  });
});
