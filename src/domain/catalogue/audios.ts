import { type AnyColumn, type Placeholder, type SQL, and, eq, inArray, lte, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, pick } from '../kernel/db.ts';
import { isId, isSlug } from '../kernel/ids.ts';
import { prepareOnce } from '../kernel/prepared.ts';
import type { SharedReads } from '../kernel/shared-reads.ts';
import { Color, Id, ImageUrl, Language, Seconds, Slug } from '../kernel/shapes.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { inWords } from '../settings/translations.ts';
import { Credit, creditsSql } from './credits/credits.ts';
import { type AudioText, eachAudioText, syntheticVoices } from './rules.ts';
import { audioCounts, audios, formerSlugs, voices } from './tables.ts';
import { isNotHidden } from './visibility.ts';

/** An audio as every list and page shows it; the same for every viewer. */
export const Audio = z.object({
  id: Id,
  slug: Slug,
  title: z.string(),
  description: z.string(),
  imageUrl: ImageUrl,
  audioFileUrl: z.string().describe('Answers range requests; 401 or 402 without the right to hear it'),
  numberDuration: Seconds,
  plays: z.number(),
  color: Color,
  ...eachAudioText(() => z.string().nullable()),
  commentsDisabled: z.boolean(),
  isFree: z.boolean().describe('Anyone may hear it'),
  language: Language,
  syntheticVoice: z.enum(syntheticVoices).describe('How much was spoken by a machine'),
  voice: z.object({
    id: Id,
    name: z.string(),
    slug: Slug,
    imageUrl: ImageUrl,
    linkedSeries: z.object({ slug: Slug }).nullable(),
  }),
  voiceTypeLabel: z.string(),
  categories: z.array(z.object({ id: Id, slug: Slug, label: z.string() })),
  categoriesResource: z.array(z.object({ name: z.string() })),
  publishedAt: z.iso.datetime(),
  totalComments: z.number(),
  totalFavorite: z.number(),
  tags: z.array(z.object({ slug: Slug, label: z.string() })),
  contentNotes: z
    .array(z.object({ slug: Slug, label: z.string() }))
    .describe('Those of `tags` that a listener should know before Play'),
  credits: z.array(Credit).describe('People and creators who had a part in it, in its order'),
  hasTranscript: z.boolean(),
});
export type Audio = z.infer<typeof Audio>;

/** An audio for cards and the player. */
export type AudioItem = Omit<
  Audio,
  | 'categoriesResource'
  | 'contentNotes'
  | 'commentsDisabled'
  | 'credits'
  | 'description'
  | 'hasTranscript'
  | 'publishedAt'
  | 'syntheticVoice'
  | 'tags'
  | 'totalComments'
  | 'totalFavorite'
  | 'voiceTypeLabel'
  | Exclude<AudioText, 'badge'>
>;

/** An audio for rows. */
export type AudioRowItem = AudioItem & Pick<Audio, 'description' | 'contentNotes'>;

export function imageUrl(key: string | null): string | null {
  return key === null ? null : `/${key}`;
}

/** The same in a query. */
export function imageUrlSql(key: AnyColumn): SQL<string | null> {
  return sql<string | null>`'/' || ${key}`;
}

/** SQL query. */
export const previewId = sql<string>`select (value ->> 'audioId')::uuid from site_settings where key = 'preview'`;

const isPreview = sql<boolean>`${audios.id} = (${previewId})`;

/** SQL for `Audio.isFree`. */
export const isFreeToAll = sql<boolean>`(${audios.isFree} or coalesce(${isPreview}, false))`;

/** SQL query: the facet whose tags are content notes. */
export const notesFacet = sql`select id from facets where has_content_notes`;

const audioColumns = {
  ...pick(audios, 'id', 'slug', 'title', 'description', 'color', 'language', 'syntheticVoice'),
  ...pick(audios, 'commentsDisabled', 'publishedAt'),
  imageUrl: imageUrlSql(audios.imageKey),
  numberDuration: sql<number>`round(${audios.durationMs} / 1000.0, 2)::float8`,
  plays: audioCounts.plays,
  ...eachAudioText((name) => audios[name]),
  isFree: isFreeToAll,
  totalComments: audioCounts.comments,
  totalFavorite: audioCounts.favorites,
  voice: {
    ...pick(voices, 'id', 'name', 'slug'),
    imageUrl: imageUrlSql(voices.imageKey),
    linkedSeries: sql<Audio['voice']['linkedSeries']>`(select json_build_object('slug', s.slug) from series s
      where s.id = ${voices.linkedSeriesId} and s.hidden_at is null)`,
  },
  voiceTypeLabel: voices.voiceTypeLabel,
  categories: sql<Audio['categories']>`(
    select coalesce(json_agg(json_build_object('id', c.id, 'slug', c.slug, 'label', c.label) order by ac.position, c.label), '[]'::json)
    from audio_categories ac join categories c on c.id = ac.category_id and c.hidden_at is null where ac.audio_id = ${audios.id})`,
  tags: sql<(Audio['tags'][number] & { id: string; note: number | null })[]>`(
    select coalesce(json_agg(json_build_object('id', t.id, 'slug', t.slug, 'label', t.label,
      'note', case when t.facet_id = (${notesFacet}) then t.position end) order by t.label), '[]'::json)
    from audio_tags tagged join tags t on t.id = tagged.tag_id where tagged.audio_id = ${audios.id})`,
  credits: creditsSql(audios.id),
  hasTranscript: sql<boolean>`exists (select from transcripts tr where tr.audio_id = ${audios.id})`,
};

export function selectAudios(db: Db) {
  return db
    .select(audioColumns)
    .from(audios)
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .innerJoin(audioCounts, eq(audioCounts.audioId, audios.id))
    .$dynamic();
}

/** @param db whose categories and tags are shown in the language of the request */
export function toAudio(db: Db, { publishedAt, ...row }: Awaited<ReturnType<typeof selectAudios>>[number]): Audio {
  const categories = row.categories.map((category) => inWords(db, 'category', category, 'label'));
  const tags = row.tags.map((tag) => inWords(db, 'tag', tag, 'label'));
  return {
    ...row,
    audioFileUrl: `/media/audios/${row.id}`,
    categories,
    categoriesResource: categories.map(({ label }) => ({ name: label })),
    tags: tags.map(({ slug, label }) => ({ slug, label })),
    contentNotes: tags
      .filter(({ note }) => note !== null)
      .toSorted((a, b) => Number(a.note) - Number(b.note))
      .map(({ slug, label }) => ({ slug, label })),
    publishedAt: (publishedAt ?? new Date(0)).toISOString(),
  };
}

/** Drafts and scheduled audios are visible in the studio and admin only. */
export const isPublished: SQL = lte(audios.publishedAt, sql`now()`);

/** For devices and podcast apps, which keep what they fetch: everyone who is heard has agreed to that. */
export const isDownloadable: SQL = eq(audios.isStreamOnly, false);

/** Finds an audio by id, slug or former slug; undefined when none matches. */
export function isAudio(idOrSlug: string): SQL | undefined {
  if (isId(idOrSlug)) return eq(audios.id, idOrSlug);
  return isSlug(idOrSlug) ? hasSlug(idOrSlug) : undefined;
}

/** As slug or former slug. */
function hasSlug(slug: string | Placeholder): SQL | undefined {
  const former = sql`(select ${formerSlugs.audioId} from ${formerSlugs} where ${formerSlugs.slug} = ${slug})`;
  return or(eq(audios.slug, slug), eq(audios.id, former));
}

const preparedById = prepareOnce((db) =>
  selectAudios(db)
    .where(and(eq(audios.id, sql.placeholder('id')), isPublished))
    .prepare('audio_by_id'),
);
const preparedBySlug = prepareOnce((db) =>
  selectAudios(db)
    .where(and(hasSlug(sql.placeholder('slug')), isPublished))
    .limit(1)
    .prepare('audio_by_slug'),
);

export async function findAudio(db: Db, idOrSlug: string): Promise<Audio | undefined> {
  const isById = isId(idOrSlug);
  if (!isById && !isSlug(idOrSlug)) return undefined;
  const [row] = isById
    ? await preparedById(db).execute({ id: idOrSlug })
    : await preparedBySlug(db).execute({ slug: idOrSlug });
  return row === undefined ? undefined : toAudio(db, row);
}

// The subquery hides the number of ids: with few, PostgreSQL would plan each time.
const preparedByIds = prepareOnce((db) =>
  selectAudios(db)
    .where(and(sql`${audios.id} = any((select ${sql.placeholder('ids')}::uuid[])::uuid[])`, isPublished))
    .prepare('audios_by_ids'),
);

/** Keeps the order of `ids`; drops unpublished audios and those with tags that the viewer hides. */
export async function findAudiosByIds(db: Db, ids: string[], viewer?: Viewer): Promise<Audio[]> {
  if (ids.length === 0) return [];
  const shown = viewer && isNotHidden(viewer, audios.id);
  const rows =
    shown === undefined
      ? await preparedByIds(db).execute({ ids })
      : await selectAudios(db).where(and(inArray(audios.id, ids), isPublished, shown));
  const byId = new Map(rows.map((row) => [row.id, toAudio(db, row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** `findAudiosByIds` for viewers who hide nothing, or who see these audios in any case; caches each audio briefly. */
export function createAudioReader(db: Db, shared: SharedReads): (ids: string[]) => Promise<Audio[]> {
  return async (ids) => {
    let missing: string[] = [];
    let rest: Promise<Map<string, Audio>> | undefined;
    // One query for all uncached audios; it starts after the loop below has collected their ids.
    const readRest = () =>
      (rest ??= Promise.resolve().then(
        async () => new Map((await findAudiosByIds(db, missing)).map((one) => [one.id, one])),
      ));
    const found = await Promise.all(
      ids.map((id) =>
        shared.read(`audio ${id}`, async () => {
          missing = [...missing, id];
          return (await readRest()).get(id);
        }),
      ),
    );
    return found.filter((audio) => audio !== undefined);
  };
}
