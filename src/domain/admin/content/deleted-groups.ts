import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { restorableSince } from '../../catalogue/editing/deletion.ts';
import { categories, playlists, voices } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type Db, type Tx, allowLongStatements } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import { purgeInTransactions } from '../../kernel/purge.ts';
import { lockAudiosOf } from './tags.ts';
import { recordByOperator } from '../record.ts';
import { canAdminister } from '../rules.ts';

const hides = {
  delete: sql`hidden_at_deletion = hidden_at, hidden_at = coalesce(hidden_at, now())`,
  restore: sql`hidden_at = hidden_at_deletion, hidden_at_deletion = null`,
};
const unpublishes = {
  delete: sql`published_at_deletion = published_at, published_at = null`,
  restore: sql`published_at = published_at_deletion, published_at_deletion = null`,
};

/**
 * Deleted creators, categories and playlists of the site: hidden from everybody, with a creator's audios, and restored
 * as they were within 30 days. Their rows keep the slugs taken, and all that belongs to them.
 */
const kinds = {
  voice: { table: voices, name: sql<string>`name`, isThere: isNull(voices.mergedInto), ...hides },
  category: { table: categories, name: sql<string>`label`, isThere: undefined, ...hides },
  playlist: { table: playlists, name: sql<string>`title`, isThere: undefined, ...unpublishes },
} as const;
type Kind = keyof typeof kinds;

const maxListed = 100;
/** Audios per transaction. */
const batchSize = 100;

type Outcome = { ok: true } | { ok: false; reason: 'not-found' | 'other-name' };

/** @param name typed again to confirm; not for playlists */
export async function deleteGroup(db: Db, actor: Actor, kind: Kind, id: string, name?: string): Promise<Outcome> {
  if (!canAdminister(actor) || !isId(id)) return { ok: false, reason: 'not-found' };
  const { table, name: nameColumn, isThere, delete: hide } = kinds[kind];
  return db.transaction(async (tx): Promise<Outcome> => {
    await allowLongStatements(tx);
    const [before] = await tx
      .select({ name: nameColumn, slug: table.slug })
      .from(table)
      .where(and(eq(table.id, id), isNull(table.deletedAt), isThere))
      .for('no key update');
    if (before === undefined) return { ok: false, reason: 'not-found' };
    if (kind !== 'playlist' && before.name !== name?.trim()) return { ok: false, reason: 'other-name' };
    await tx.execute(sql`update ${table} set deleted_at = now(), ${hide} where id = ${id}`);
    await recordByOperator(tx, actor, {
      action: `${kind}.delete`,
      subject: { type: kind, id, name: before.name },
      ...(kind === 'voice' && { voiceId: id }),
      ...(kind !== 'playlist' && { before }),
    });
    return { ok: true };
  });
}

/** Shown again, unless it was hidden before. @returns false when it is not deleted, or its time is over */
export async function restoreGroup(db: Db, actor: Actor, kind: Kind, id: string): Promise<boolean> {
  if (!canAdminister(actor) || !isId(id)) return false;
  const { table, name, restore } = kinds[kind];
  return db.transaction(async (tx) => {
    await allowLongStatements(tx);
    const { rows } = await tx.execute<{ name: string }>(sql`
      update ${table} set deleted_at = null, ${restore}
      where id = ${id} and deleted_at > ${restorableSince} returning ${name} as name`);
    const [restored] = rows;
    if (restored === undefined) return false;
    await recordByOperator(tx, actor, {
      action: `${kind}.restore`,
      subject: { type: kind, id, name: restored.name },
      ...(kind === 'voice' && { voiceId: id }),
    });
    return true;
  });
}

const counted = {
  voice: sql<number>`(select count(*)::int from audios a where a.voice_id = voices.id and a.deleted_at is null)`,
  category: sql<number>`(select count(*)::int from audio_categories ac where ac.category_id = categories.id)`,
};

/** Those that can be restored, most recently deleted first. */
export async function listDeletedGroups(db: Db, actor: Actor, kind: keyof typeof counted) {
  if (!canAdminister(actor)) return [];
  const { table, name } = kinds[kind];
  return db
    .select({
      id: table.id,
      slug: table.slug,
      name,
      deletedAt: sql<Date>`${table.deletedAt}`.mapWith(table.deletedAt),
      audios: counted[kind],
    })
    .from(table)
    .where(gt(table.deletedAt, restorableSince))
    .orderBy(desc(table.deletedAt), desc(table.id))
    .limit(maxListed);
}

/** Purges what was deleted 30 or more days ago; seconds heard stay in the ledger. @returns the numbers of each kind */
export async function purgeDeletedGroups(db: Db, signal?: AbortSignal) {
  return {
    voices: await purgeInTransactions(db, 1, purgeVoice, signal),
    categories: await purgeInTransactions(db, 1, purgeCategory, signal),
    playlists: (await db.delete(playlists).where(lt(playlists.deletedAt, restorableSince))).rowCount ?? 0,
  };
}

/** Part of a voice with many audios. @returns 1 while there is something to purge */
async function purgeVoice(tx: Tx): Promise<number> {
  const [due] = await tx
    .select({ id: voices.id })
    .from(voices)
    .where(lt(voices.deletedAt, restorableSince))
    .orderBy(voices.id)
    .limit(1)
    .for('update', { skipLocked: true });
  if (due === undefined) return 0;
  const { rowCount } = await tx.execute(sql`
    delete from audios where id in (select id from audios where voice_id = ${due.id} order by id limit ${batchSize} for update)`);
  if ((rowCount ?? 0) > 0) return 1;
  await tx.execute(sql`delete from series where voice_id = ${due.id}`);
  await tx.execute(sql`
    with gone as (select array_agg(id) as ids from voices where id = ${due.id} or merged_into = ${due.id})
    update voices v set recommended_ids = array(
      select id from unnest(v.recommended_ids) with ordinality as kept (id, place) where id <> all (gone.ids) order by place)
    from gone where v.recommended_ids && gone.ids`);
  // Only redirects to it.
  await tx.execute(sql`delete from voices where merged_into = ${due.id}`);
  await tx.execute(sql`delete from voices where id = ${due.id}`);
  return 1;
}

async function purgeCategory(tx: Tx): Promise<number> {
  const [due] = await tx
    .select({ id: categories.id })
    .from(categories)
    .where(lt(categories.deletedAt, restorableSince))
    .limit(1);
  if (due === undefined) return 0;
  await allowLongStatements(tx);
  await lockAudiosOf(tx, due.id);
  await tx.delete(categories).where(eq(categories.id, due.id));
  return 1;
}
