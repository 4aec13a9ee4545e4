import { type SQL, and, asc, eq, isNull, lte, sql } from 'drizzle-orm';
import { isWantedSql, listensToSql } from '../catalogue/visibility.ts';
import type { Db } from '../kernel/db.ts';
import { newId } from '../kernel/ids.ts';
import { fitsMix } from './mix-news.ts';
import { planner, preferencesJson, toPreferences } from './preferences.ts';
import type { NewsKind } from './rules.ts';
import { newsBatches, notificationPreferences } from './tables.ts';

/** Followers per transaction. */
export const followersAtOnce = 5000;
/** An audio that waited longer, because jobs or the feature were off, is no longer news. */
const newsForHours = 24;

/** Age in seconds of the oldest published audio with followers not yet notified, and the number of such audios. */
export async function measureLag(db: Db): Promise<{ seconds: number; audios: number }> {
  const [row] = await db
    .select({
      seconds: sql<number>`coalesce(extract(epoch from now() - min(${newsBatches.dueAt})), 0)::float8`,
      audios: sql<number>`count(*)::int`,
    })
    .from(newsBatches)
    .where(and(isNull(newsBatches.doneAt), lte(newsBatches.dueAt, sql`now()`)));
  return row ?? { seconds: 0, audios: 0 };
}

/** Published audios with followers who are not notified yet. */
export async function findDueBatches(db: Db): Promise<string[]> {
  const rows = await db
    .select({ audioId: newsBatches.audioId })
    .from(newsBatches)
    .where(and(isNull(newsBatches.doneAt), lte(newsBatches.dueAt, sql`now()`)))
    .orderBy(asc(newsBatches.dueAt))
    .limit(1000);
  return rows.map(({ audioId }) => audioId);
}

/**
 * Notifies all followers of an audio’s voice and series, and users with a mix that it fits, in batches. A batch and its
 * end position are one transaction, so that a killed process loses and repeats nothing.
 * @returns the number of users notified now
 */
export async function notifyFollowers(
  db: Db,
  audioId: string,
  { signal, atOnce = followersAtOnce }: { signal?: AbortSignal | undefined; atOnce?: number } = {},
): Promise<number> {
  for (let notified = 0; ;) {
    signal?.throwIfAborted();
    const batch = await db.transaction((tx) => notifyBatch(tx, audioId, atOnce));
    notified += batch.notified;
    if (batch.isDone) return notified;
  }
}

type Candidate = {
  userId: string;
  isRecipient: boolean;
  preferences: Parameters<typeof toPreferences>[0] | null;
};

async function notifyBatch(tx: Db, audioId: string, atOnce: number): Promise<{ notified: number; isDone: boolean }> {
  const [batch] = await tx
    .select()
    .from(newsBatches)
    .where(and(eq(newsBatches.audioId, audioId), isNull(newsBatches.doneAt)))
    .for('update', { skipLocked: true });
  // Finished, or another process is working on it.
  if (batch === undefined) return { notified: 0, isDone: true };
  const isBatch = eq(newsBatches.audioId, audioId);
  const audio = await findAudioNow(tx, audioId);
  if (audio?.state !== 'published') {
    if (batch.startedAt !== null) await tx.update(newsBatches).set({ doneAt: new Date() }).where(isBatch);
    // A trigger gives it a time when it is published again.
    else
      await tx
        .update(newsBatches)
        .set({ dueAt: audio?.publishedAt ?? sql`'infinity'` })
        .where(isBatch);
    return { notified: 0, isDone: true };
  }
  const isOld = batch.startedAt === null && Date.now() - batch.dueAt.getTime() > newsForHours * 3_600_000;
  const candidates = isOld ? [] : await findFollowers(tx, audioId, audio.voiceId, batch.afterUserId, atOnce);
  const notified = await insertNews(
    tx,
    audioId,
    candidates.filter(({ isRecipient }) => isRecipient),
  );
  const isDone = candidates.length < atOnce;
  await tx
    .update(newsBatches)
    .set({
      startedAt: batch.startedAt ?? new Date(),
      afterUserId: candidates.at(-1)?.userId ?? batch.afterUserId,
      notified: sql`${newsBatches.notified} + ${notified}`,
      doneAt: isDone ? new Date() : null,
    })
    .where(isBatch);
  return { notified, isDone };
}

/** Locked, so that nobody is notified of an audio that is unpublished meanwhile. */
async function findAudioNow(tx: Db, audioId: string) {
  const { rows } = await tx.execute<{ voiceId: string; publishedAt: string | null; isPublic: boolean }>(sql`
    select voice_id as "voiceId", published_at::text as "publishedAt", coalesce(published_at <= now(), false) as "isPublic"
    from audios where id = ${audioId} for share`);
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    voiceId: row.voiceId,
    state: row.isPublic ? ('published' as const) : ('hidden' as const),
    publishedAt: row.publishedAt === null ? undefined : new Date(row.publishedAt),
  };
}

/** The next followers by id, including those who turned news off. Users who may not hear the audio are notified too. */
async function findFollowers(tx: Db, audioId: string, voiceId: string, after: string | null, limit: number) {
  const from = after ?? '00000000-0000-0000-0000-000000000000';
  const { rows } = await tx.execute<Candidate>(sql`
    with candidates as (
      (select user_id from voice_favorites f where content_id = ${voiceId} and user_id > ${from} order by user_id limit ${limit})
      union
      (select distinct f.user_id from series_items i join series s on s.id = i.series_id and s.hidden_at is null
        join series_follows f on f.series_id = i.series_id
        where i.audio_id = ${audioId} and f.user_id > ${from} order by f.user_id limit ${limit})
      union
      (select distinct mix.user_id from audios join mixes mix on ${fitsMix}
        where audios.id = ${audioId} and mix.user_id > ${from} order by mix.user_id limit ${limit})
      order by user_id limit ${limit}
    )
    select c.user_id as "userId",
      u.suspended_at is null
        and (not exists (select from voice_mutes m where m.user_id = c.user_id and m.voice_id = ${voiceId})
          or exists (select from series_items i join series s on s.id = i.series_id and s.hidden_at is null
            join series_follows f on f.series_id = i.series_id where i.audio_id = ${audioId} and f.user_id = c.user_id)
          or exists (select from audios join mixes mix on ${fitsMix} where audios.id = ${audioId} and mix.user_id = c.user_id))
        and ${isWantedSql(sql`c.user_id`, sql`${audioId}::uuid`)}
        and ${listensToSql(sql`u.preferences`, sql`(select language from audios where id = ${audioId})`)} as "isRecipient",
      ${preferencesJson} as preferences
    from candidates c join users u on u.id = c.user_id
      left join ${notificationPreferences} on ${notificationPreferences.userId} = c.user_id
    order by c.user_id`);
  return rows;
}

async function insertNews(tx: Db, audioId: string, followers: Candidate[]): Promise<number> {
  if (followers.length === 0) return 0;
  const times = planTimes(followers.map(({ preferences }) => ({ preferences, kind: 'new-audio' })));
  // `for key share`: an account that is deleted meanwhile is skipped instead of failing the batch.
  const { rowCount } = await tx.execute(sql`
    insert into notifications (id, user_id, kind, subject_id, audio_id, is_planned, mail_due_at, push_due_at)
    select n.id, n.user_id, 'new-audio', ${audioId}, ${audioId}, true, n.mail_due_at, n.push_due_at
    from unnest(${sql.param(followers.map(() => newId()))}::uuid[], ${sql.param(followers.map(({ userId }) => userId))}::uuid[],
      ${times.mail}, ${times.push}) as n (id, user_id, mail_due_at, push_due_at)
    join users u on u.id = n.user_id for key share of u
    on conflict (user_id, kind, subject_id) do nothing`);
  return rowCount ?? 0;
}

/** Arrays for `unnest`: when each of these news is mailed and pushed. */
function planTimes(news: { preferences: Candidate['preferences']; kind: NewsKind }[]): { mail: SQL; push: SQL } {
  const planOf = planner(new Date());
  const plans = news.map(({ preferences, kind }) => planOf(toPreferences(preferences), kind));
  const array = (times: (Date | null)[]) =>
    sql`${sql.param(times.map((at) => at?.toISOString() ?? null))}::timestamptz[]`;
  return { mail: array(plans.map(({ mailDueAt }) => mailDueAt)), push: array(plans.map(({ pushDueAt }) => pushDueAt)) };
}

/**
 * Sets the times of mail and push for replies and news about money, which triggers write.
 * @returns the number of notifications
 */
export async function planNews(db: Db, signal?: AbortSignal): Promise<number> {
  for (let planned = 0; ;) {
    signal?.throwIfAborted();
    const count = await db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ id: string; kind: NewsKind } & Pick<Candidate, 'preferences'>>(sql`
        select n.id, n.kind, ${preferencesJson} as preferences
        from notifications n left join ${notificationPreferences} on ${notificationPreferences.userId} = n.user_id
        where not n.is_planned order by n.created_at limit 1000 for update of n skip locked`);
      const times = planTimes(rows);
      if (rows.length > 0)
        await tx.execute(sql`
          update notifications n set is_planned = true, mail_due_at = p.mail_due_at, push_due_at = p.push_due_at
          from unnest(${sql.param(rows.map(({ id }) => id))}::uuid[], ${times.mail}, ${times.push}) as p (id, mail_due_at, push_due_at) where n.id = p.id`);
      return rows.length;
    });
    planned += count;
    if (count < 1000) return planned;
  }
}
