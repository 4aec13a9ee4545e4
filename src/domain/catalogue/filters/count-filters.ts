import { type SQL, sql } from 'drizzle-orm';
import { noWords } from '#formats/content-languages.ts';
import type { Db } from '../../kernel/db.ts';
import { type Viewer, visitor } from '../../kernel/viewer.ts';
import { type AudioFilter } from '../forms.ts';
import { voiceTypes } from '../rules.ts';
import { sumIn } from '../language-lists.ts';
import { type Totals, findTotals } from '../totals.ts';
import { shownLanguages } from '../visibility.ts';
import { type KeyCounts, type ListedIds, countKeys, everyKey } from './count-keys.ts';
import { freeKey, languageKey, languageOf, lengthKeys, syntheticVoiceKeys, tagKey, voiceTypeKeys } from './keys.ts';
import { type OfferedFacet, type OfferedTag, listOfferedFacets, listLooseTags } from './offered-tags.ts';
import { type Condition, readConditions, readPlace } from './read-filter.ts';
import { audioLengths } from './rules.ts';
import type { FilterChoices, FilterPlace } from './shapes.ts';

/** Parts of a filter that finds nothing. */
const mostWider = 2;

/** A list of another area, which has left out what the viewer hides there. */
export type FoundList = ListedIds & { /** Its options have no counts. */ isTooLong?: boolean };

/**
 * The choices that a list offers, with what each would find under all other conditions. Within a facet, and among
 * lengths, languages and kinds of voices, any of the chosen ones is enough, so these do not limit one another.
 * @param options.most for tests; see `countKeys`
 */
export async function countFilters(
  db: Db,
  reader: Viewer,
  place: FilterPlace & { found?: FoundList },
  filter: AudioFilter = {},
  options: { most?: number } = {},
): Promise<FilterChoices> {
  const { categoryId, found: given } = place;
  const viewer = given === undefined ? reader : visitor;
  const list = given ?? listOf(place);
  const [conditions, within, facets, totals, ofVoice] = await Promise.all([
    readConditions(db, filter),
    readPlace(db, viewer, categoryId),
    listOfferedFacets(db, reader),
    list === undefined ? findTotals(db, { categoryId }) : undefined,
    place.voiceId === undefined ? undefined : findTotals(db, { voiceId: place.voiceId }),
  ]);
  const count = (sets: { left?: Condition; keys?: SQL; isWhole?: boolean }[]) =>
    countKeys(
      db,
      viewer,
      list,
      sets.map(({ left, keys, isWhole }) => ({
        conditions: [...within, ...(isWhole ? [] : conditions.filter((one) => one !== left))],
        keys,
      })),
      { most: options.most, known: given?.isTooLong ? Infinity : ofVoice?.audios },
    );
  const limiting = conditions.filter(isChoice);
  const isWholeCounted = conditions.length > 0 && totals === undefined;
  const [found, ...others] = await count([
    {},
    ...limiting.map((left) => ({ left, keys: keysFor(left, facets) })),
    ...(isWholeCounted ? [{ isWhole: true }] : []),
  ]);
  const whole = isWholeCounted ? others.pop() : found;

  /** Counts without the condition that limits the option, if there is one. */
  const countsFor = (isOfOption: (condition: Condition) => unknown) => {
    const at = limiting.findIndex(isOfOption);
    return at === -1 ? found : others[at];
  };
  const option = <Value extends string>(value: Value, key: number, counts: KeyCounts) => ({
    value,
    audios: counts && (counts.get(key) ?? 0),
  });
  const tagsOf = (offered: OfferedTag[], counts: KeyCounts) =>
    offered.map(({ slug, label, number }) => ({ slug, label, audios: counts && (counts.get(tagKey(number)) ?? 0) }));
  const loose = await listLooseTags(db, reader, { totals, counts: whole, facets, filter });
  const byLanguage = countsFor(({ of }) => of.language);
  const known = totals ?? (whole === undefined ? ofVoice : undefined);
  const ofPlace = known === undefined ? whole && (whole.get(everyKey) ?? 0) : audiosIn(known, viewer);
  const total = found && (found.get(everyKey) ?? 0);
  return {
    total: total ?? (conditions.length === 0 ? ofPlace : undefined),
    of: ofPlace,
    facets: [
      ...facets.map(({ id, tags, ...facet }) => ({
        ...facet,
        tags: tagsOf(
          tags,
          countsFor(({ facetId }) => facetId === id),
        ),
      })),
      ...(loose.length === 0 ? [] : [{ chooses: 'many' as const, tags: tagsOf(loose, found) }]),
    ],
    lengths: audioLengths.map((one) =>
      option(
        one,
        lengthKeys[one],
        countsFor(({ of }) => of.length),
      ),
    ),
    languages: languagesIn(byLanguage, totals, filter)
      .map((one) => option(one, languageKey(one), byLanguage))
      .toSorted((a, b) => (b.audios ?? 0) - (a.audios ?? 0)),
    voiceTypes: voiceTypes.map((one) =>
      option(
        one,
        voiceTypeKeys[one],
        countsFor(({ of }) => of.voiceType),
      ),
    ),
    free: option(
      '',
      freeKey,
      countsFor(({ of }) => of.free),
    ).audios,
    withoutSyntheticVoice: option(
      '',
      syntheticVoiceKeys.none,
      countsFor(({ of }) => of.syntheticVoice),
    ).audios,
    wider: total === 0 ? await widen() : [],
  };

  async function widen(): Promise<FilterChoices['wider']> {
    const rest = conditions.filter((one) => !limiting.includes(one));
    const counts = [...others, ...(await count(rest.map((left) => ({ left, keys: sql`false` }))))];
    return [...limiting, ...rest]
      .map(({ of }, at) => ({ without: of, audios: counts[at] && (counts[at].get(everyKey) ?? 0) }))
      .filter(({ audios }) => audios !== 0)
      .toSorted((a, b) => (b.audios ?? Infinity) - (a.audios ?? Infinity))
      .slice(0, mostWider);
  }
}

/** A list that is short beside the catalogue. */
function listOf({ voiceId, seriesId, playlistId, userPlaylistId }: FilterPlace): ListedIds | undefined {
  if (voiceId !== undefined) return { ids: sql`select id from audios where voice_id = ${voiceId}` };
  if (seriesId !== undefined) return { ids: sql`select audio_id from series_items where series_id = ${seriesId}` };
  if (playlistId !== undefined)
    return { ids: sql`select audio_id from playlist_items where playlist_id = ${playlistId}` };
  if (userPlaylistId !== undefined)
    return { ids: sql`select audio_id from user_playlist_items where user_playlist_id = ${userPlaylistId}` };
  return undefined;
}

/** Its options are counted without it. */
function isChoice({ of, facetId }: Condition): boolean {
  return Boolean(facetId ?? of.length ?? of.free ?? of.syntheticVoice ?? of.language ?? of.voiceType);
}

/** The keys of a condition's options, and perhaps others. */
function keysFor({ facetId }: Condition, facets: OfferedFacet[]): SQL {
  if (facetId === undefined) return sql`key % 4 = 2`;
  const tags = facets.find(({ id }) => id === facetId)?.tags ?? [];
  return sql`key = any(${sql.param(tags.map(({ number }) => tagKey(number)))}::integer[])`;
}

function audiosIn(totals: Totals, viewer: Viewer): number {
  const languages = shownLanguages(viewer);
  return languages === undefined ? totals.audios : sumIn(totals, languages).audios;
}

/** Those of the counted audios, or of all in the place, and the chosen ones. */
function languagesIn(counts: KeyCounts, totals: Totals | undefined, { language = [] }: AudioFilter): string[] {
  const there =
    counts === undefined
      ? Object.keys(totals?.languages ?? {}).filter((one) => one !== noWords)
      : [...counts.keys()].flatMap((key) => languageOf(key) ?? []);
  return [...new Set([...language, ...there])].toSorted();
}
