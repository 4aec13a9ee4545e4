import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { maxSeriesAudios } from '../../catalogue/rules.ts';
import { holdSlugs } from '../../catalogue/editing/slugs.ts';
import { audios, seriesItems } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import { holdSeries, record } from './series.ts';

export type OrderResult<More extends string = never> =
  | { ok: true; changed: boolean }
  | { ok: false; reason: 'not-found' | More };

/**
 * Puts an audio of the same voice into the series.
 * @param after the audio that comes before it; null: first; undefined: last
 */
export function addToSeries(
  db: Db,
  actor: Actor,
  id: string,
  audioId: string,
  after?: string | null,
): Promise<OrderResult<'in-another' | 'full'>> {
  return changeOrder(db, actor, { id, audioId, action: 'series.add-audio' }, async (ids, tx, voiceId) => {
    if (ids.includes(audioId)) return ids;
    if (ids.length >= maxSeriesAudios) return 'full';
    const [audio] = await tx
      .select({ seriesId: seriesItems.seriesId })
      .from(audios)
      .leftJoin(seriesItems, eq(seriesItems.audioId, audios.id))
      .where(and(eq(audios.id, audioId), eq(audios.voiceId, voiceId), isNull(audios.deletedAt)));
    if (audio === undefined) return 'not-found';
    if (audio.seriesId !== null) return 'in-another';
    return insertAfter(ids, audioId, after);
  });
}

/** @param after the audio that comes before it; null: first */
export function moveInSeries(
  db: Db,
  actor: Actor,
  id: string,
  audioId: string,
  after: string | null,
): Promise<OrderResult> {
  return changeOrder<never>(db, actor, { id, audioId, action: 'series.move-audio' }, (ids) => {
    const others = ids.filter((one) => one !== audioId);
    return others.length === ids.length ? 'not-found' : insertAfter(others, audioId, after);
  });
}

export function removeFromSeries(db: Db, actor: Actor, id: string, audioId: string): Promise<OrderResult> {
  return changeOrder<never>(db, actor, { id, audioId, action: 'series.remove-audio' }, (ids) =>
    ids.filter((one) => one !== audioId),
  );
}

/** Last, if the audio before it no longer exists. */
function insertAfter(ids: string[], audioId: string, after: string | null | undefined): string[] {
  if (after === null) return [audioId, ...ids];
  const at = after === undefined ? -1 : ids.indexOf(after);
  return at === -1 ? [...ids, audioId] : ids.toSpliced(at + 1, 0, audioId);
}

/** A new order, or the reason of the refusal. */
type Order<More extends string> = string[] | 'not-found' | More;

/** @param decide maps the old order to the new one; both include deleted audios, which keep their places */
async function changeOrder<More extends string = never>(
  db: Db,
  actor: Actor,
  { id, audioId, action }: { id: string; audioId: string; action: `series.${string}` },
  decide: (ids: string[], tx: Db, voiceId: string) => Order<More> | Promise<Order<More>>,
): Promise<OrderResult<More>> {
  if (!isId(audioId)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<OrderResult<More>> => {
    // Locked before the row, in the order of edits and imports, which lock series parts too.
    await holdSlugs(tx);
    const held = await holdSeries(tx, actor, id);
    if (held === undefined) return { ok: false, reason: 'not-found' };
    const { row, role, voiceId } = held;
    const before = await readOrder(tx, id);
    const after = await decide(before, tx, voiceId);
    if (typeof after === 'string') return { ok: false, reason: after };
    if (after.join() === before.join()) return { ok: true, changed: false };
    await writeOrder(tx, id, after);
    const [audio] = await tx.select({ title: audios.title }).from(audios).where(eq(audios.id, audioId));
    const place = (ids: string[]) => ({ audio: audio?.title ?? audioId, part: ids.indexOf(audioId) + 1 || null });
    const changes = { before: place(before), after: place(after) };
    await record(tx, { actor, role, voiceId, action, id, title: row.title, ...changes });
    return { ok: true, changed: true };
  });
}

/** Ids of the series' audios in their order, deleted audios too. */
export async function readOrder(tx: Db, seriesId: string): Promise<string[]> {
  const items = await tx
    .select({ audioId: seriesItems.audioId })
    .from(seriesItems)
    .where(eq(seriesItems.seriesId, seriesId))
    .orderBy(asc(seriesItems.position));
  return items.map(({ audioId }) => audioId);
}

/** Places are checked when the transaction ends, so that they can swap. */
export async function writeOrder(tx: Db, seriesId: string, ids: string[]): Promise<void> {
  await tx
    .delete(seriesItems)
    .where(and(eq(seriesItems.seriesId, seriesId), sql`${seriesItems.audioId} <> all(${sql.param(ids)}::uuid[])`));
  await tx.execute(sql`
    insert into series_items (series_id, audio_id, position)
    select ${seriesId}, place.audio_id, place.number - 1
    from unnest(${sql.param(ids)}::uuid[]) with ordinality as place (audio_id, number)
    on conflict (series_id, audio_id) do update set position = excluded.position
    where series_items.position <> excluded.position`);
}
