import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory, createSeries, createVoice } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { AudioEdit, editAudio } from './editing.ts';
import { parseVtt } from '../cue-rules.ts';
import { claimSlug } from './slugs.ts';
import { audios } from '../tables.ts';
import { findTranscript } from './transcripts.ts';

const { db } = await createTestDatabase();
const { catalogue } = await openTestSite(db);

test('every field of an audio can be changed, and absent fields stay as they are', async () => {
  const audio = await createAudio(db, { title: 'Old', description: 'Kept', tagLabels: ['Rain'] });
  const voice = await createVoice(db, { slug: 'new-voice' });
  await createCategory(db, { slug: 'sleep' });
  await createCategory(db, { slug: 'night' });
  const part = await createAudio(db);
  const series = await createSeries(db, { slug: 'nights', audioIds: [part.id] });
  const cues = [{ start: 0, end: 1.5, text: 'Hush' }];
  const edit = AudioEdit.parse({
    title: ' The New ',
    slug: 'the-new',
    voice: voice.slug,
    color: '#aabbcc',
    badge: 'New',
    categories: ['night', 'sleep'],
    tags: ['Slow', '夜'],
    series: { slug: series.slug, part: 3 },
    transcript: cues,
  });
  expect(await editAudio(db, audio.slug, edit)).toMatchObject({
    ok: true,
    audio: { slug: 'the-new', title: 'The New' },
  });
  expect(await catalogue.findAudio('the-new')).toMatchObject({
    title: 'The New',
    description: 'Kept',
    color: '#AABBCC',
    badge: 'New',
    voice: { slug: 'new-voice' },
    categories: [{ slug: 'night' }, { slug: 'sleep' }],
    tags: [{ label: 'Slow' }, { label: '夜' }],
    hasTranscript: true,
  });
  expect(await findTranscript(db, audio.id)).toMatchObject({ cues });
  expect(await catalogue.findSeriesOfAudio(audio.id)).toMatchObject({ slug: 'nights' });

  const cleared = { color: null, badge: null, categories: [], tags: [], series: null, transcript: null };
  await editAudio(db, audio.id, cleared);
  expect(await catalogue.findAudio('the-new')).toMatchObject({
    color: null,
    categories: [],
    tags: [],
    hasTranscript: false,
  });
  expect(await catalogue.findSeriesOfAudio(audio.id)).toBeUndefined();
});

test('an edit with one invalid part changes nothing', async () => {
  const audio = await createAudio(db, { title: 'Stays' });
  const other = await createAudio(db);
  const refused = [
    [{ slug: other.slug }, 'slug-taken', other.slug],
    [{ voice: 'nobody' }, 'unknown-voice', 'nobody'],
    [{ categories: ['none'] }, 'unknown-category', 'none'],
    [{ series: { slug: 'none' } }, 'unknown-series', 'none'],
  ] as const;
  for (const [edit, reason, name] of refused)
    expect(await editAudio(db, audio.id, AudioEdit.parse({ title: 'Changed', ...edit }))).toEqual({
      ok: false,
      reason,
      name,
    });
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ title: 'Stays' });
  expect(await editAudio(db, 'no-such', { title: 'X' })).toMatchObject({ ok: false, reason: 'not-found' });
});

test('an audio that takes the place of another in a series moves the others', async () => {
  const ids: string[] = [];
  for (const title of ['a', 'b', 'c', 'd', 'e']) ids.push((await createAudio(db, { title: `Part ${title}` })).id);
  const { id: seriesId, slug } = await createSeries(db, { audioIds: ids.slice(0, 4) });
  const order = async () => {
    const { rows } = await db.execute<{ title: string; position: number }>(sql`
      select a.title, i.position from series_items i join audios a on a.id = i.audio_id
      where i.series_id = ${seriesId} order by i.position`);
    return rows.map(({ title, position }) => `${position + 1}${title.slice(-1)}`).join(' ');
  };
  const put = async (index: number, part: number | null) => {
    const edit = { series: part === null ? null : { slug, part } };
    expect(await editAudio(db, ids[index] ?? '', edit)).toMatchObject({ ok: true });
    return order();
  };
  expect(await order()).toBe('1a 2b 3c 4d');
  expect(await put(4, 2)).toBe('1a 2e 3b 4c 5d');
  expect(await put(4, 4)).toBe('1a 2b 3c 4e 5d');
  expect(await put(4, 1)).toBe('1e 2a 3b 4c 5d');
  expect(await put(4, 5)).toBe('1a 2b 3c 4d 5e');
  expect(await put(2, null)).toBe('1a 2b 4d 5e');
  // A gap takes up the move.
  expect(await put(2, 1)).toBe('1c 2a 3b 4d 5e');
  expect(await put(2, 9)).toBe('2a 3b 4d 5e 9c');
  expect(await put(2, 1)).toBe('1c 2a 3b 4d 5e');
});

test('two editors take one slug at the same time: the second is refused', async () => {
  const [one, other] = [await createAudio(db), await createAudio(db)];
  let second: ReturnType<typeof editAudio> | undefined;
  await db.transaction(async (tx) => {
    expect(await editAudio(tx, one.id, { slug: 'wanted-by-both' })).toMatchObject({ ok: true });
    second = editAudio(db, other.id, { slug: 'wanted-by-both' });
    // It must reach the database before the first one finishes.
    await expect
      .poll(() =>
        db
          .execute(sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
          .then(({ rowCount }) => rowCount),
      )
      .toBe(1);
  });
  expect(await second).toEqual({ ok: false, reason: 'slug-taken', name: 'wanted-by-both' });
});

test('an old slug leads to its audio, and no other can take it', async () => {
  const audio = await createAudio(db, { slug: 'first-name' });
  await editAudio(db, audio.id, { slug: 'second-name' });
  await editAudio(db, 'first-name', { slug: 'third-name' });
  for (const slug of ['first-name', 'second-name', 'third-name'])
    expect(await catalogue.findAudio(slug)).toMatchObject({ id: audio.id, slug: 'third-name' });

  const other = await createAudio(db);
  for (const slug of ['first-name', 'second-name', 'third-name'])
    expect(await editAudio(db, other.id, { slug })).toEqual({ ok: false, reason: 'slug-taken', name: slug });
  await db.transaction(async (tx) => {
    expect(await claimSlug(tx, 'audios', 'First name')).toBe('first-name-2');
    expect(await claimSlug(tx, 'audios', 'Third name')).toBe('third-name-2');
  });
  // Its own ones are free for it.
  expect(await editAudio(db, audio.id, { slug: 'first-name' })).toMatchObject({ ok: true });
  for (const slug of ['first-name', 'second-name', 'third-name'])
    expect(await catalogue.findAudio(slug)).toMatchObject({ id: audio.id, slug: 'first-name' });
  // Gone for good, they are free again.
  await db.delete(audios).where(eq(audios.id, audio.id));
  expect(await editAudio(db, other.id, { slug: 'second-name' })).toMatchObject({ ok: true });
});

test.each([
  [{ title: ' ' }],
  [{ title: 'a\nb' }],
  [{ title: 'x'.repeat(201) }],
  [{ slug: 'No Slug' }],
  [{ color: 'red' }],
  [{ description: 'a\0' }],
  [{ tags: [''] }],
  [{ publishedAt: null }],
])('%j is no edit', (edit) => {
  expect(AudioEdit.safeParse(edit).success).toBe(false);
});

test('a transcript is read from WebVTT', () => {
  const file = `\uFEFFWEBVTT - Bright Star\r\n\r\nNOTE by hand\r\n\r\nSTYLE\r\n::cue {}\r\n\r\n1\r\n00:01.000 --> 00:02.500 align:start\r\n<v Ana>Bright <i>star</i>,\r\nwould &amp; could\r\n\r\n01:00:00.000 --> 01:00:01.000\r\nEnd`;
  expect(parseVtt(file)).toEqual([
    { start: 1, end: 2.5, text: 'Bright star, would & could' },
    { start: 3600, end: 3601, text: 'End' },
  ]);
  for (const wrong of ['', '1\n00:01.000 --> 00:02.000\nx', 'WEBVTT\n\n00:02.000 --> 00:01.000\nx', 'WEBVTTX\n\n'])
    expect(parseVtt(wrong)).toBeUndefined();
});
