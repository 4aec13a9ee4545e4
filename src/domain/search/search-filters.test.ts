import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { inLanguage } from '#i18n';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser, createVoice } from '#test/support/factories.ts';
import type { AudioFilter } from '../catalogue/forms.ts';
import { facets, tags } from '../catalogue/tables.ts';
import { newId } from '../kernel/ids.ts';
import { visitor } from '../kernel/viewer.ts';
import { setTagHidden } from '../library/hidden-tags.ts';
import { translations } from '../settings/tables.ts';
import { countSearchFilters } from './count-filters.ts';
import { openDatabaseIndex } from './database-index.ts';
import { findResults } from './results.ts';
import { search } from './search.ts';

const { db } = await createTestDatabase();
/** Each query is far later than the one before, so that the index always reads changes. */
let clock = Date.now();
const parts = { db, index: openDatabaseIndex({ db, now: () => (clock += 1000) }) };

const man = await createVoice(db, { name: 'Anselm', voiceTypeLabel: 'Male voice' });
const woman = await createVoice(db, { name: 'Maren' });
const minutes = (count: number) => count * 60_000;
await createAudio(db, { title: 'Velvet rain', voiceId: man.id, tagLabels: ['Tender', 'F4M'], durationMs: minutes(5) });
await createAudio(db, {
  title: 'Velvet night',
  voiceId: woman.id,
  tagLabels: ['Stern', 'F4M', 'Death'],
  durationMs: minutes(12),
  language: 'de-CH',
  isFree: true,
});
await createAudio(db, {
  title: 'Velvet sea',
  voiceId: woman.id,
  tagLabels: ['Tender', 'M4F'],
  durationMs: minutes(45),
  syntheticVoice: 'partly',
  description: 'A death at sea.',
});
await createAudio(db, { title: 'Velvet', voiceId: woman.id, tagLabels: ['Slow burn'], cues: [] });
const moodId = newId();
await db.insert(facets).values({ id: moodId, slug: 'mood', label: 'Mood', chooses: 'many' });
for (const slug of ['tender', 'stern']) await db.update(tags).set({ facetId: moodId }).where(eq(tags.slug, slug));

async function find(term: string, filter: AudioFilter = {}, viewer: Parameters<typeof search>[1] = visitor) {
  const { audios } = await search(parts, viewer, { term, filter, page: 0, limit: 24 });
  return audios.hits.map(({ title }) => title.replace('Velvet ', '')).toSorted();
}

test.each<[name: string, filter: AudioFilter, titles: string[]]>([
  ['nothing', {}, ['Velvet', 'night', 'rain', 'sea']],
  ['a tag', { tag: ['f4m'] }, ['night', 'rain']],
  ['any tag of a facet', { tag: ['stern', 'tender'] }, ['night', 'rain', 'sea']],
  ['a tag of a facet, and another', { tag: ['f4m', 'stern', 'tender'] }, ['night', 'rain']],
  ['an unknown tag', { tag: ['unknown'] }, []],
  ['an unknown tag beside another', { tag: ['tender', 'unknown'] }, []],
  ['without tags', { not: ['death', 'slow-burn', 'unknown'] }, ['rain', 'sea']],
  ['lengths', { length: ['longer', 'medium'] }, ['night', 'sea']],
  ['a language', { language: ['de', 'fr'] }, ['night']],
  ['a language that nobody speaks', { language: ['ja'] }, []],
  ['a kind of voice', { voiceType: ['male'] }, ['rain']],
  ['no synthetic voice', { syntheticVoice: 'none', length: ['longer'] }, []],
  ['free', { free: 'true' }, ['night']],
  ['several', { tag: ['f4m'], length: ['short'], voiceType: ['male'], syntheticVoice: 'none' }, ['rain']],
])('a search filters its audios by %s', async (_name, filter, titles) => {
  expect(await find('velvet', filter)).toEqual(titles);
});

test('other groups are found beside a filter', async () => {
  const found = await search(parts, visitor, { term: 'maren', filter: { voiceType: ['male'] }, page: 0, limit: 24 });
  expect([found.voices.total, found.audios.total]).toEqual([1, 0]);
});

test('tags are words, also together and with others', async () => {
  expect(await find('tender f4m')).toEqual(['rain']);
  expect(await find('velvet stern')).toEqual(['night']);
});

test('a tag that follows “without” or a minus excludes audios with it, or with its word', async () => {
  const others = ['Velvet', 'rain'];
  for (const term of ['velvet without death', 'velvet -death', 'Without Death velvet'])
    expect([term, await find(term)]).toEqual([term, others]);
  expect(await inLanguage('de', () => find('velvet ohne death'))).toEqual(others);
  expect(await inLanguage('de', () => find('velvet without death'))).toEqual(others);
  expect(await find('velvet without slow burn')).toEqual(['night', 'rain', 'sea']);
  expect(await find('velvet without tender -stern')).toEqual(['Velvet']);
  const [death] = await db.select().from(tags).where(eq(tags.slug, 'death'));
  const ofTag = { kind: 'tag', subject: death?.id ?? '', field: 'label', source: 'Death' } as const;
  await db.insert(translations).values({ ...ofTag, language: 'de', text: 'Tod' });
  expect(await inLanguage('de', () => find('velvet ohne tod'))).toEqual(['Velvet', 'rain', 'sea']);
});

test('what is no tag, and a term that excludes only, stay as typed', async () => {
  await createAudio(db, { title: 'Days without velvet', voiceId: man.id });
  expect(await find('days without velvet')).toEqual(['Days without velvet']);
  expect(await find('without death')).not.toContain('rain');
  expect(await find('-death')).toContain('night');
});

test('titles with “without” or an excluded word are found, and a word of another language excludes nothing', async () => {
  await createAudio(db, { title: 'Sleep', tagLabels: ['Sleep'] });
  await createAudio(db, { title: 'A Night Without Sleep', voiceId: man.id });
  await createAudio(db, { title: 'Original sin sleep', voiceId: man.id, tagLabels: ['Sleep'] });
  expect(await find('a night without sleep')).toEqual(['A Night Without Sleep']);
  expect(await find('a night -sleep')).toEqual(['A Night Without Sleep']);
  expect(await find('original sin sleep')).toEqual(['Original sin sleep']);
  expect(await find('sin sleep')).toEqual(['Original sin sleep']);
});

test('the lines of a transcript are found under the same filter', async () => {
  const cues = [{ start: 0, end: 2, text: 'marmalade skies' }];
  await createAudio(db, { title: 'Breakfast', tagLabels: ['Tender'], cues });
  expect(await find('marmalade', { tag: ['tender'] })).toEqual(['Breakfast']);
  expect(await find('marmalade', { not: ['tender'] })).toEqual([]);
  expect(await find('marmalade -tender')).toEqual([]);
});

test('hidden tags hold beside a filter', async () => {
  const { id } = await createUser(db);
  await setTagHidden(db, id, 'death', true);
  const viewer = { kind: 'user', id, isSubscribed: false, isComplete: true } as const;
  expect(await find('velvet', { tag: ['f4m'] }, viewer)).toEqual(['rain']);
});

test('where no audio is found, the parts and words without which most are found are offered', async () => {
  const wider = async (term: string, filter: AudioFilter = {}) =>
    (await findResults(parts, visitor, { term, filter, page: 0, limit: 24 })).audios.wider;
  expect(await wider('velvet', { tag: ['f4m'], length: ['longer'], not: ['unknown'] })).toEqual([
    { without: { length: ['longer'] }, audios: 2 },
    { without: { tag: ['f4m'] }, audios: 1 },
  ]);
  expect(await wider('velvet rain', { voiceType: ['female'] })).toEqual([
    { without: { word: 'rain' }, audios: 3 },
    { without: { voiceType: ['female'] }, audios: 1 },
  ]);
  expect(await wider('velvet stern -death')).toEqual([{ without: { word: 'stern' }, audios: 3 }]);
  expect(await wider('velvet')).toBeUndefined();
  expect(await wider('zzz', { tag: ['f4m'] })).toBeUndefined();
  // Suggestions while typing have no room for it.
  const { audios } = await search(parts, visitor, {
    term: 'velvet',
    filter: { tag: ['unknown'] },
    page: 0,
    limit: 5,
    few: 5,
  });
  expect(audios.wider).toBeUndefined();
});

test.each<[term: string, filter: AudioFilter]>([
  ['velvet', {}],
  ['velvet', { tag: ['f4m'] }],
  ['velvet', { tag: ['tender'], not: ['death'] }],
  ['velvet -death', { voiceType: ['female'] }],
  ['velvte', {}],
  ['marmalade', {}],
  ['marmalade velvet', { length: ['short'] }],
])('the filters of “%s” under %j have the counts of what is found with them', async (term, filter) => {
  const choices = await countSearchFilters(parts, visitor, { term, filter });
  const count = async (wanted: AudioFilter) =>
    (await search(parts, visitor, { term, filter: wanted, page: 0, limit: 24 })).audios.total;
  expect([term, choices.total, choices.of]).toEqual([term, await count(filter), await count({})]);
  const ofMood = choices.facets.find(({ slug }) => slug === 'mood')?.tags.map(({ slug }) => slug) ?? [];
  for (const { slug, audios } of choices.facets.flatMap((facet) => facet.tags)) {
    // Tags of one facet do not limit one another.
    const others = (filter.tag ?? []).filter((one) => one !== slug && !(ofMood.includes(slug) && ofMood.includes(one)));
    expect([slug, audios]).toEqual([slug, await count({ ...filter, tag: [...others, slug] })]);
  }
  for (const { value, audios } of choices.lengths)
    expect([value, audios]).toEqual([value, await count({ ...filter, length: [value as 'short'] })]);
  expect(choices.free).toBe(await count({ ...filter, free: 'true' }));
});

test('where names are few, what is said counts among the filters too', async () => {
  const cues = [{ start: 0, end: 2, text: 'an amber evening' }];
  await createAudio(db, { title: 'Evening', tagLabels: ['Stern'], cues });
  for (let at = 0; at < 25; at += 1)
    await createAudio(db, { title: `Amber ${at}`, tagLabels: at < 2 ? ['Stern'] : ['Tender'], isFree: at === 5 });
  const { total, of, free, facets: all } = await countSearchFilters(parts, visitor, { term: 'amber', filter: {} });
  expect([total, of, free]).toEqual([25, 25, 1]);
  expect(all[0]?.tags.map(({ slug, audios }) => [slug, audios])).toEqual([
    ['stern', 3],
    ['tender', 23],
  ]);
  expect(await find('amber', { tag: ['stern'] })).toEqual(['Amber 0', 'Amber 1', 'Evening']);
});

test('what a viewer hides counts in no search, and a refused term has nothing to count', async () => {
  const { id } = await createUser(db);
  await setTagHidden(db, id, 'f4m', true);
  const viewer = { kind: 'user', id, isSubscribed: false, isComplete: true } as const;
  const ofVelvet = { term: 'velvet', filter: {} };
  const shown = await countSearchFilters(parts, viewer, ofVelvet);
  expect([shown.total, shown.facets.flatMap(({ tags: all }) => all).some(({ slug }) => slug === 'f4m')]).toEqual([
    3,
    false,
  ]);
  const refusing = { ...parts, isRefused: () => true };
  expect((await countSearchFilters(refusing, visitor, ofVelvet)).total).toBe(0);
});
