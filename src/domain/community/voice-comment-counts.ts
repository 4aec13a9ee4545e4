import { type SQL, and, desc, eq, getTableColumns, isNotNull, sql } from 'drizzle-orm';
import { audios } from '../catalogue/tables.ts';
import { users } from '../identity/tables.ts';
import type { Db } from '../kernel/db.ts';
import type { Count } from '#formats/numbers.ts';
import type { VoiceCommentFilter } from './rules.ts';
import { comments } from './tables.ts';
import { filterOf, isAbout, isOfVoice } from './voice-comments.ts';

/** Counting ends at the newest comments: reading all would take long under a creator with many. */
const maxCounted = 1000;

/** Condition of the index of the few that are hidden, held or reported. */
const isMarked = sql`(${comments.hiddenAt} is not null or ${comments.reportedAt} is not null)`;

/** The newest comments of a voice, with all columns and under the name of their table, for conditions on it. */
function newestComments(db: Db, voiceId: string, { q, condition }: { q?: string | undefined; condition?: SQL } = {}) {
  const isSought = isAbout(q);
  const newest = db
    .select(getTableColumns(comments))
    .from(comments)
    .innerJoin(audios, eq(audios.id, comments.audioId))
    .where(and(isOfVoice(voiceId), isNotNull(comments.text), isSought, condition))
    .orderBy(desc(comments.id))
    .limit(maxCounted + 1)
    .$dynamic();
  if (isSought !== undefined) newest.innerJoin(users, eq(users.id, comments.userId));
  return newest.as('comments');
}

/** Looks at the newest comments; `isMore` when there are older ones, which may be unanswered too. */
export async function countUnanswered(db: Db, voiceId: string): Promise<Count> {
  const newest = newestComments(db, voiceId);
  const [row] = await db.select({ read: readCount, unanswered: countOf('unanswered', voiceId) }).from(newest);
  return toCount(row?.unanswered, row?.read);
}

export type VoiceCommentCounts = Record<VoiceCommentFilter, Count>;

/** Under the same search; the caller checks the right. */
export async function countVoiceComments(db: Db, voiceId: string, q?: string): Promise<VoiceCommentCounts> {
  const [[newest], [marked]] = await Promise.all([
    db
      .select({ read: readCount, unanswered: countOf('unanswered', voiceId), all: countOf('all', voiceId) })
      .from(newestComments(db, voiceId, { q })),
    db
      .select({
        read: readCount,
        waiting: countOf('waiting', voiceId),
        hidden: countOf('hidden', voiceId),
        reported: countOf('reported', voiceId),
      })
      .from(newestComments(db, voiceId, { q, condition: isMarked })),
  ]);
  return {
    unanswered: toCount(newest?.unanswered, newest?.read),
    all: toCount(newest?.all, newest?.read),
    waiting: toCount(marked?.waiting, marked?.read),
    hidden: toCount(marked?.hidden, marked?.read),
    reported: toCount(marked?.reported, marked?.read),
  };
}

const readCount = sql<number>`count(*)::int`;

const countOf = (filter: VoiceCommentFilter, voiceId: string) =>
  sql<number>`(count(*) filter (where ${filterOf(filter, voiceId)}))::int`;

/** @param read comments that were looked at */
const toCount = (count = 0, read = 0): Count => ({
  count: Math.min(count, maxCounted),
  isMore: read > maxCounted && count > 0,
});
