import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { seededRandom } from '#demo/random.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import {
  type FilteredAudio,
  createFilterCatalogue,
  facetTags,
  looseTags,
  meetsSlowly,
  sortSlowly,
} from '#test/support/filter-catalogue.ts';
import { type User, type Viewer, visitor } from '../../kernel/viewer.ts';
import { type AudioListQuery, listAudioIds, sumAudios } from '../audio-lists.ts';
import { type AudioFilter, audioSorts } from '../forms.ts';
import { syntheticVoices, voiceTypes } from '../rules.ts';
import { audioListPlays, hiddenTags } from '../tables.ts';
import { addUpTotals } from '../totals.ts';
import { countFilters } from './count-filters.ts';
import { audioLengths } from './rules.ts';

const { db } = await createTestDatabase();
const { made, categoryIds, voiceIds, tagIds } = await createFilterCatalogue(db, 300);

const { id: userId } = await createUser(db);
await db.insert(hiddenTags).values({ userId, tagId: tagIds.get('death') ?? '' });
const hiding: User = { kind: 'user', id: userId, isSubscribed: false, isComplete: true };
const german: Viewer = { ...visitor, listensTo: ['de'] };

type Place = { categoryId?: string; voiceId?: string };

function seenBy(viewer: Viewer, place: Place): FilteredAudio[] {
  return made.filter(
    ({ tags, language, categoryId, voiceId }) =>
      !(viewer === hiding && tags.includes('death')) &&
      !(viewer === german && language !== 'de' && language !== 'zxx') &&
      (place.categoryId ?? categoryId) === categoryId &&
      (place.voiceId ?? voiceId) === voiceId,
  );
}

const random = seededRandom(7);
const draw = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
/** Up to this many, sorted and each once, as forms give them. */
const some = <Item>(items: readonly Item[], most: number) => [
  ...new Set(Array.from({ length: 1 + Math.floor(random() * most) }, () => draw(items))),
];
const allTags = [...Object.values(facetTags).flat(), ...looseTags];

/** One part more often than several. */
function drawFilter(): AudioFilter {
  const parts: (() => AudioFilter)[] = [
    () => ({ tag: some(allTags, 4) }),
    () => ({ tag: some(facetTags.mood, 3) }),
    () => ({ tag: [draw(looseTags)] }),
    () => ({ not: some(allTags, 3) }),
    () => ({ length: some(audioLengths, 2) }),
    () => ({ free: 'true' }),
    () => ({ syntheticVoice: draw(syntheticVoices) }),
    () => ({ language: some(['en', 'de', 'fr', 'pt', 'zxx', 'ja'], 2) }),
    () => ({ voiceType: some(voiceTypes, 2) }),
    () => ({ shorterThan: draw([600, 1200, 1201]) }),
  ];
  return Object.assign({}, ...Array.from({ length: 1 + Math.floor(random() * 3) }, () => draw(parts)()));
}

const drawn = Array.from({ length: 100 }, drawFilter);
const viewers: Record<string, Viewer> = { visitor, hiding, german };
const places: Place[] = [{}, { categoryId: categoryIds[0] ?? '' }, { voiceId: voiceIds[0] ?? '' }];

async function readAll(viewer: Viewer, query: Omit<AudioListQuery, 'limit'>, walked: number): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAudioIds(db, viewer, { ...query, cursor, limit: 17 }, { walked });
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

test.each(['small', 'large'])(
  'each list is what a slow filter finds, on all pages of a %s catalogue',
  async (size) => {
    await addUpTotals(db, { largeFrom: size === 'large' ? 10 : 1000 });
    let found = 0;
    for (const [at, filter] of drawn.entries()) {
      const [name, viewer] = Object.entries(viewers)[at % 3] as [string, Viewer];
      const place = places[(at >> 1) % places.length] ?? {};
      const right = seenBy(viewer, place).filter((audio) => meetsSlowly(audio, filter));
      found += right.length;
      for (const sort of at < 12 ? audioSorts : [draw(audioSorts)])
        // Along the order alone, by the index of keys alone, and by one after the other.
        for (const walked of [1000, 0, 12])
          expect(
            await readAll(viewer, { ...place, filter, sort }, walked),
            `${name} ${sort} ${walked} ${JSON.stringify({ ...place, filter })}`,
          ).toEqual(sortSlowly(right, sort).map(({ id }) => id));
    }
    expect(found).toBeGreaterThan(1000);
  },
  120_000,
);

test('pages by plays go by the plays of one list, which come later than the others', async () => {
  await db.update(audioListPlays).set({ plays: sql`hashtext(audio_id::text) + 2147483648` });
  const query: Omit<AudioListQuery, 'limit'> = { filter: { tag: ['rain'], not: ['death'] }, sort: 'popular' };
  const byWalk = await readAll(visitor, query, 1000);
  expect(byWalk.length).toBeGreaterThan(17);
  expect(await readAll(visitor, query, 0)).toEqual(byWalk);
  await db.update(audioListPlays).set({
    plays: sql`(select plays from audio_counts c where c.audio_id = audio_list_plays.audio_id)`,
  });
});

test('sums are those of what the filter finds', async () => {
  await addUpTotals(db, { largeFrom: 1000 });
  for (const filter of drawn.slice(0, 40)) {
    const right = made.filter((audio) => meetsSlowly(audio, filter));
    expect(await sumAudios(db, visitor, { filter })).toMatchObject({
      total: right.length,
      plays: right.reduce((sum, { plays }) => sum + plays, 0),
    });
  }
});

test('an option counts what it would find under all other filters', { timeout: 60_000 }, async () => {
  await addUpTotals(db, { largeFrom: 1000 });
  for (const [at, filter] of drawn.entries()) {
    const viewer = [visitor, hiding, german][at % 3] ?? visitor;
    const place = places[(at >> 1) % places.length] ?? {};
    const seen = seenBy(viewer, place);
    const count = (changed: AudioFilter) => seen.filter((audio) => meetsSlowly(audio, changed)).length;
    const counted = await countFilters(db, viewer, place, filter);
    const name = JSON.stringify({ ...place, filter, at });
    expect(counted, name).toMatchObject({ total: count(filter), of: seen.length });
    for (const { slug, tags } of counted.facets)
      for (const tag of tags) {
        const own: string[] = slug === undefined ? [] : facetTags[slug as keyof typeof facetTags];
        const others = filter.tag?.filter((one) => !own.includes(one)) ?? [];
        expect(tag.audios, `${tag.slug} ${name}`).toBe(count({ ...filter, tag: [...others, tag.slug] }));
      }
    expect(counted.lengths).toEqual(
      audioLengths.map((value) => ({ value, audios: count({ ...filter, length: [value] }) })),
    );
    expect(counted.voiceTypes).toEqual(
      voiceTypes.map((value) => ({ value, audios: count({ ...filter, voiceType: [value] }) })),
    );
    for (const { value, audios } of counted.languages) expect(audios).toBe(count({ ...filter, language: [value] }));
    expect(counted.free).toBe(count({ ...filter, free: 'true' }));
    expect(counted.withoutSyntheticVoice).toBe(count({ ...filter, syntheticVoice: 'none' }));
  }
});

test('facets come in the order of the house, and the most used tags of none after them', async () => {
  const used = (tag: string) => made.filter(({ tags }) => tags.includes(tag)).length;
  const { facets, languages } = await countFilters(db, visitor, {});
  expect(facets.map(({ slug, tags }) => [slug, tags.map((tag) => tag.slug)])).toEqual([
    ['who', facetTags.who],
    ['mood', facetTags.mood],
    [undefined, looseTags.toSorted((one, other) => used(other) - used(one))],
  ]);
  const spoken = (language: string) => made.filter((audio) => audio.language === language).length;
  const byUse = ['de', 'en', 'fr', 'pt'].toSorted((one, other) => spoken(other) - spoken(one));
  expect(languages.map(({ value }) => value)).toEqual(byUse);
  const { facets: without } = await countFilters(db, hiding, {});
  expect(without.at(-1)?.tags.map(({ slug }) => slug)).not.toContain('death');
});

test('where nothing is found, the parts without which most would be found are offered', async () => {
  const filter: AudioFilter = { tag: ['rain', 'f4m'], not: ['rain'], shorterThan: 86_400 };
  const { total, wider } = await countFilters(db, visitor, {}, filter);
  const count = (changed: AudioFilter) => made.filter((audio) => meetsSlowly(audio, changed)).length;
  expect(total).toBe(0);
  const offers = [
    { without: { not: ['rain'] }, audios: count({ tag: ['rain', 'f4m'] }) },
    { without: { tag: ['rain'] }, audios: count({ tag: ['f4m'], not: ['rain'] }) },
  ];
  expect(wider).toEqual(offers.toSorted((a, b) => b.audios - a.audios));
  expect((await countFilters(db, visitor, {}, { tag: ['unknown'] })).wider).toEqual([
    { without: { tag: ['unknown'] }, audios: made.length },
  ]);
});

test('too many audios are not counted', async () => {
  const counted = await countFilters(db, visitor, {}, { length: ['short'] }, { most: 20 });
  expect(counted.total).toBeUndefined();
  expect(counted.free).toBeUndefined();
  expect(counted.lengths.every(({ audios }) => audios === undefined)).toBe(true);
  await addUpTotals(db, { largeFrom: 10 });
  const large = await countFilters(db, visitor, {}, {}, { most: 20 });
  expect(large).toMatchObject({ total: made.length, of: made.length });
  expect(large.languages.map(({ value }) => value).toSorted()).toEqual(['de', 'en', 'fr', 'pt']);
  expect(
    large.facets
      .at(-1)
      ?.tags.map(({ slug }) => slug)
      .toSorted(),
  ).toEqual(looseTags.toSorted());
  await addUpTotals(db, { largeFrom: 1000 });
});
