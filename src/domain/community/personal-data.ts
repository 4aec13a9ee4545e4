import { asc, eq, sql } from 'drizzle-orm';
import { audios, voices, userBlocks } from '../catalogue/tables.ts';
import { users } from '../identity/tables.ts';
import { lazyRows } from '../kernel/lazy-rows.ts';
import type { PersonalData } from '../kernel/personal-data.ts';
import { commentDecisions, commentReports, comments, voiceBlocks, voiceOwners } from './tables.ts';
import { dropEmptyThreads, erased } from './writing.ts';
import { pick } from '../kernel/db.ts';

export const personalData: PersonalData = {
  tables: [
    'comments',
    'comment_decisions',
    'comment_reports',
    'held_comments',
    'user_blocks',
    'voice_blocks',
    'voice_owners',
  ],
  async exportOf(db, userId) {
    const written = lazyRows(db, (on) =>
      on
        .select({
          id: comments.id,
          audio: { id: audios.id, title: audios.title },
          ...pick(comments, 'parentId', 'text', 'language', 'createdAt', 'editedAt', 'removedAt'),
          ...pick(comments, 'pinnedAt', 'heartedAt'),
        })
        .from(comments)
        .innerJoin(audios, eq(audios.id, comments.audioId))
        .where(eq(comments.userId, userId))
        .orderBy(asc(comments.id)),
    );
    const reports = lazyRows(db, (on) =>
      on
        .select(pick(commentReports, 'commentId', 'reason', 'details', 'createdAt'))
        .from(commentReports)
        .where(eq(commentReports.userId, userId))
        .orderBy(asc(commentReports.createdAt)),
    );
    const blocked = lazyRows(db, (on) =>
      on
        .select({ id: users.id, username: users.username, blockedAt: userBlocks.createdAt })
        .from(userBlocks)
        .innerJoin(users, eq(users.id, userBlocks.blockedId))
        .where(eq(userBlocks.userId, userId))
        .orderBy(asc(userBlocks.createdAt)),
    );
    const owned = lazyRows(db, (on) =>
      on
        .select({ id: voices.id, name: voices.name, since: voiceOwners.createdAt })
        .from(voiceOwners)
        .innerJoin(voices, eq(voices.id, voiceOwners.voiceId))
        .where(eq(voiceOwners.userId, userId))
        .orderBy(asc(voices.name)),
    );
    const decisions = lazyRows(db, (on) =>
      on
        .select({
          text: commentDecisions.text,
          decision: commentDecisions.verb,
          at: commentDecisions.createdAt,
          undoneAt: commentDecisions.undoneAt,
        })
        .from(commentDecisions)
        .where(eq(commentDecisions.userId, userId))
        .orderBy(asc(commentDecisions.id)),
    );
    const blockedInVoices = lazyRows(db, (on) =>
      on
        .select({ voice: voices.name, id: users.id, username: users.username, blockedAt: voiceBlocks.createdAt })
        .from(voiceBlocks)
        .innerJoin(voices, eq(voices.id, voiceBlocks.voiceId))
        .innerJoin(users, eq(users.id, voiceBlocks.userId))
        .where(eq(voiceBlocks.blockedBy, userId))
        .orderBy(asc(voiceBlocks.createdAt)),
    );
    return { comments: { written, reports, decisions }, blocked, blockedInVoices, voices: owned };
  },
  async erase(db, userId) {
    await db.delete(commentReports).where(eq(commentReports.userId, userId));
    await db.delete(commentDecisions).where(eq(commentDecisions.userId, userId));
    await db.update(commentDecisions).set({ decidedBy: null }).where(eq(commentDecisions.decidedBy, userId));
    await db.update(commentDecisions).set({ undoneBy: null }).where(eq(commentDecisions.undoneBy, userId));
    await eraseComments(db, userId);
    await db.delete(userBlocks).where(eq(userBlocks.userId, userId));
    await db.delete(userBlocks).where(eq(userBlocks.blockedId, userId));
    await db.delete(voiceBlocks).where(eq(voiceBlocks.userId, userId));
    await db.update(voiceBlocks).set({ blockedBy: null }).where(eq(voiceBlocks.blockedBy, userId));
    await db.delete(voiceOwners).where(eq(voiceOwners.userId, userId));
  },
};

/** Same as `deleteComment` for each: replies of others stay, under placeholders. */
async function eraseComments(db: Parameters<PersonalData['erase']>[0], userId: string): Promise<void> {
  const own = sql`user_id = ${userId}`;
  await db.execute(sql`
    select from comments where id in (select id from comments where ${own} union select parent_id from comments where ${own})
    order by id for update`);
  // Includes the user's favorites, which go next: everyone locks count rows in id order, against deadlocks.
  await db.execute(sql`
    select from audio_counts where audio_id in (select audio_id from comments where ${own}
      union select content_id from audio_favorites where ${own}) order by audio_id for no key update`);
  const { rows: replies } = await db.execute<{ parent_id: string }>(
    sql`delete from comments where ${own} and parent_id is not null returning parent_id`,
  );
  await db.execute(sql`
    delete from comments thread where ${own} and not exists (select from comments reply where reply.parent_id = thread.id)`);
  await db.execute(sql`
    delete from comment_reports where comment_id in (select id from comments where ${own})`);
  await db.execute(sql`
    delete from held_comments where comment_id in (select id from comments where ${own})`);
  await db
    .update(comments)
    .set({ ...erased, isAuthorSuspended: false })
    .where(eq(comments.userId, userId));
  await dropEmptyThreads(
    db,
    replies.map(({ parent_id }) => parent_id),
  );
}
