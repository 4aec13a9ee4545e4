import { and, eq, or, sql } from 'drizzle-orm';
import { chainSetting } from '../catalogue/editing/chain.ts';
import { heldBack } from '../catalogue/editing/publication-gate.ts';
import { audios } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import { findSetting } from '../settings/change-setting.ts';
import { isVerified, todayOf } from './rules.ts';
import { voiceVerifications } from './tables.ts';

async function findCheck(tx: Db, voiceId: string) {
  const [row] = await tx.select().from(voiceVerifications).where(eq(voiceVerifications.voiceId, voiceId));
  return { row, counts: row !== undefined && isVerified(row, todayOf()) };
}

/**
 * Gives the records of one creator to another, before its audios move in the same transaction. Consents belong to audios,
 * and their links go on working. What the other creator has already stays with the first one's row, for archives.
 * @returns the number of audios that were hidden, because they have lost what made them public
 */
export async function mergeRecords(tx: Db, id: string, into: string): Promise<number> {
  const before = await findCheck(tx, id);
  const isKept = await moveCheck(tx, id, into);
  await tx.execute(sql`
    update agreement_acceptances a set voice_id = ${into} where voice_id = ${id} and not exists (
      select from agreement_acceptances o where o.voice_id = ${into} and o.version = a.version and o.user_id = a.user_id)`);
  await movePerformers(tx, id, into);
  const { creators } = (await findSetting(tx, chainSetting)).value;
  const isLost = creators && before.counts && !isKept;
  // Hidden by a withdrawal: the page of another creator does not show them without a press.
  if (!isLost && before.row?.hidVoice !== true) return 0;
  const hidden = await tx
    .update(audios)
    .set(heldBack)
    .where(
      and(
        eq(audios.voiceId, id),
        or(
          sql`${audios.publishedAt} is not null`,
          sql`${audios.publishedWhileHidden} is not null`,
          sql`${audios.publishedAtDeletion} is not null`,
        ),
      ),
    );
  return hidden.rowCount ?? 0;
}

/**
 * The other creator's own record wins if it counts, or was decided against them.
 * @returns whether the other creator has a check that counts now
 */
async function moveCheck(tx: Db, id: string, into: string): Promise<boolean> {
  const [{ row, counts }, other] = [await findCheck(tx, id), await findCheck(tx, into)];
  if (row === undefined) return other.counts;
  // The page that a withdrawal hid is no more.
  if (other.row === undefined) {
    await tx
      .update(voiceVerifications)
      .set({ voiceId: into, hidVoice: false })
      .where(eq(voiceVerifications.voiceId, id));
    return counts;
  }
  const { decision } = other.row;
  const isOver = decision === 'verified' && !other.counts;
  if (row.decision === null || !(decision === null || (isOver && counts))) return other.counts;
  const { voiceId: _voice, askedAt: _at, askedBy: _by, appeal: _appeal, ...record } = row;
  await tx.delete(voiceVerifications).where(eq(voiceVerifications.voiceId, id));
  await tx
    .update(voiceVerifications)
    .set({ ...record, hidVoice: false })
    .where(eq(voiceVerifications.voiceId, into));
  return counts;
}

/** A person with one email becomes one performer, with the check that counts longer. */
async function movePerformers(tx: Db, id: string, into: string): Promise<void> {
  const same = sql`mine.voice_id = ${id} and theirs.voice_id = ${into} and theirs.email = mine.email`;
  await tx.execute(sql`
    update performers theirs set method = mine.method, reference = mine.reference, checked_on = mine.checked_on,
      verified_until = mine.verified_until
    from performers mine where ${same} and mine.verified_until > coalesce(theirs.verified_until, '-infinity')`);
  await tx.execute(sql`
    update consents c set performer_id = theirs.id from performers mine, performers theirs
    where ${same} and c.performer_id = mine.id
      and not exists (select from consents o where o.audio_id = c.audio_id and o.performer_id = theirs.id)`);
  await tx.execute(sql`
    delete from performers mine using performers theirs where ${same}
      and not exists (select from consents c where c.performer_id = mine.id)`);
  // Named twice in one audio, by an audio that changed its creator before: both answers stay.
  await tx.execute(sql`update performers mine set email = null from performers theirs where ${same}`);
  await tx.execute(sql`update performers set voice_id = ${into} where voice_id = ${id}`);
}
