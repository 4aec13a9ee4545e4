import { and, eq, isNotNull } from 'drizzle-orm';
import { voices } from '../catalogue/tables.ts';
import { userColumns, users } from '../identity/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { type PageQuery, pageIn } from '../kernel/pages.ts';
import { roleIn } from '../kernel/rules.ts';
import { voiceBlocks, voiceOwners } from './tables.ts';

export type VoiceBlockOutcome = { ok: true; changed: boolean } | { ok: false; reason: 'not-found' | 'own' };

/**
 * Idempotent. What the user wrote before stays unless it is hidden. `own`: the user owns or edits the voice.
 * An unknown voice, and one that the actor does not manage, answer not-found, as unknown users do.
 */
export async function setVoiceBlock(
  db: Db,
  actor: Actor,
  voiceId: string,
  userId: string,
  isBlocked: boolean,
): Promise<VoiceBlockOutcome> {
  const role = roleIn(actor, voiceId);
  if (role === undefined || !isId(voiceId) || !isId(userId)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<VoiceBlockOutcome> => {
    // The lock of acts that make somebody owner or editor, who cannot be blocked.
    const [voice] = await tx
      .select({ name: voices.name })
      .from(voices)
      .where(eq(voices.id, voiceId))
      .for('no key update');
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), isNotNull(users.username)))
      .for('key share');
    if (voice === undefined || user === undefined) return { ok: false, reason: 'not-found' };
    const isMember = and(eq(voiceOwners.voiceId, voiceId), eq(voiceOwners.userId, userId));
    if (isBlocked && (await tx.$count(voiceOwners, isMember)) > 0) return { ok: false, reason: 'own' };
    const blockedBy = actor.kind === 'user' ? actor.id : null;
    const { rowCount } = isBlocked
      ? await tx.insert(voiceBlocks).values({ voiceId, userId, blockedBy }).onConflictDoNothing()
      : await tx.delete(voiceBlocks).where(and(eq(voiceBlocks.voiceId, voiceId), eq(voiceBlocks.userId, userId)));
    if (rowCount === 1)
      // Without the user's name: log entries outlive accounts. The list of blocks shows it.
      await recordChange(tx, {
        actor,
        role,
        action: isBlocked ? 'voice.block-user' : 'voice.unblock-user',
        subject: { type: 'voice', id: voiceId, name: voice.name },
        voiceId,
      });
    return { ok: true, changed: rowCount === 1 };
  });
}

/** Most recently blocked first; undefined when the actor does not manage the voice. */
export async function listVoiceBlocks(db: Db, actor: Actor, voiceId: string, query: PageQuery) {
  const by = { direction: 'desc', by: voiceBlocks.createdAt, id: voiceBlocks.userId } as const;
  const page = pageIn('voice-blocks', query, by);
  if (roleIn(actor, voiceId) === undefined || !isId(voiceId)) return undefined;
  const rows = await db
    .select({
      ...userColumns,
      blockedAt: voiceBlocks.createdAt,
      ...page.columns,
    })
    .from(voiceBlocks)
    .innerJoin(users, eq(users.id, voiceBlocks.userId))
    .where(and(eq(voiceBlocks.voiceId, voiceId), page.after))
    .orderBy(...page.orderBy)
    .limit(page.limit);
  return page.of(rows);
}

/** A user who may not comment under a voice's audios. */
export type VoiceBlock = NonNullable<Awaited<ReturnType<typeof listVoiceBlocks>>>['items'][number];

export async function countVoiceBlocks(db: Db, voiceId: string): Promise<number> {
  return db.$count(voiceBlocks, eq(voiceBlocks.voiceId, voiceId));
}

/** For a user who becomes owner or editor of the locked voice. */
export async function liftVoiceBlock(tx: Db, voiceId: string, userId: string): Promise<void> {
  await tx.delete(voiceBlocks).where(and(eq(voiceBlocks.voiceId, voiceId), eq(voiceBlocks.userId, userId)));
}

/** Whether the user may not comment under this voice's audios. */
export async function isBlockedFrom(db: Db, voiceId: string, userId: string): Promise<boolean> {
  return (await db.$count(voiceBlocks, and(eq(voiceBlocks.voiceId, voiceId), eq(voiceBlocks.userId, userId)))) > 0;
}
