import { and, desc, eq, gt, lt, sql } from 'drizzle-orm';
import type { Audio } from '../catalogue/audios.ts';
import { findAudiosByIds, isPublished } from '../catalogue/audios.ts';
import { audios } from '../catalogue/tables.ts';
import type { Db } from '../db.ts';
import type { Viewer } from '../identity/rules.ts';
import { isNotLeftOut } from '../library/left-out-tags.ts';
import { listeningProgress } from './tables.ts';

/** A place to keep; null: it was heard to its end, or shall be forgotten. */
export type ProgressChange = { userId: string; audioId: string; positionMs: number | null };

/** An audio in progress and where to go on in it (seconds). */
export type InProgress = { audio: Audio; seconds: number; updatedAt: Date };

/** This near the end nothing is left to go on with. */
const overMs = 1000;

/**
 * Keeps many places in one statement and one commit. Of several for the same audio of a user the last is kept.
 * @returns for each change the place as it is kept, in milliseconds, at most the audio's duration; undefined for an audio
 *   that is not there. For a null place: null.
 */
export async function saveProgress(db: Db, changes: ProgressChange[]): Promise<(number | null | undefined)[]> {
  const last = [...new Map(changes.map((change) => [keyOf(change), change])).values()];
  const column = (values: unknown[]) => sql.param(values);
  // Rows are written in the order of their key, so that two processes cannot wait for each other.
  const { rows } = await db.execute<{ user_id: string; audio_id: string; duration_ms: number }>(sql`
    with input as materialized (
      select * from unnest(
        ${column(last.map(({ userId }) => userId))}::uuid[],
        ${column(last.map(({ audioId }) => audioId))}::uuid[],
        ${column(last.map(({ positionMs }) => positionMs))}::int[]
      ) as i (user_id, audio_id, position_ms)
    ), known as materialized (
      select i.user_id, i.audio_id, least(i.position_ms, a.duration_ms) as position_ms, a.duration_ms
      from input i
      join audios a on a.id = i.audio_id and a.published_at <= now()
      join users u on u.id = i.user_id
      where i.position_ms is not null
      order by i.user_id, i.audio_id
    ), saved as (
      insert into listening_progress (user_id, audio_id, position_ms)
      select user_id, audio_id, position_ms from known
      on conflict (user_id, audio_id) do update set position_ms = excluded.position_ms, updated_at = now()
    ), removed as (
      delete from listening_progress p using input i
      where i.position_ms is null and p.user_id = i.user_id and p.audio_id = i.audio_id
    ), remembered as (
      insert into listening_history (user_id, audio_id)
      select k.user_id, k.audio_id from known k
      where not exists (select from listening_history h where h.user_id = k.user_id and h.audio_id = k.audio_id
        and h.last_listened_at > now() - interval '1 minute')
      on conflict (user_id, audio_id) do update set last_listened_at = now()
    )
    select user_id, audio_id, duration_ms from known`);
  const durations = new Map(rows.map((row) => [`${row.user_id} ${row.audio_id}`, row.duration_ms]));
  return changes.map((change) => {
    if (change.positionMs === null) return null;
    const duration = durations.get(keyOf(change));
    return duration === undefined ? undefined : Math.min(change.positionMs, duration);
  });
}

function keyOf({ userId, audioId }: ProgressChange): string {
  return `${userId} ${audioId}`;
}

/** What a listener can go on with, the last heard first. Nothing for visitors: their places stay in the browser. */
export async function findContinueListening(db: Db, viewer: Viewer, limit: number): Promise<InProgress[]> {
  if (viewer.kind === 'visitor') return [];
  const rows = await db
    .select({
      audioId: listeningProgress.audioId,
      positionMs: listeningProgress.positionMs,
      updatedAt: listeningProgress.updatedAt,
    })
    .from(listeningProgress)
    .innerJoin(audios, eq(audios.id, listeningProgress.audioId))
    .where(
      and(
        eq(listeningProgress.userId, viewer.id),
        isPublished,
        isNotLeftOut(viewer, audios.id),
        gt(listeningProgress.positionMs, 0),
        lt(listeningProgress.positionMs, sql`${audios.durationMs} - ${overMs}`),
      ),
    )
    .orderBy(desc(listeningProgress.updatedAt), desc(listeningProgress.audioId))
    .limit(limit);
  const found = await findAudiosByIds(
    db,
    rows.map(({ audioId }) => audioId),
  );
  const byId = new Map(found.map((audio) => [audio.id, audio]));
  return rows.flatMap(({ audioId, positionMs, updatedAt }) => {
    const audio = byId.get(audioId);
    return audio === undefined ? [] : [{ audio, seconds: positionMs / 1000, updatedAt }];
  });
}
