import { and, eq, gt, ne, sql } from 'drizzle-orm';
import { sessions } from '../identity/tables.ts';
import type { Db } from '../kernel/db.ts';
import { isEnd } from './progress.ts';
import { listeningProgress, playingSessions } from './tables.ts';

/** A player reports every ten seconds; one that missed two reports no longer counts as playing. */
const playingSeconds = 25;

/** A position reported by a session's player. `notedAt` defaults to now. */
export type PlayingReport = {
  userId: string;
  sessionId: string;
  audioId: string;
  isPlaying: boolean;
  notedAt?: Date | undefined;
};

/**
 * Records many reports in one statement. A late report, such as one from a device that was offline, changes nothing.
 * @returns for each report whether its session was taken over; reported once
 */
export async function notePlaying(db: Db, reports: PlayingReport[]): Promise<boolean[]> {
  const newest = new Map(reports.map((report) => [report.userId, report]));
  const rows = [...newest.values()];
  const column = (values: unknown[]) => sql.param(values);
  // Rows are locked and added in key order, so that two processes cannot deadlock.
  const takenOver = await db.execute<{ user_id: string; session_id: string }>(sql`
    with input as materialized (
      select user_id, session_id, audio_id, is_playing, least(noted_at, now()) as noted_at from unnest(
        ${column(rows.map(({ userId }) => userId))}::uuid[],
        ${column(rows.map(({ sessionId }) => sessionId))}::uuid[],
        ${column(rows.map(({ audioId }) => audioId))}::uuid[],
        ${column(rows.map(({ isPlaying }) => isPlaying))}::boolean[],
        ${column(rows.map(({ notedAt }) => (notedAt ?? new Date()).toISOString()))}::timestamptz[]
      ) as i (user_id, session_id, audio_id, is_playing, noted_at)
      where noted_at > now() - make_interval(secs => ${playingSeconds})
    ), held as materialized (
      select p.user_id, p.taken_from from playing_sessions p join input i on i.user_id = p.user_id
      order by p.user_id for update of p
    ), taken_over as (
      update playing_sessions p set taken_from = null
      from held h join input i on i.user_id = h.user_id
      where p.user_id = h.user_id and h.taken_from = i.session_id
      returning p.user_id, i.session_id, i.is_playing
    ), noted as (
      insert into playing_sessions as p (user_id, session_id, audio_id, is_playing, noted_at)
      select i.user_id, i.session_id, i.audio_id, i.is_playing, i.noted_at
      from input i join users u on u.id = i.user_id join audios a on a.id = i.audio_id
      where not exists (select from taken_over t where t.user_id = i.user_id)
      order by i.user_id
      on conflict (user_id) do update set session_id = excluded.session_id, audio_id = excluded.audio_id,
        is_playing = excluded.is_playing, noted_at = excluded.noted_at
      where excluded.is_playing or p.session_id = excluded.session_id
    )
    select user_id, session_id from taken_over where is_playing`);
  const takenOverSessions = new Map(takenOver.rows.map((row) => [row.user_id, row.session_id]));
  return reports.map(({ userId, sessionId }) => takenOverSessions.get(userId) === sessionId);
}

/**
 * Another device of the same user that plays now; `device` is the name of its session, `secondsAgo` the age of its last
 * report.
 */
export async function findPlayingElsewhere(db: Db, userId: string, sessionId: string) {
  const [row] = await db
    .select({
      device: sessions.device,
      audioId: playingSessions.audioId,
      secondsAgo: sql<number>`greatest(0, extract(epoch from now() - ${playingSessions.notedAt}))::int`,
    })
    .from(playingSessions)
    .innerJoin(sessions, eq(sessions.id, playingSessions.sessionId))
    .where(isElsewhere(userId, sessionId));
  return row;
}

/**
 * Makes this session the playing one; the other one learns of it with its next report and pauses.
 * @returns what played there and its saved second, null when it was heard to its end, and the next audio has not reported
 *   yet; undefined when nothing plays elsewhere any more
 */
export async function takeOverPlaying(
  db: Db,
  userId: string,
  sessionId: string,
): Promise<{ audioId: string; seconds: number | null } | undefined> {
  const [taken] = await db
    .update(playingSessions)
    .set({ sessionId, takenFrom: playingSessions.sessionId, notedAt: sql`now()` })
    .where(isElsewhere(userId, sessionId))
    .returning({ audioId: playingSessions.audioId });
  if (taken === undefined) return undefined;
  const [place] = await db
    .select({ positionMs: listeningProgress.positionMs, hasEnded: sql<boolean>`${isEnd}` })
    .from(listeningProgress)
    .where(and(eq(listeningProgress.userId, userId), eq(listeningProgress.audioId, taken.audioId)));
  return { audioId: taken.audioId, seconds: place?.hasEnded ? null : (place?.positionMs ?? 0) / 1000 };
}

function isElsewhere(userId: string, sessionId: string) {
  return and(
    eq(playingSessions.userId, userId),
    ne(playingSessions.sessionId, sessionId),
    playingSessions.isPlaying,
    gt(playingSessions.notedAt, sql`now() - make_interval(secs => ${playingSeconds})`),
  );
}
