import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { audios } from '../../catalogue/tables.ts';
import type { Db } from '../../kernel/db.ts';
import { fillSeries } from '../moving-in/fill-series.ts';
import { feedImportItems as items } from '../tables.ts';
import { cleanLine } from '../uploads/import-tags.ts';
import { findAuthor } from '../uploads/process-upload.ts';
import type { FeedImportRow } from './imports.ts';

/** Makes a series of each season of a feed, if the creator wants it. Its title is in no language: “Night Letters · 2”. */
export async function makeSeasons(db: Db, row: FeedImportRow): Promise<void> {
  if (row.choices.seasonsAsSeries !== true) return;
  const season = sql<number>`(${items.item} ->> 'season')::int`;
  const found = await db
    .select({ season, audioId: audios.id })
    .from(items)
    .innerJoin(audios, and(eq(audios.id, items.audioId), eq(audios.voiceId, row.voiceId), isNull(audios.deletedAt)))
    .where(and(eq(items.importId, row.id), sql`${season} is not null`))
    .orderBy(asc(season), sql`(${items.item} ->> 'episode')::int nulls last`, sql`${items.position} desc`);
  const seasons = Map.groupBy(found, (one) => one.season);
  if (seasons.size < 2) return;
  const author = await findAuthor(db, row, row.isByOperator);
  if (author === undefined) return;
  for (const [number, parts] of seasons) {
    const title = cleanLine(`${row.title.slice(0, 180)} · ${number}`, 200) ?? '';
    const audioIds = parts.map(({ audioId }) => audioId);
    await db.transaction((tx) => fillSeries(tx, author, { voiceId: row.voiceId, title, audioIds }));
  }
}
