import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { listSeries, listSeriesAudios } from '../../catalogue/series.ts';
import { reviewSetting } from '../../catalogue/review/settings.ts';
import { facets, tags } from '../../catalogue/tables.ts';
import { operator } from '../../kernel/actor.ts';
import { newId } from '../../kernel/ids.ts';
import { visitor } from '../../kernel/viewer.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { openAudioTags } from '#gateways/audio-tags.ts';
import { openCovers } from '#gateways/covers.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openSoundEngine } from '#gateways/sound/sound-engine.ts';
import { picture, silentFlac, silentMp3, silentWav } from '#test/support/sound/sound-files.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createCategory, createVoice } from '#test/support/factories.ts';
import { slow } from '#test/support/tags.ts';
import { type ImportChoices, type ImportedAudio, importAudio } from './import.ts';

const { db, pool } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'sotto-import-'));
const blobs = openDiskBlobs({ dir: join(folder, 'blobs') });
const tools = { db, blobs, audioTags: openAudioTags(), covers: openCovers() };
const plain: ImportChoices = { voiceTypeLabel: 'Voice', isFree: false, publish: false };

afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

function put(content: Uint8Array, extension = '.mp3'): string {
  files += 1;
  const path = join(folder, `file-${files}${extension}`);
  writeFileSync(path, content);
  return path;
}

/** Files with different tags have different content. */
function tagged(frames: Record<string, string | Buffer>): string {
  return put(silentMp3(1, frames));
}

async function imported(path: string, choices: Partial<ImportChoices> = {}): Promise<ImportedAudio> {
  const result = await importAudio(tools, path, 'A File', { ...plain, ...choices });
  if (!result.ok) throw new Error(result.reason);
  return result.audio;
}

async function rowOf(slug: string) {
  const { rows } = await pool.query(
    `select a.*, v.name as voice, v.slug as voice_slug, v.voice_type_label,
       array(select c.slug::text from audio_categories ac join categories c on c.id = ac.category_id where ac.audio_id = a.id order by ac.position) as categories
     from audios a join voices v on v.id = a.voice_id where a.slug = $1`,
    [slug],
  );
  return rows[0];
}

test('a tagged file becomes an audio with its voice, categories, series, cover and file', async () => {
  const cover = await sharp({ create: { width: 3000, height: 1500, channels: 3, background: '#a04020' } })
    .png()
    .toBuffer();
  const content = silentMp3(3, {
    TIT2: 'Night Letter',
    TPE1: 'Ana Öst',
    TALB: 'Nights',
    TRCK: '3/9',
    TCON: 'Love Letters; Sleep',
    COMM: 'For tonight.',
    APIC: picture(cover),
  });
  const audio = await imported(put(content));
  expect(audio).toMatchObject({
    slug: 'night-letter',
    voice: { slug: 'ana-ost', name: 'Ana Öst', isNew: true },
    series: { slug: 'nights', isNew: true },
    newCategories: ['love-letters', 'sleep'],
    cover: 'kept',
  });

  const row = await rowOf('night-letter');
  expect(row).toMatchObject({
    title: 'Night Letter',
    sort_title: 'night letter',
    description: 'For tonight.',
    voice_type_label: 'Voice',
    categories: ['love-letters', 'sleep'],
    published_at: null,
    is_free: false,
    file_mime: 'audio/mpeg',
  });
  expect(Math.abs(row.duration_ms - 3000)).toBeLessThan(50);
  expect(Number(row.file_bytes)).toBe(content.length);
  expect(Buffer.from(await new Response(blobs.read(row.file_key)).arrayBuffer()).equals(content)).toBe(true);
  const image = await sharp(Buffer.from(await new Response(blobs.read(row.image_key)).arrayBuffer())).metadata();
  expect(image).toMatchObject({ format: 'webp', width: 2048, height: 1024 });
  const { rows } = await pool.query(`select position from series_items where audio_id = $1`, [row.id]);
  expect(rows).toEqual([{ position: 2 }]);
});

test('the same file is imported once, also under concurrency', async () => {
  const path = tagged({ TIT2: 'Twice', TPE1: 'Ana Öst' });
  const results = await Promise.all([1, 2, 3].map(() => importAudio(tools, path, 'x', plain)));
  expect(results.filter((result) => result.ok)).toHaveLength(1);
  expect(results.filter((result) => !result.ok && result.reason === 'already-there')).toHaveLength(2);
  expect(await importAudio(tools, path, 'x', plain)).toEqual({ ok: false, reason: 'already-there', slug: 'twice' });
});

test('another file with the same title gets the next free slug', async () => {
  const slugs: string[] = [];
  for (const comment of ['a', 'b', 'c'])
    slugs.push((await imported(tagged({ TIT2: 'Echo', TPE1: 'Ana Öst', COMM: comment }))).slug);
  expect(slugs).toEqual(['echo', 'echo-2', 'echo-3']);
  expect((await imported(tagged({ TIT2: '夜', TPE1: 'Ana Öst' }))).slug).toBe('ye');
});

test('concurrent imports get separate slugs and share one voice', async () => {
  const paths = Array.from({ length: 8 }, (_none, index) =>
    tagged({ TIT2: 'Crowd', TPE1: 'The Choir', TALB: 'Crowds', COMM: String(index) }),
  );
  const audios = await Promise.all(paths.map((path) => imported(path)));
  expect(new Set(audios.map(({ slug }) => slug)).size).toBe(8);
  expect(audios.filter(({ voice }) => voice.isNew)).toHaveLength(1);
  expect(audios.filter(({ series }) => series?.isNew)).toHaveLength(1);
});

test('existing voices and categories are found by name, ignoring case', async () => {
  const voice = await createVoice(db, { name: 'Nora Sand', slug: 'nora' });
  await createCategory(db, { label: 'Bedtime Stories', slug: 'bedtime' });
  const audio = await imported(tagged({ TIT2: 'Found', TPE1: 'nora SAND', TCON: 'bedtime stories; Bedtime' }));
  expect(audio).toMatchObject({ voice: { slug: 'nora', isNew: false }, newCategories: [] });
  expect(await rowOf('found')).toMatchObject({ voice_id: voice.id, categories: ['bedtime'] });
});

test('the operator’s voice, categories and type override the tags', async () => {
  const category = await createCategory(db, { label: 'Letters', slug: 'letters-only' });
  const path = tagged({ TIT2: 'Chosen', TPE1: 'Somebody Else', TCON: 'Pop' });
  const audio = await imported(path, {
    voice: 'Mira Holt',
    voiceTypeLabel: 'Female voice',
    categoryIds: [category.id],
    isFree: true,
    publish: true,
  });
  expect(audio.voice).toEqual({ slug: 'mira-holt', name: 'Mira Holt', isNew: true });
  const row = await rowOf('chosen');
  expect(row).toMatchObject({ voice_type_label: 'Female voice', categories: ['letters-only'], is_free: true });
  expect(row.published_at.getTime()).toBeLessThanOrEqual(Date.now() + 1000);
  const bySlug = await imported(tagged({ TIT2: 'Chosen Too' }), { voice: 'mira-holt' });
  expect(bySlug.voice).toEqual({ slug: 'mira-holt', name: 'Mira Holt', isNew: false });
});

test('parts of a series follow their track numbers, and untracked ones go last', async () => {
  for (const [title, track] of [
    ['Part Three', '3'],
    ['Part One', '1'],
    ['Loose', ''],
    ['Part One Again', '1'],
  ]) {
    await imported(
      tagged({ TIT2: title ?? '', TPE1: 'Serial Voice', TALB: 'In Parts', ...(track ? { TRCK: track } : {}) }),
      { publish: true },
    );
  }
  const { items } = await listSeries(db, visitor, { limit: 100 });
  const one = items.find(({ title }) => title === 'In Parts');
  const parts = await listSeriesAudios(db, visitor, one?.id ?? '', { limit: 10 });
  expect(parts.items.map(({ title }) => title)).toEqual(['Part One', 'Part Three', 'Loose', 'Part One Again']);
});

test('albums with the same name are kept apart by voice, and an album of several voices has no voice', async () => {
  const first = await imported(tagged({ TIT2: 'A1', TPE1: 'Voice A', TALB: 'Best Of' }));
  const second = await imported(tagged({ TIT2: 'B1', TPE1: 'Voice B', TALB: 'Best Of' }));
  expect([first.series?.slug, second.series?.slug]).toEqual(['best-of', 'best-of-2']);
  const shared = await imported(tagged({ TIT2: 'A2', TPE1: 'Voice A', TPE2: 'Various', TALB: 'Together' }));
  const alsoShared = await imported(tagged({ TIT2: 'B2', TPE1: 'Voice B', TPE2: 'Various', TALB: 'Together' }));
  expect(alsoShared.series).toEqual({ ...shared.series, isNew: false });
  const { rows } = await pool.query(`select voice_id from series where slug = 'together'`);
  expect(rows).toEqual([{ voice_id: null }]);
});

test('tags of any length and character are cleaned to what the database accepts', async () => {
  const nasty = 'A\0B\u001b[31m\u202e\nC';
  const audio = await imported(
    put(
      silentFlac(1, {
        TITLE: nasty,
        ARTIST: `N\0ame ${'y'.repeat(300)}`,
        ALBUM: '\0\u0001',
        GENRE: `${'g'.repeat(200)};\0;😀`,
        DESCRIPTION: `${'😀'.repeat(6000)}\0`,
      }),
      '.flac',
    ),
  );
  const row = await rowOf(audio.slug);
  expect(row.title).toBe('A B [31m C');
  expect([...row.voice].length).toBe(120);
  expect([...row.description].length).toBe(5000);
  expect(row.categories).toHaveLength(2);
  expect(audio.series).toBeUndefined();
});

test('without tags the title is the file name, and the operator must name a voice', async () => {
  const path = put(silentWav(2), '.wav');
  expect(await importAudio(tools, path, 'Rain on Tin', plain)).toEqual({ ok: false, reason: 'no-voice' });
  expect(await imported(path, { voice: 'Nora Sand' })).toMatchObject({
    title: 'A File',
    cover: 'none',
    extension: '.wav',
  });
});

test('a cover that is not a picture, such as a script, is ignored', async () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  );
  for (const [index, image] of [Buffer.from('not an image'), svg].entries()) {
    const audio = await imported(tagged({ TIT2: `Bad Cover ${index}`, TPE1: 'Ana Öst', APIC: picture(image) }));
    expect(audio.cover).toBe('not-decodable');
    expect(await rowOf(audio.slug)).toMatchObject({ image_key: null });
  }
});

async function isUntouched(act: () => Promise<void>): Promise<boolean> {
  const state = async () => {
    const { rows } =
      await pool.query(`select (select count(*) from audios) audios, (select count(*) from voices) voices,
      (select count(*) from stored_files) files`);
    const keys: string[] = [];
    for await (const { key } of blobs.list('')) keys.push(key);
    return JSON.stringify([rows, keys]);
  };
  const before = await state();
  await act();
  return (await state()) === before;
}

test('a broken file leaves nothing behind', async () => {
  const noLength = put(silentWav(0, { INAM: 'Empty', IART: 'Nobody Yet' }), '.wav');
  const act = async () =>
    expect(await importAudio(tools, noLength, 'x', plain)).toMatchObject({ ok: false, reason: 'damaged' });
  expect(await isUntouched(act)).toBe(true);
});

const engine = openSoundEngine({ blobs, dir: join(folder, 'work') });

test.skipIf((await engine.version()) === undefined)(
  'a file with good tags and no sound that can be played leaves nothing behind',
  slow,
  async () => {
    const whole = silentFlac(10, { TITLE: 'Noise', ARTIST: 'Nobody Yet' });
    const noise = put(whole.fill(0x55, whole.indexOf(Buffer.from([0xff, 0xf8]))), '.flac');
    const act = async () =>
      expect(await importAudio({ ...tools, engine }, noise, 'x', plain)).toMatchObject({
        ok: false,
        reason: 'damaged',
        detail: 'is damaged: nothing in it can be played',
      });
    expect(await isUntouched(act)).toBe(true);
  },
);

test('an import says what kept an audio from being published, and gives it tags of facets', async () => {
  const moodId = newId();
  await db.insert(facets).values({ id: moodId, slug: 'mood', label: 'Mood', chooses: 'many', isRequired: true });
  await db.insert(tags).values({ id: newId(), slug: 'calm', label: 'Calm', facetId: moodId });
  const bare = await imported(tagged({ TIT2: 'Bare', TPE1: 'Ana' }), { publish: true });
  expect(bare.unpublished).toMatchObject({ reason: 'missing-facet', facets: ['Mood'] });
  const calm = await imported(tagged({ TIT2: 'Calm', TPE1: 'Ana' }), { publish: true, tags: ['calm'] });
  expect(calm.unpublished).toBeUndefined();
  const { revision } = await findSetting(db, reviewSetting);
  const value = { mode: 'all' as const };
  await db.transaction((tx) => changeSetting(tx, reviewSetting, { actor: operator, value, revision }));
  const waiting = await imported(tagged({ TIT2: 'Waiting', TPE1: 'Ana' }), { publish: true, tags: ['calm'] });
  expect(waiting.unpublished).toEqual({ reason: 'in-review' });
});
