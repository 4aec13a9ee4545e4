import { and, desc, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { restorableSince } from '../../catalogue/editing/deletion.ts';
import { categories, voices } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { allowLongStatements } from '../../kernel/db.ts';
import type { Db } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import { purgeInTransactions } from '../../kernel/purge.ts';
import { lockAudiosOf } from './lock-audios.ts';
import { recordByOperator } from '../record.ts';
import { canAdminister } from '../rules.ts';

/**
 * Deleted creators and categories: hidden from everybody, with a creator's audios, and restored as they were within 30
 * days. Their rows keep the slugs taken, and all that belongs to them.
 */
export type DeletedGroup = { id: string; slug: string; name: string; deletedAt: Date; audios: number };

const kinds = {
  voice: {
    table: voices,
    name: sql<string>`name`,
    isThere: isNull(voices.mergedInto),
    audios: sql<number>`(select count(*)::int from audios a where a.voice_id = voices.id and a.deleted_at is null)`,
  },
  category: {
    table: categories,
    name: sql<string>`label`,
    isThere: undefined,
    audios: sql<number>`(select count(*)::int from audio_categories ac where ac.category_id = categories.id)`,
  },
} as const;
type Kind = keyof typeof kinds;

const maxListed = 100;
/** Audios per transaction. */
const batchSize = 100;

type Outcome = { ok: true } | { ok: false; reason: 'not-found' | 'other-name' };

/** @param name typed again to confirm */
export async function deleteGroup(db: Db, actor: Actor, kind: Kind, id: string, name: string): Promise<Outcome> {
  if (!canAdminister(actor) || !isId(id)) return { ok: false, reason: 'not-found' };
  const { table, name: nameColumn, isThere } = kinds[kind];
  return db.transaction(async (tx): Promise<Outcome> => {
    await allowLongStatements(tx);
    const [before] = await tx
      .select({ name: nameColumn, slug: table.slug })
      .from(table)
      .where(and(eq(table.id, id), isNull(table.deletedAt), isThere))
      .for('no key update');
    if (before === undefined) return { ok: false, reason: 'not-found' };
    if (before.name !== name.trim()) return { ok: false, reason: 'other-name' };
    await tx
      .update(table)
      .set({
        deletedAt: sql`now()`,
        hiddenAtDeletion: sql`${table.hiddenAt}`,
        hiddenAt: sql`coalesce(${table.hiddenAt}, now())`,
      })
      .where(eq(table.id, id));
    await recordByOperator(tx, actor, {
      action: `${kind}.delete`,
      subject: { type: kind, id, name: before.name },
      ...(kind === 'voice' && { voiceId: id }),
      before: { name: before.name, slug: before.slug },
    });
    return { ok: true };
  });
}

/** Shown again, unless it was hidden before. @returns false when it is not deleted, or its time is over */
export async function restoreGroup(db: Db, actor: Actor, kind: Kind, id: string): Promise<boolean> {
  if (!canAdminister(actor) || !isId(id)) return false;
  const { table, name } = kinds[kind];
  return db.transaction(async (tx) => {
    await allowLongStatements(tx);
    const [restored] = await tx
      .update(table)
      .set({ deletedAt: null, hiddenAtDeletion: null, hiddenAt: sql`${table.hiddenAtDeletion}` })
      .where(and(eq(table.id, id), gt(table.deletedAt, restorableSince)))
      .returning({ name });
    if (restored === undefined) return false;
    await recordByOperator(tx, actor, {
      action: `${kind}.restore`,
      subject: { type: kind, id, name: restored.name },
      ...(kind === 'voice' && { voiceId: id }),
    });
    return true;
  });
}

/** Those that can be restored, most recently deleted first. */
export async function listDeletedGroups(db: Db, actor: Actor, kind: Kind): Promise<DeletedGroup[]> {
  if (!canAdminister(actor)) return [];
  const { table, name, audios } = kinds[kind];
  return db
    .select({
      id: table.id,
      slug: table.slug,
      name,
      deletedAt: sql<Date>`${table.deletedAt}`.mapWith(table.deletedAt),
      audios,
    })
    .from(table)
    .where(gt(table.deletedAt, restorableSince))
    .orderBy(desc(table.deletedAt), desc(table.id))
    .limit(maxListed);
}

/** Purges what was deleted 30 or more days ago; seconds heard stay in the ledger. @returns the numbers of both kinds */
export async function purgeDeletedGroups(
  db: Db,
  signal?: AbortSignal,
): Promise<{ voices: number; categories: number }> {
  return {
    voices: await purgeInTransactions(db, 1, purgeVoice, signal),
    categories: await purgeInTransactions(db, 1, purgeCategory, signal),
  };
}

/** Part of a voice with many audios. @returns 1 while there is something to purge */
async function purgeVoice(tx: Db): Promise<number> {
  const [due] = await tx
    .select({ id: voices.id })
    .from(voices)
    .where(and(isNotNull(voices.deletedAt), lt(voices.deletedAt, restorableSince)))
    .orderBy(voices.id)
    .limit(1)
    .for('update', { skipLocked: true });
  if (due === undefined) return 0;
  const { rowCount } = await tx.execute(sql`
    delete from audios where id in (select id from audios where voice_id = ${due.id} order by id limit ${batchSize} for update)`);
  if ((rowCount ?? 0) > 0) return 1;
  await tx.execute(sql`delete from series where voice_id = ${due.id}`);
  // Only redirects to it.
  await tx.execute(sql`delete from voices where merged_into = ${due.id}`);
  await tx.execute(sql`delete from voices where id = ${due.id}`);
  return 1;
}

async function purgeCategory(tx: Db): Promise<number> {
  const [due] = await tx
    .select({ id: categories.id })
    .from(categories)
    .where(and(isNotNull(categories.deletedAt), lt(categories.deletedAt, restorableSince)))
    .limit(1);
  if (due === undefined) return 0;
  await allowLongStatements(tx);
  await lockAudiosOf(tx, due.id);
  await tx.delete(categories).where(eq(categories.id, due.id));
  return 1;
}
