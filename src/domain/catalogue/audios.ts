import type { SQL } from 'drizzle-orm';
import { and, desc, asc, eq, exists, gt, inArray, lt, lte, ne, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../db.ts';
import { isId, isSlug } from '../ids.ts';
import type { Viewer } from '../identity/rules.ts';
import { isNotLeftOut, isTagNotLeftOut } from '../library/left-out-tags.ts';
import type { Page } from '../pages.ts';
import { decodeCursor, encodeCursor, Instant, toPage } from '../pages.ts';
import type { AudioFilter, AudioSort } from './forms.ts';
import { voiceTypeLabels } from './forms.ts';
import { audioCategories, audioCounts, audios, audioTags, tags, voices } from './tables.ts';

/** An audio as every list and page shows it: nothing in it depends on who asks. */
export type Audio = {
  id: string;
  slug: string;
  title: string;
  description: string;
  /** Path of the image route, without a size; null where there is no cover. */
  imageUrl: string | null;
  /** Stable address of the sound on this site; whether it answers is decided there. */
  audioFileUrl: string;
  /** Seconds. */
  numberDuration: number;
  plays: number;
  /** `#RRGGBB`. */
  color: string | null;
  badge: string | null;
  commentsDisabled: boolean;
  /** Anyone may hear it: marked free, or the preview. */
  isFree: boolean;
  voice: { id: string; name: string; slug: string; imageUrl: string | null };
  voiceTypeLabel: string;
  categories: { id: string; slug: string; label: string }[];
  categoriesResource: { name: string }[];
  /** ISO 8601, UTC. */
  publishedAt: string;
  totalComments: number;
  totalFavorite: number;
  tags: { slug: string; label: string }[];
  hasTranscript: boolean;
};

export function imageUrl(key: string | null): string | null {
  return key === null ? null : `/${key}`;
}

const isPreview = sql<boolean>`${audios.id} = (select (value ->> 'audioId')::uuid from site_settings where key = 'preview')`;

/** Anyone may hear the audio of this row: `Audio.isFree`. */
export const isFreeToAll = sql<boolean>`(${audios.isFree} or coalesce(${isPreview}, false))`;

const audioColumns = {
  id: audios.id,
  slug: audios.slug,
  title: audios.title,
  sortTitle: audios.sortTitle,
  description: audios.description,
  imageKey: audios.imageKey,
  durationMs: audios.durationMs,
  plays: audioCounts.plays,
  color: audios.color,
  badge: audios.badge,
  commentsDisabled: audios.commentsDisabled,
  isFree: isFreeToAll,
  publishedAt: audios.publishedAt,
  totalComments: audioCounts.comments,
  totalFavorite: audioCounts.favorites,
  voiceId: voices.id,
  voiceName: voices.name,
  voiceSlug: voices.slug,
  voiceImageKey: voices.imageKey,
  voiceTypeLabel: voices.voiceTypeLabel,
  categories: sql<Audio['categories']>`(
    select coalesce(json_agg(json_build_object('id', c.id, 'slug', c.slug, 'label', c.label) order by ac.position, c.label), '[]'::json)
    from audio_categories ac join categories c on c.id = ac.category_id where ac.audio_id = ${audios.id})`,
  tags: sql<Audio['tags']>`(
    select coalesce(json_agg(json_build_object('slug', t.slug, 'label', t.label) order by t.label), '[]'::json)
    from audio_tags tagged join tags t on t.id = tagged.tag_id where tagged.audio_id = ${audios.id})`,
  hasTranscript: sql<boolean>`exists (select from transcripts tr where tr.audio_id = ${audios.id})`,
};

function selectAudios(db: Db) {
  return db
    .select(audioColumns)
    .from(audios)
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .innerJoin(audioCounts, eq(audioCounts.audioId, audios.id))
    .$dynamic();
}

type AudioRow = Awaited<ReturnType<typeof selectAudios>>[number];

function toAudio(row: AudioRow): Audio {
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    description: row.description,
    imageUrl: imageUrl(row.imageKey),
    audioFileUrl: `/media/audios/${row.id}`,
    numberDuration: Math.round(row.durationMs / 10) / 100,
    plays: row.plays,
    color: row.color,
    badge: row.badge,
    commentsDisabled: row.commentsDisabled,
    isFree: row.isFree,
    voice: { id: row.voiceId, name: row.voiceName, slug: row.voiceSlug, imageUrl: imageUrl(row.voiceImageKey) },
    voiceTypeLabel: row.voiceTypeLabel,
    categories: row.categories,
    categoriesResource: row.categories.map((category) => ({ name: category.label })),
    publishedAt: (row.publishedAt ?? new Date(0)).toISOString(),
    totalComments: row.totalComments,
    totalFavorite: row.totalFavorite,
    tags: row.tags,
    hasTranscript: row.hasTranscript,
  };
}

/** Drafts and what is scheduled for later exist for nobody but their makers. */
export const isPublished: SQL = lte(audios.publishedAt, sql`now()`);

export type AudioListQuery = {
  filter?: AudioFilter;
  /** Ids; only audios of this voice, or in this category. */
  voiceId?: string;
  categoryId?: string;
  sort?: AudioSort;
  cursor?: string | undefined;
  limit: number;
};

function matching(db: Db, viewer: Viewer, { filter, voiceId, categoryId }: AudioListQuery): (SQL | undefined)[] {
  return [
    isPublished,
    isNotLeftOut(viewer, audios.id),
    voiceId === undefined ? undefined : eq(audios.voiceId, voiceId),
    categoryId === undefined
      ? undefined
      : exists(
          db
            .select({ one: sql`1` })
            .from(audioCategories)
            .where(and(eq(audioCategories.audioId, audios.id), eq(audioCategories.categoryId, categoryId))),
        ),
    filter?.tag === undefined
      ? undefined
      : exists(
          db
            .select({ one: sql`1` })
            .from(audioTags)
            .innerJoin(tags, eq(tags.id, audioTags.tagId))
            .where(and(eq(audioTags.audioId, audios.id), eq(tags.slug, filter.tag))),
        ),
    filter?.voiceType === undefined ? undefined : eq(voices.voiceTypeLabel, voiceTypeLabels[filter.voiceType]),
    filter?.shorterThan === undefined ? undefined : lt(audios.durationMs, filter.shorterThan * 1000),
    filter?.free === undefined ? undefined : isFreeToAll,
  ];
}

type Order = {
  direction: 'asc' | 'desc';
  column: typeof audios.publishedAt | typeof audios.sortTitle | typeof audios.durationMs | typeof audioCounts.plays;
  value: z.ZodType<string | number>;
  /** What the cursor says is compared as this. */
  bind: (value: string | number) => string | number | Date;
  read: (row: AudioRow) => string | number;
};

const WholeNumber = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const PlainText = z.string().refine((text) => !text.includes('\0'));

const byTime = {
  column: audios.publishedAt,
  value: Instant,
  bind: (value: string | number) => new Date(value),
  read: (row: AudioRow) => (row.publishedAt ?? new Date(0)).toISOString(),
};
const byDuration = {
  column: audios.durationMs,
  value: WholeNumber.max(2_147_483_647),
  bind: (value: string | number) => value,
  read: (row: AudioRow) => row.durationMs,
};

const orders: Record<AudioSort, Order> = {
  recent: { direction: 'desc', ...byTime },
  oldest: { direction: 'asc', ...byTime },
  popular: {
    direction: 'desc',
    column: audioCounts.plays,
    value: WholeNumber,
    bind: (value) => value,
    read: (row) => row.plays,
  },
  title: {
    direction: 'asc',
    column: audios.sortTitle,
    value: PlainText,
    bind: (value) => value,
    read: (row) => row.sortTitle,
  },
  shortest: { direction: 'asc', ...byDuration },
  longest: { direction: 'desc', ...byDuration },
};

/** Keyset pages in any of the orders of `AudioSort`; `recent` unless told. */
export async function listAudios(db: Db, viewer: Viewer, query: AudioListQuery): Promise<Page<Audio>> {
  const sort = query.sort ?? 'recent';
  const order = orders[sort];
  const after = decodeCursor(`audios.${sort}`, query.cursor, order.value);
  const [beyond, direct] = order.direction === 'desc' ? [lt, desc] : [gt, asc];
  // Plays are ordered in their own table, whose index has its own id column.
  const idColumn = sort === 'popular' ? audioCounts.audioId : audios.id;

  let position: SQL | undefined;
  if (after !== undefined) {
    const value = order.bind(after.value);
    position = or(beyond(order.column, value), and(eq(order.column, value), beyond(idColumn, after.id)));
  }
  const rows = await selectAudios(db)
    .where(and(...matching(db, viewer, query), position))
    .orderBy(direct(order.column), direct(idColumn))
    .limit(query.limit + 1);
  return toPage(rows, query.limit, toAudio, (row) =>
    encodeCursor(`audios.${sort}`, { value: order.read(row), id: row.id }),
  );
}

/** How many audios match, and how long they are together (seconds). */
export async function sumAudios(
  db: Db,
  viewer: Viewer,
  query: Omit<AudioListQuery, 'limit' | 'cursor' | 'sort'>,
): Promise<{ total: number; seconds: number; plays: number }> {
  const [row] = await db
    .select({
      total: sql<number>`count(*)::int`,
      seconds: sql<number>`(coalesce(sum(${audios.durationMs}), 0) / 1000)::float8`,
      plays: sql<number>`coalesce(sum(${audioCounts.plays}), 0)::float8`,
    })
    .from(audios)
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .innerJoin(audioCounts, eq(audioCounts.audioId, audios.id))
    .where(and(...matching(db, viewer, { ...query, limit: 0 })));
  return { total: row?.total ?? 0, seconds: Math.round(row?.seconds ?? 0), plays: row?.plays ?? 0 };
}

export async function findAudio(db: Db, idOrSlug: string): Promise<Audio | undefined> {
  const match = isId(idOrSlug) ? eq(audios.id, idOrSlug) : isSlug(idOrSlug) ? eq(audios.slug, idOrSlug) : undefined;
  if (match === undefined) return undefined;
  const [row] = await selectAudios(db).where(and(match, isPublished)).limit(1);
  return row === undefined ? undefined : toAudio(row);
}

/** In the order asked for; ids that are not there, or no longer published, are left out. */
export async function findAudiosByIds(db: Db, ids: string[]): Promise<Audio[]> {
  if (ids.length === 0) return [];
  const rows = await selectAudios(db).where(and(inArray(audios.id, ids), isPublished));
  const byId = new Map(rows.map((row) => [row.id, toAudio(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Others that share most with this one: its tags, its categories, its voice; the most played first among equals. */
export async function listRelatedAudios(db: Db, viewer: Viewer, audioId: string, limit: number): Promise<Audio[]> {
  const shared = sql<number>`(
    2 * (select count(*) from audio_tags a join audio_tags b on b.tag_id = a.tag_id where a.audio_id = ${audios.id} and b.audio_id = ${audioId})
    + 3 * (select count(*) from audio_categories a join audio_categories b on b.category_id = a.category_id where a.audio_id = ${audios.id} and b.audio_id = ${audioId}))`;
  // Scoring is for those that share a category; in a large catalogue only for the newest of them.
  const candidates = db
    .selectDistinct({ id: audios.id, publishedAt: audios.publishedAt })
    .from(audios)
    .innerJoin(audioCategories, eq(audioCategories.audioId, audios.id))
    .where(
      and(
        isPublished,
        isNotLeftOut(viewer, audios.id),
        ne(audios.id, audioId),
        inArray(
          audioCategories.categoryId,
          db
            .select({ id: audioCategories.categoryId })
            .from(audioCategories)
            .where(eq(audioCategories.audioId, audioId)),
        ),
      ),
    )
    .orderBy(desc(audios.publishedAt))
    .limit(300)
    .as('candidates');
  const rows = await selectAudios(db)
    .where(inArray(audios.id, db.select({ id: candidates.id }).from(candidates)))
    .orderBy(desc(shared), desc(audioCounts.plays), asc(audios.id))
    .limit(limit);
  return rows.map(toAudio);
}

/**
 * The audios of a hand-ordered list (series, playlist, user playlist), by position.
 * @param viewer what they leave out is; undefined for their own list
 */
export async function listItems(
  db: Db,
  viewer: Viewer | undefined,
  list: {
    name: 'series_items' | 'playlist_items' | 'user_playlist_items';
    owner: 'series_id' | 'playlist_id' | 'user_playlist_id';
    id: string;
  },
  page: { cursor?: string | undefined; limit: number },
): Promise<Page<Audio>> {
  const order = `${list.name}.${list.id}`.slice(0, 40);
  const after = decodeCursor(order, page.cursor, WholeNumber.max(2_147_483_647));
  const items = sql.identifier(list.name);
  const owner = sql.identifier(list.owner);
  const position = sql<number>`item.position`;
  const rows = await db
    .select({ ...audioColumns, position })
    .from(audios)
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .innerJoin(audioCounts, eq(audioCounts.audioId, audios.id))
    .innerJoin(sql`${items} as item`, sql`item.audio_id = ${audios.id}`)
    .where(
      and(
        sql`item.${owner} = ${list.id}`,
        isPublished,
        viewer && isNotLeftOut(viewer, audios.id),
        // Where the last one stands by now: moving others may have numbered the list anew.
        after === undefined
          ? undefined
          : sql`item.position > coalesce((select position from ${items} where ${owner} = ${list.id} and audio_id = ${after.id}), ${after.value})`,
      ),
    )
    .orderBy(position)
    .limit(page.limit + 1);
  return toPage(rows, page.limit, toAudio, (row) => encodeCursor(order, { value: row.position, id: row.id }));
}

/** Tags most used in a category, for the chips above its list. */
export async function listTags(
  db: Db,
  viewer: Viewer,
  options: { categoryId?: string; limit: number },
): Promise<{ slug: string; label: string; audios: number }[]> {
  const count = sql<number>`count(*)::int`;
  return db
    .select({ slug: tags.slug, label: tags.label, audios: count })
    .from(tags)
    .innerJoin(audioTags, eq(audioTags.tagId, tags.id))
    .innerJoin(audios, eq(audios.id, audioTags.audioId))
    .where(
      and(
        isPublished,
        isTagNotLeftOut(viewer, tags.id),
        options.categoryId === undefined
          ? undefined
          : inArray(
              audios.id,
              db
                .select({ id: audioCategories.audioId })
                .from(audioCategories)
                .where(eq(audioCategories.categoryId, options.categoryId)),
            ),
      ),
    )
    .groupBy(tags.id)
    .orderBy(desc(count), asc(tags.label))
    .limit(options.limit);
}
