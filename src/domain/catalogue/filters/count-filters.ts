import { type SQL, and, asc, eq, inArray, or, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { inWords } from '../../settings/translations.ts';
import { isFreeToAll, isPublished } from '../audios.ts';
import { type AudioFilter, voiceTypeLabels, voiceTypes } from '../forms.ts';
import { audioCategories, audios, audioTags, facets, tags, voices } from '../tables.ts';
import { isNotHidden, isTagNotHidden } from '../visibility.ts';
import { type Condition, readFilter } from './read-filter.ts';
import { audioLengths, lengthClasses } from './rules.ts';
import type { FilterChoices, FilterPlace } from './shapes.ts';

/** Tags of no facet that are offered. */
const mostLooseTags = 12;
/** Parts of a filter that finds nothing. */
const mostWider = 2;

/**
 * The choices that a list offers, with what each would find under all other conditions. Within a facet, and among
 * lengths, languages and kinds of voices, any of the chosen ones is enough, so these do not limit one another.
 */
export async function countFilters(
  db: Db,
  viewer: Viewer,
  place: FilterPlace,
  filter: AudioFilter = {},
): Promise<FilterChoices> {
  const conditions = await readFilter(db, filter);
  const all = conditions ?? [{ of: filter, isMet: sql`false` }];
  const counted = await Promise.all(
    [undefined, ...all].map((left) =>
      countKeys(
        db,
        viewer,
        place,
        all.filter((one) => one !== left),
      ),
    ),
  );
  /** What there is of an option that the given condition does not limit. */
  const countOf = (key: string, within?: (condition: Condition) => unknown) => {
    const at = within === undefined ? -1 : all.findIndex(within);
    return counted[at + 1]?.get(key) ?? 0;
  };
  const total = countOf('all');
  const inPlace = all.length === 0 ? total : (await countKeys(db, viewer, place, [])).get('all');
  const byLength = (key: string) => countOf(key, ({ of }) => of.length);
  const languages = new Set([
    ...(filter.language ?? []),
    ...counted.flatMap((keys) =>
      [...keys.keys()].filter((key) => key.startsWith('language ')).map((key) => key.slice(9)),
    ),
  ]);
  return {
    total,
    of: inPlace,
    facets: await listFacets(db, viewer, place, filter, (id, facetId) =>
      countOf(`tag ${id}`, facetId === null ? undefined : (one) => one.facetId === facetId),
    ),
    lengths: audioLengths.map((value) => ({ value, audios: byLength(`length ${value}`) })),
    languages: [...languages]
      .map((value) => ({ value, audios: countOf(`language ${value}`, ({ of }) => of.language) }))
      .toSorted((a, b) => b.audios - a.audios || (a.value < b.value ? -1 : 1)),
    voiceTypes: voiceTypes.map((value) => ({
      value,
      audios: countOf(`voiceType ${voiceTypeLabels[value]}`, ({ of }) => of.voiceType),
    })),
    free: countOf('free', ({ of }) => of.free),
    withoutSyntheticVoice: countOf('syntheticVoice none', ({ of }) => of.syntheticVoice),
    wider:
      total > 0
        ? []
        : all
            .map(({ of }, at) => ({ without: of, audios: counted[at + 1]?.get('all') ?? 0 }))
            .filter((one) => one.audios > 0)
            .toSorted((a, b) => b.audios - a.audios)
            .slice(0, mostWider),
  };
}

type TagCounter = (id: string, facetId: string | null) => number;

/** The facets in their order, and the most used tags of no facet, with those that are chosen. */
async function listFacets(
  db: Db,
  viewer: Viewer,
  place: FilterPlace,
  { tag: chosen = [], not = [] }: AudioFilter,
  countOf: TagCounter,
): Promise<FilterChoices['facets']> {
  const uses = await countKeys(db, viewer, place, []);
  const [groups, found] = await Promise.all([
    db.select().from(facets).orderBy(asc(facets.position), asc(facets.label)),
    db
      .select({ id: tags.id, slug: tags.slug, label: tags.label, facetId: tags.facetId })
      .from(tags)
      .where(
        and(
          isTagNotHidden(viewer, tags.id),
          or(
            sql`${tags.facetId} is not null`,
            inArray(tags.slug, [...chosen, ...not]),
            sql`${tags.id} = any(${sql.param([...uses.keys()].flatMap((key) => (key.startsWith('tag ') ? [key.slice(4)] : [])))}::uuid[])`,
          ),
        ),
      )
      .orderBy(asc(tags.position), asc(tags.label)),
  ]);
  const shown = (ones: typeof found) =>
    ones.map(({ facetId, ...tag }) => {
      const { id, slug, label } = inWords(db, 'tag', tag, 'label');
      return { slug, label, audios: countOf(id, facetId) };
    });
  const useOf = ({ id }: { id: string }) => uses.get(`tag ${id}`) ?? 0;
  const loose = found.filter(({ facetId }) => facetId === null).toSorted((a, b) => useOf(b) - useOf(a));
  const isChosen = ({ slug }: { slug: string }) => chosen.includes(slug) || not.includes(slug);
  const offered = loose.filter((tag, at) => at < mostLooseTags || isChosen(tag));
  return [
    ...groups.map((group) => {
      const { id, slug, label, explanation, chooses } = inWords(db, 'facet', group, 'label', 'explanation');
      return { slug, label, explanation, chooses, tags: shown(found.filter(({ facetId }) => facetId === id)) };
    }),
    ...(offered.length === 0 ? [] : [{ chooses: 'many' as const, tags: shown(offered) }]),
  ];
}

/** How many audios meet the conditions (`all`), and how many of these have each tag, length, language and so on. */
async function countKeys(
  db: Db,
  viewer: Viewer,
  { categoryId, voiceId }: FilterPlace,
  conditions: Condition[],
): Promise<Map<string, number>> {
  const found = db
    .select({
      id: audios.id,
      length: sql`${lengthOf()}`.as('length'),
      language: sql`split_part(${audios.language}, '-', 1)`.as('language'),
      voiceType: sql`${voices.voiceTypeLabel}`.as('voice_type'),
      isFree: sql`${isFreeToAll}`.as('is_free'),
      syntheticVoice: audios.syntheticVoice,
    })
    .from(audios)
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .where(
      and(
        isPublished,
        isNotHidden(viewer, audios.id),
        voiceId === undefined ? undefined : eq(audios.voiceId, voiceId),
        categoryId === undefined
          ? undefined
          : inArray(
              audios.id,
              db
                .select({ id: audioCategories.audioId })
                .from(audioCategories)
                .where(eq(audioCategories.categoryId, categoryId)),
            ),
        ...conditions.map(({ isMet }) => isMet),
      ),
    );
  const { rows } = await db.execute<{ key: string; audios: number }>(sql`
    with found as materialized (${found.getSQL()})
    select key, count(*)::int as audios from (
      select unnest(array['all', 'length ' || length, 'language ' || language, 'voiceType ' || voice_type,
        'syntheticVoice ' || synthetic_voice, case when is_free then 'free' end]) as key from found
      union all
      select 'tag ' || tag_id from found join ${audioTags} tagged on tagged.audio_id = found.id) keys
    where key is not null group by key`);
  return new Map(rows.map(({ key, audios: number }) => [key, number]));
}

function lengthOf(): SQL {
  const cases = audioLengths.map((name) => {
    const [, to] = lengthClasses[name];
    return to === undefined
      ? sql`else ${name}::text`
      : sql`when ${audios.durationMs} < ${to * 60_000} then ${name}::text`;
  });
  return sql`case ${sql.join(cases, sql` `)} end`;
}
