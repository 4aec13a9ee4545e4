import { type SQL, and, eq, gte, inArray, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { isFreeToAll } from '../audios.ts';
import { type AudioFilter, voiceTypeLabels } from '../forms.ts';
import { audioTags, audios, tags, voices } from '../tables.ts';
import { type AudioLength, lengthClasses } from './rules.ts';

/** What a filter asks for in one respect, such as any of some tags of a facet. */
export type Condition = {
  /** The part of the filter that it comes from. */
  of: AudioFilter;
  /** Facet of its tags. */
  facetId?: string | undefined;
  /** The tag that all found audios have. */
  tagId?: string;
  isMet: SQL;
};

/** @returns undefined for a tag that does not exist: nothing is found */
export async function readFilter(db: Db, filter: AudioFilter = {}): Promise<Condition[] | undefined> {
  const { tag = [], not = [], length, free, syntheticVoice, language, voiceType, shorterThan } = filter;
  const named =
    tag.length + not.length === 0
      ? []
      : await db
          .select({ id: tags.id, slug: tags.slug, facetId: tags.facetId })
          .from(tags)
          .where(inArray(tags.slug, [...tag, ...not]));
  const wanted = named.filter(({ slug }) => tag.includes(slug));
  if (wanted.length < tag.length) return undefined;
  const groups = Map.groupBy(wanted, ({ id, facetId }) => facetId ?? id);
  const has = (ids: string[]) =>
    sql`exists (select from ${audioTags} tagged where tagged.audio_id = ${audios.id} and tagged.tag_id = any(${sql.param(ids)}::uuid[]))`;
  const conditions: (Condition | undefined)[] = [
    ...Array.from(groups.values(), (group) => ({
      of: { tag: group.map(({ slug }) => slug) },
      facetId: group[0]?.facetId ?? undefined,
      ...(group.length === 1 && { tagId: group[0]?.id }),
      isMet: has(group.map(({ id }) => id)),
    })),
    ...named
      .filter(({ slug }) => not.includes(slug))
      .map(({ id, slug }) => ({ of: { not: [slug] }, isMet: sql`not ${has([id])}` })),
    length && { of: { length }, isMet: or(...length.map(isOfLength)) as SQL },
    free && { of: { free }, isMet: isFreeToAll },
    syntheticVoice && { of: { syntheticVoice }, isMet: eq(audios.syntheticVoice, syntheticVoice) },
    language && {
      of: { language },
      isMet: sql`split_part(${audios.language}, '-', 1) = any(${sql.param(language)}::text[])`,
    },
    voiceType && {
      of: { voiceType },
      isMet: sql`exists (select from ${voices} speaking where speaking.id = ${audios.voiceId}
        and speaking.voice_type_label = any(${sql.param(voiceType.map((one) => voiceTypeLabels[one]))}::text[]))`,
    },
    shorterThan === undefined ? undefined : { of: { shorterThan }, isMet: lt(audios.durationMs, shorterThan * 1000) },
  ];
  return conditions.filter((one) => one !== undefined);
}

function isOfLength(length: AudioLength): SQL | undefined {
  const [from, to] = lengthClasses[length];
  return and(gte(audios.durationMs, from * 60_000), to === undefined ? undefined : lt(audios.durationMs, to * 60_000));
}
