import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { imageUrlSql } from '../../catalogue/audios.ts';
import { series, voices } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile } from '../../kernel/audit.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import type { EditOutcome } from '../../kernel/seen.ts';
import { type PageQuery, pageIn } from '../../kernel/pages.ts';
import { type DeletedSeries, listDeletedSeries } from '../../studio/series/deleted-series.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';
import { findFew, readWordSearch } from '../word-search.ts';

const partsOf = sql`from series_items item join audios part on part.id = item.audio_id and part.deleted_at is null
  where item.series_id = ${series.id}`;

type ListQuery = PageQuery & { q?: string | undefined; hidden?: boolean | undefined };

/** A–Z, hidden ones too. @param query.q beginnings of words of the title or of the creator's name */
export async function listSeries(db: Db, actor: Actor, query: ListQuery) {
  administratorsOnly(actor);
  const page = pageIn('admin-series', query, { direction: 'asc', by: series.sortTitle, id: series.id });
  const rows = await db
    .select({
      ...pick(series, 'id', 'slug', 'title'),
      imageUrl: imageUrlSql(series.imageKey),
      isHidden: sql<boolean>`${series.hiddenAt} is not null`,
      /** Null for a series of several creators. */
      voice: pick(voices, 'id', 'slug', 'name'),
      totalAudios: sql<number>`(select count(*)::int ${partsOf})`,
      /** Seconds. */
      totalDuration: sql<number>`(select (coalesce(sum(part.duration_ms), 0) / 1000)::float8 ${partsOf})`,
      /** The series that links to its creator lead to; null: the creator's page. */
      linkedOfVoice: voices.linkedSeriesId,
      /** Links to its creator lead to it. PostgreSQL would answer `exists` by reading all creators once. */
      isLinked: sql<boolean>`coalesce((select true from ${voices} linking where linking.linked_series_id = ${series.id} limit 1), false)`,
      ...page.columns,
    })
    .from(series)
    .leftJoin(voices, eq(voices.id, series.voiceId))
    .where(
      and(
        query.q === undefined || query.q.trim() === '' ? undefined : await matching(db, query.q),
        query.hidden === true ? isNotNull(series.hiddenAt) : undefined,
        page.after,
      ),
    )
    .orderBy(...page.orderBy)
    .limit(page.limit);
  return page.of(rows);
}
export type AdminSeries = Awaited<ReturnType<typeof listSeries>>['items'][number];

/** Few matches are selected by id from the word index; with many, walking the order soon finds a page. */
async function matching(db: Db, q: string) {
  const inTitle = await readWordSearch(db, { table: sql`series`, column: sql`series.sort_title` }, q);
  const inName = await readWordSearch(db, { table: sql`voices`, column: sql`voices.sort_name` }, q);
  if (inTitle === undefined || inName === undefined) return sql`false`;
  const ofVoices = sql`select series.id from series join voices on voices.id = series.voice_id where ${inName.indexed ?? inName.condition}`;
  const matchingIds =
    inTitle.byIndex && (await findFew(db, [sql`select series.id from series where ${inTitle.byIndex}`, ofVoices]));
  const isMatch = sql`(${inTitle.condition} or ${inName.condition})`;
  return matchingIds === undefined
    ? isMatch
    : sql`(${series.id} = any(${sql.param(matchingIds)}::uuid[]) and ${isMatch})`;
}

/** A hidden series leaves every list and page; its audios stay. @returns false for an unknown series */
export async function setSeriesHidden(db: Db, actor: Actor, id: string, isHidden: boolean): Promise<boolean> {
  administratorsOnly(actor);
  if (!isId(id)) return false;
  return db.transaction(async (tx) => {
    const [before] = await tx.select().from(series).where(eq(series.id, id)).for('no key update');
    if (before === undefined) return false;
    const wasHidden = before.hiddenAt !== null;
    if (wasHidden === isHidden) return true;
    await tx
      .update(series)
      .set({ hiddenAt: isHidden ? sql`now()` : null })
      .where(eq(series.id, id));
    // Search results show where links to a creator lead.
    await tx
      .update(voices)
      .set({ updatedAt: sql`now()` })
      .where(eq(voices.linkedSeriesId, id));
    await recordByOperator(tx, actor, {
      action: isHidden ? 'series.hide' : 'series.show',
      subject: { type: 'series', id, name: before.title },
      ...(before.voiceId !== null && { voiceId: before.voiceId }),
      before: { hidden: wasHidden },
      after: { hidden: isHidden },
    });
    return true;
  });
}

/** Deleted series of all creators, most recently deleted first. */
export async function listAllDeletedSeries(db: Db, actor: Actor, limit: number): Promise<DeletedSeries[]> {
  administratorsOnly(actor);
  return listDeletedSeries(db, undefined, limit);
}

/**
 * Sets where links to a creator lead: to one of their series, or to their page.
 * @param link.before what the operator saw
 */
export async function linkSeries(
  db: Db,
  actor: Actor,
  voiceId: string,
  { seriesId, before }: { seriesId: string | null; before: string | null },
): Promise<EditOutcome> {
  administratorsOnly(actor);
  if (!isId(voiceId)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<EditOutcome> => {
    const [voice] = await tx.select().from(voices).where(eq(voices.id, voiceId)).for('no key update');
    if (voice === undefined) return { ok: false, reason: 'not-found' };
    if (voice.linkedSeriesId !== before)
      throw await changedMeanwhile(tx, { type: 'voice', id: voiceId }, 'list/changed');
    if (seriesId !== null) {
      const [linked] = await tx
        .select({ id: series.id })
        .from(series)
        .where(and(eq(series.id, seriesId), eq(series.voiceId, voiceId)))
        .for('key share');
      if (linked === undefined) return { ok: false, reason: 'not-found' };
    }
    await tx.update(voices).set({ linkedSeriesId: seriesId }).where(eq(voices.id, voiceId));
    await recordByOperator(tx, actor, {
      action: 'voice.edit',
      subject: { type: 'voice', id: voiceId, name: voice.name },
      voiceId,
      before: { linkedSeriesId: before },
      after: { linkedSeriesId: seriesId },
    });
    return { ok: true };
  });
}
