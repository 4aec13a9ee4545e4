import { type AnyColumn, type SQL, and, eq, inArray, lt, lte, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { AudioFilter } from '../forms.ts';
import { type AudioLength, audioLengths, lengthClasses } from './rules.ts';
import { audioFilterKeys, categories, tags } from '../tables.ts';
import { shownLanguages } from '../visibility.ts';
import { categoryKey, freeKey, languageKey, lengthKeys, syntheticVoiceKeys, tagKey, voiceTypeKeys } from './keys.ts';

/** One respect in which found audios are alike. */
export type Condition = {
  /** The part of the filter that it comes from; empty for the place of the list, and the viewer's languages. */
  of: AudioFilter;
  /** One of these keys. */
  anyOf?: number[];
  /** None of these keys. */
  noneOf?: number[];
  /** Milliseconds, exactly; beside keys that say so roughly. */
  shorterThan?: number;
  /** Milliseconds, of which the longest is not included. */
  ms?: { from: number; to: number };
  /** The facet of its tags. */
  facetId?: string | undefined;
  /** Ids of the tags of its keys. */
  tagIds?: string[];
  /** The list of the only tag, or of the category, that meets it. */
  listId?: string | undefined;
};

/** @returns undefined for a tag that does not exist: nothing is found */
export async function readFilter(db: Db, filter: AudioFilter = {}): Promise<Condition[] | undefined> {
  const { tag = [], not = [], length, free, syntheticVoice, language, voiceType, shorterThan } = filter;
  const named =
    tag.length + not.length === 0
      ? []
      : await db
          .select({ id: tags.id, slug: tags.slug, facetId: tags.facetId, number: tags.number })
          .from(tags)
          .where(inArray(tags.slug, [...tag, ...not]));
  const wanted = named.filter(({ slug }) => tag.includes(slug));
  if (wanted.length < tag.length) return undefined;
  const groups = Map.groupBy(wanted, ({ id, facetId }) => facetId ?? id);
  const conditions: (Condition | undefined)[] = [
    ...Array.from(groups.values(), (group) => ({
      of: { tag: group.map(({ slug }) => slug).toSorted() },
      anyOf: group.map(({ number }) => tagKey(number)),
      facetId: group[0]?.facetId ?? undefined,
      tagIds: group.map(({ id }) => id),
      listId: group.length === 1 ? group[0]?.id : undefined,
    })),
    ...named
      .filter(({ slug }) => not.includes(slug))
      .map(({ id, slug, number }) => ({ of: { not: [slug] }, noneOf: [tagKey(number)], tagIds: [id] })),
    length && { of: { length }, anyOf: length.map((one) => lengthKeys[one]), ms: rangeOf(length) },
    free && { of: { free }, anyOf: [freeKey] },
    syntheticVoice && { of: { syntheticVoice }, anyOf: [syntheticVoiceKeys[syntheticVoice]] },
    language && { of: { language }, anyOf: language.map(languageKey) },
    voiceType && { of: { voiceType }, anyOf: voiceType.map((one) => voiceTypeKeys[one]) },
    shorterThan === undefined ? undefined : isShorter(shorterThan),
  ];
  return conditions.filter((one) => one !== undefined);
}

const unknownTag = '00000000-0000-0000-0000-000000000000';
/** No audio has it. */
const unknownKey = -1;

/** The same, where a tag that does not exist is a condition that no audio meets. */
export async function readConditions(db: Db, filter: AudioFilter): Promise<Condition[]> {
  const { tag, ...others } = filter;
  const read = await readFilter(db, filter);
  if (read !== undefined) return read;
  return [{ of: { tag }, anyOf: [unknownKey], tagIds: [unknownTag] }, ...((await readFilter(db, others)) ?? [])];
}

const minute = 60_000;

function isShorter(seconds: number): Condition {
  const ms = seconds * 1000;
  const classes = audioLengths.filter((one) => lengthClasses[one][0] * minute < ms);
  // Most links ask for a whole class, which its key says.
  const isWhole = audioLengths.some((one) => lengthClasses[one][1] === seconds / 60);
  return {
    of: { shorterThan: seconds },
    anyOf: classes.map((one) => lengthKeys[one]),
    ms: { from: 0, to: ms },
    ...(!isWhole && { shorterThan: ms }),
  };
}

function rangeOf(lengths: AudioLength[]): { from: number; to: number } {
  const ranges = lengths.map((one) => lengthClasses[one]);
  const to = Math.max(...ranges.map(([, end]) => end ?? Infinity));
  return { from: Math.min(...ranges.map(([start]) => start)) * minute, to: to * minute };
}

/** That audios are in this category, and in the viewer's languages. */
export async function readPlace(db: Db, viewer: Viewer, categoryId: string | undefined): Promise<Condition[]> {
  const languages = shownLanguages(viewer);
  const found =
    categoryId === undefined
      ? []
      : await db.select({ number: categories.number }).from(categories).where(eq(categories.id, categoryId));
  return [
    ...found.map(({ number }) => ({ of: {}, anyOf: [categoryKey(number)], listId: categoryId })),
    ...(languages === undefined ? [] : [{ of: {}, anyOf: languages.map(languageKey) }]),
  ];
}

const keys = (ones: number[]) => sql`${sql.param(ones)}::integer[]`;

/** SQL condition on a row of `audio_filter_keys`. */
export function isMet(conditions: Condition[]): SQL | undefined {
  const all = conditions.flatMap(({ anyOf }) => (anyOf?.length === 1 ? anyOf : []));
  const none = conditions.flatMap(({ noneOf = [] }) => noneOf);
  const { keys: column, durationMs } = audioFilterKeys;
  return and(
    all.length === 0 ? undefined : sql`${column} @> ${keys(all)}`,
    ...conditions.map(({ anyOf = [] }) => (anyOf.length < 2 ? undefined : sql`${column} && ${keys(anyOf)}`)),
    none.length === 0 ? undefined : sql`not ${column} && ${keys(none)}`,
    ...conditions.map(({ shorterThan }) => (shorterThan === undefined ? undefined : lt(durationMs, shorterThan))),
  );
}

/** The same, of an audio that is published. */
export function isFound(conditions: Condition[]): SQL | undefined {
  return and(lte(audioFilterKeys.publishedAt, sql`now()`), isMet(conditions));
}

/** SQL condition: the audio of that row meets the conditions. Undefined without any. */
export function meets(audioId: AnyColumn | SQL, conditions: Condition[]): SQL | undefined {
  if (conditions.length === 0) return undefined;
  return sql`exists (select from ${audioFilterKeys} where ${audioFilterKeys.audioId} = ${audioId} and ${isMet(conditions)})`;
}
