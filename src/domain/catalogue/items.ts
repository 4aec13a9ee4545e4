import { and, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../kernel/db.ts';
import { type PageQuery, decodeCursor, encodeCursor, toPage } from '../kernel/pages.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { findAudiosByIds, isPublished } from './audios.ts';
import { meets, readFilter } from './filters/read-filter.ts';
import type { AudioFilter } from './forms.ts';
import { audios } from './tables.ts';
import { isListenedTo, isNotHidden, isWanted } from './visibility.ts';

/** Range of PostgreSQL's `integer`. */
const Position = z.number().int().min(0).max(2_147_483_647);

export type HandOrderedList = {
  name: 'series_items' | 'playlist_items' | 'user_playlist_items';
  owner: 'series_id' | 'playlist_id' | 'user_playlist_id';
  id: string;
};

/**
 * Count and length (seconds) of the items that `listItems` shows this viewer, and for viewers who have chosen languages
 * the number of those in others.
 */
export async function sumItems(db: Db, viewer: Viewer, list: HandOrderedList, filter?: AudioFilter): Promise<ItemSums> {
  const conditions = await readFilter(db, filter);
  if (conditions === undefined) return { totalAudios: 0, totalDuration: 0 };
  const isListened = isListenedTo(viewer, audios.language);
  const only = isListened && sql` filter (where ${isListened})`;
  const [row] = await db
    .select({
      totalAudios: sql<number>`count(*)${only}::int`,
      totalDuration: sql<number>`round(coalesce(sum(${audios.durationMs})${only}, 0) / 1000.0)::int`,
      ...(isListened && { inOtherLanguages: sql<number>`count(*) filter (where not ${isListened})::int` }),
    })
    .from(audios)
    .innerJoin(sql`${sql.identifier(list.name)} as item`, sql`item.audio_id = ${audios.id}`)
    .where(
      and(
        sql`item.${sql.identifier(list.owner)} = ${list.id}`,
        isPublished,
        isWanted(viewer, audios.id),
        meets(audios.id, conditions),
      ),
    );
  return row ?? { totalAudios: 0, totalDuration: 0 };
}

export type ItemSums = { totalAudios: number; totalDuration: number; inOtherLanguages?: number };

export type ItemsQuery = PageQuery & { filter?: AudioFilter };

/**
 * The audios of a hand-ordered list (series, playlist, user playlist), by position.
 * @param viewer hides what they hide, and audios in other languages; undefined for their own list
 */
export async function listItems(db: Db, viewer: Viewer | undefined, list: HandOrderedList, page: ItemsQuery) {
  const order = `${list.name}.${list.id}`.slice(0, 40);
  const after = decodeCursor(order, page.cursor, Position);
  const conditions = await readFilter(db, page.filter);
  if (conditions === undefined) return { items: [], nextCursor: undefined };
  const items = sql.identifier(list.name);
  const owner = sql.identifier(list.owner);
  const position = sql<number>`item.position`;
  const rows = await db
    .select({ id: audios.id, position })
    .from(audios)
    .innerJoin(sql`${items} as item`, sql`item.audio_id = ${audios.id}`)
    .where(
      and(
        sql`item.${owner} = ${list.id}`,
        isPublished,
        viewer && isNotHidden(viewer, audios.id),
        meets(audios.id, conditions),
        // Reads the current position of the cursor's audio: moving others may have renumbered the list.
        after === undefined
          ? undefined
          : sql`item.position > coalesce((select position from ${items} where ${owner} = ${list.id} and audio_id = ${after.id}), ${after.value})`,
      ),
    )
    .orderBy(position)
    .limit(page.limit + 1);
  const found = toPage(
    rows,
    page.limit,
    (row) => row.id,
    (row) => encodeCursor(order, { value: row.position, id: row.id }),
  );
  return { ...found, items: await findAudiosByIds(db, found.items) };
}
