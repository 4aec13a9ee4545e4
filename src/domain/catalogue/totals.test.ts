import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory, createVoice } from '#test/support/factories.ts';
import { visitor } from '../kernel/viewer.ts';
import { listAudios, sumAudios } from './audio-lists.ts';
import { findCategory } from './categories.ts';
import { listTagChoices, listTags } from './tags.ts';
import { listSitemapEntries, listSitemapRanges, sitemapKinds } from './sitemap-entries.ts';
import { addUpTotals } from './totals.ts';
import { findVoice, listPopularVoices } from './voices.ts';

const { db } = await createTestDatabase();

const quiet = await createVoice(db, { name: 'Quiet' });
const heard = await createVoice(db, { name: 'Heard' });
const category = await createCategory(db);
await createCategory(db, { label: 'Empty' });
const rain = { categoryIds: [category.id], tagLabels: ['Rain', 'Night'] };
await createAudio(db, { voiceId: quiet.id, plays: 5, durationMs: 61_000, ...rain });
await createAudio(db, { voiceId: heard.id, plays: 900, tagLabels: ['Rain'] });
await createAudio(db, { voiceId: heard.id, plays: 7000, publishedAt: new Date(Date.now() + 60_000), ...rain });
await createAudio(db, { voiceId: heard.id, plays: 7000, publishedAt: null, ...rain });

const read = async () => ({
  all: await sumAudios(db, visitor, {}),
  voice: await sumAudios(db, visitor, { voiceId: heard.id }),
  category: await sumAudios(db, visitor, { categoryId: category.id }),
  inCategory: (await findCategory(db, category.id))?.totalAudios,
  ofVoice: (await findVoice(db, heard.id))?.totalAudios,
  voices: (await listPopularVoices(db, visitor, 5)).map(({ name }) => name),
  tags: await listTags(db, visitor, { limit: 5 }),
  sitemap: await Promise.all(sitemapKinds.map((kind) => listSitemapRanges(db, kind))),
  tagsOfCategory: await listTags(db, visitor, { categoryId: category.id, limit: 5 }),
});

test('a large catalogue says what a small one says, from what was added up', async () => {
  expect(await addUpTotals(db)).toBe(false);
  const small = await read();
  expect(small).toMatchObject({
    all: { total: 2, seconds: 121, plays: 905 },
    inCategory: 1,
    voices: ['Heard', 'Quiet'],
    tags: [{ label: 'Rain', audios: 2 }, { label: 'Night' }],
  });
  expect(await addUpTotals(db, { largeFrom: 2 })).toBe(true);
  expect(await read()).toEqual(small);

  await createAudio(db, { voiceId: quiet.id, plays: 5000, ...rain });
  expect(await read(), 'nothing is added up for a page').toEqual(small);
  await addUpTotals(db, { largeFrom: 2 });
  expect(await read()).toMatchObject({ all: { total: 3, plays: 5905 }, inCategory: 2, voices: ['Quiet', 'Heard'] });
});

test('the tag that filters a list is among its choices, once, however rare it is', async () => {
  const labels = async (...chosen: string[]) =>
    (await listTagChoices(db, visitor, { chosen, limit: 1 })).map(({ label }) => label);
  expect(await labels()).toEqual(['Rain']);
  expect(await labels('night')).toEqual(['Rain', 'Night']);
  expect(await labels('rain')).toEqual(['Rain']);
  expect(await labels('night', 'rain', 'unknown')).toEqual(['Rain', 'Night']);
});

test('a catalogue that is small again is added up for each page', async () => {
  await addUpTotals(db, { largeFrom: 2 });
  expect(await addUpTotals(db, { largeFrom: 1000 })).toBe(false);
  await createAudio(db, { voiceId: quiet.id, plays: 1 });
  expect(await sumAudios(db, visitor, {})).toMatchObject({ total: 4 });
});

test('a tag that does not exist has no audios', async () => {
  const filter = { tag: ['no-such-tag'] };
  expect(await listAudios(db, visitor, { filter, limit: 5 })).toEqual({ items: [], nextCursor: undefined });
  expect(await sumAudios(db, visitor, { filter })).toEqual({ total: 0, seconds: 0, plays: 0 });
});

test('a sitemap cut by the job has each address once, and new ones before the next cut', async () => {
  const { db } = await createTestDatabase();
  const { id: voiceId } = await createVoice(db);
  await db.execute(sql`
    insert into audios (id, slug, title, sort_title, description, voice_id, file_key, file_mime, file_bytes, duration_ms, published_at)
    select gen_random_uuid(), 'audio-' || lpad(n::text, 4, '0'), 'Audio', 'audio', '', ${voiceId}, 'audio/' || n, 'audio/mpeg', 1, 1, now()
    from generate_series(0, 1100) n`);
  const readAll = async () => {
    const ranges = await listSitemapRanges(db, 'audios');
    const files = await Promise.all(ranges.map((range) => listSitemapEntries(db, 'audios', range)));
    return { ranges, sizes: files.map(({ length }) => length), slugs: files.flat().map(({ slug }) => slug) };
  };
  const cutNow = await readAll();
  expect(cutNow).toMatchObject({ sizes: [500, 500, 101], ranges: [{ after: '' }, { after: 'audio-0499' }, {}] });
  expect(new Set(cutNow.slugs).size).toBe(1101);

  await addUpTotals(db, { largeFrom: 100 });
  expect(await readAll()).toEqual(cutNow);
  await createAudio(db, { voiceId, slug: 'audio-0001-b' });
  await createAudio(db, { voiceId, slug: 'zzz' });
  expect((await readAll()).sizes).toEqual([501, 500, 102]);
  await addUpTotals(db, { largeFrom: 100 });
  expect((await readAll()).sizes).toEqual([500, 500, 103]);
});
