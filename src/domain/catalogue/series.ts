import { and, asc, count, eq, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, isNamed, pick } from '../kernel/db.ts';
import { prepareOnce } from '../kernel/prepared.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { Color, Id, ImageUrl, Seconds, Slug } from '../kernel/shapes.ts';
import { type Page, type PageQuery, decodeCursor, encodeCursor, isBeyond, toPage } from '../kernel/pages.ts';
import { PlainText } from '../kernel/forms.ts';
import { inWords } from '../settings/translations.ts';
import { imageUrlSql } from './audios.ts';
import type { AudioFilter } from './forms.ts';
import { type ItemsQuery, listItems, sumItems } from './items.ts';
import { series, voices } from './tables.ts';
import { isVoiceNotHidden } from './visibility.ts';

export const Series = z.object({
  id: Id,
  slug: Slug,
  title: z.string(),
  description: z.string(),
  imageUrl: ImageUrl,
  color: Color,
  voice: z.object({ id: Id, name: z.string(), slug: Slug, imageUrl: ImageUrl }).nullable(),
  totalAudios: z.number(),
  totalDuration: Seconds,
});
export type Series = z.infer<typeof Series>;

function selectSeries(db: Db) {
  return db
    .select({
      ...pick(series, 'id', 'slug', 'title', 'sortTitle', 'description', 'color'),
      imageUrl: imageUrlSql(series.imageKey),
      voice: { ...pick(voices, 'id', 'name', 'slug'), imageUrl: imageUrlSql(voices.imageKey) },
      totalAudios: sql<number>`(select count(*)::int from series_items i join audios a on a.id = i.audio_id
        where i.series_id = ${series.id} and a.published_at <= now())`,
      totalDuration: sql<number>`(select (coalesce(sum(a.duration_ms), 0) / 1000)::float8 from series_items i join audios a on a.id = i.audio_id
        where i.series_id = ${series.id} and a.published_at <= now())`,
    })
    .from(series)
    .leftJoin(voices, eq(voices.id, series.voiceId))
    .$dynamic();
}

/** Neither the series nor its voice is hidden. */
const isShown = and(isNull(voices.hiddenAt), isNull(series.hiddenAt));

type SeriesRow = Awaited<ReturnType<typeof selectSeries>>[number];

/** Its texts in the language of the request, if it belongs to the site. */
function toSeries(db: Db, { sortTitle: _sortTitle, ...row }: SeriesRow): Series {
  return inWords(db, 'series', row, 'title', 'description');
}

/** By title, A–Z; with `voiceId` only series of that voice. Without those of creators that the viewer hides. */
export async function listSeries(
  db: Db,
  viewer: Viewer,
  query: PageQuery & { voiceId?: string },
): Promise<Page<Series>> {
  const after = decodeCursor('series', query.cursor, PlainText);
  const rows = await selectSeries(db)
    .where(
      and(
        isShown,
        isVoiceNotHidden(viewer, series.voiceId),
        query.voiceId === undefined ? undefined : eq(series.voiceId, query.voiceId),
        after && isBeyond('asc', [series.sortTitle, series.id], after),
      ),
    )
    .orderBy(asc(series.sortTitle), asc(series.id))
    .limit(query.limit + 1);
  return toPage(
    rows,
    query.limit,
    (row) => toSeries(db, row),
    (row) => encodeCursor('series', { value: row.sortTitle, id: row.id }),
  );
}

/** Series of this voice. */
export async function countSeries(db: Db, voiceId: string): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(series)
    .where(and(eq(series.voiceId, voiceId), isNull(series.hiddenAt)));
  return row?.count ?? 0;
}

/** Skips unknown ids; in no order. */
export async function findSeriesByIds(db: Db, ids: string[]): Promise<Series[]> {
  if (ids.length === 0) return [];
  const rows = await selectSeries(db).where(and(inArray(series.id, ids), isShown));
  return rows.map((row) => toSeries(db, row));
}

export async function findSeries(db: Db, idOrSlug: string): Promise<Series | undefined> {
  const match = isNamed(series, idOrSlug);
  if (match === undefined) return undefined;
  const [row] = await selectSeries(db).where(and(match, isShown)).limit(1);
  return row && toSeries(db, row);
}

const preparedOfAudio = prepareOnce((db) =>
  selectSeries(db)
    .where(
      and(
        sql`${series.id} = (select series_id from series_items where audio_id = ${sql.placeholder('audioId')})`,
        isShown,
      ),
    )
    .prepare('series_of_audio'),
);

/** The series that contains an audio. */
export async function findSeriesOfAudio(db: Db, audioId: string): Promise<Series | undefined> {
  const [row] = await preparedOfAudio(db).execute({ audioId });
  return row && toSeries(db, row);
}

export function listSeriesAudios(db: Db, viewer: Viewer, seriesId: string, page: ItemsQuery) {
  return listItems(db, viewer, { name: 'series_items', owner: 'series_id', id: seriesId }, page);
}

export function sumSeriesAudios(db: Db, viewer: Viewer, seriesId: string, filter?: AudioFilter) {
  return sumItems(db, viewer, { name: 'series_items', owner: 'series_id', id: seriesId }, filter);
}
