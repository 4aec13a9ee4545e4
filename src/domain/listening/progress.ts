import { type SQL, and, desc, eq, gt, lt, sql } from 'drizzle-orm';
import { type Audio, findAudiosByIds, isPublished } from '../catalogue/audios.ts';
import { audios } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import { prepareOnce } from '../kernel/prepared.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { isWanted, seesEverything } from '../catalogue/visibility.ts';
import { listeningProgress } from './tables.ts';

/** A position to save; null when the audio was heard to its end. `notedAt` defaults to now. */
export type ProgressChange = {
  userId: string;
  audioId: string;
  positionMs: number | null;
  notedAt?: Date | undefined;
  /** Hash by `hashListener`: the listener's play counts as heard to the end once it reaches the last twentieth. */
  listener?: string;
};

/** An audio in progress and the position to resume from (seconds). */
export type InProgress = { audio: Audio; seconds: number; updatedAt: Date };

/** This close to the end, nothing is left to resume. */
const overMs = 1000;

/** A play counts as heard to the end in the last twentieth: credits and silence are often skipped. */
const endShare = 0.95;
/** For audios that playback goes on with by itself. */
const halfShare = 0.5;

/** Position value of a finished audio, beyond every duration; a late report of a position does not reopen it. */
const endedMs = 2 ** 31 - 1;

/** The row is a position, not an end. */
export const isPlace = lt(listeningProgress.positionMs, endedMs);
export const isEnd = eq(listeningProgress.positionMs, endedMs);

/**
 * Saves many positions in one statement. Per user and audio the latest `notedAt` wins, stored rows included.
 * @returns the saved position in milliseconds, capped at the duration; null for a null position; undefined for an
 * unknown audio
 */
export async function saveProgress(db: Db, changes: ProgressChange[]): Promise<(number | null | undefined)[]> {
  const newest = new Map<string, ProgressChange>();
  for (const change of changes)
    if (timeOf(change) >= timeOf(newest.get(keyOf(change)))) newest.set(keyOf(change), change);
  const last = [...newest.values()];
  const column = (values: unknown[]) => sql.param(values);
  const isPast = (share: number) => sql`coalesce(i.position_ms, a.duration_ms) >= a.duration_ms * ${share}::float8`;
  // Rows are written in key order, so that two processes cannot deadlock.
  const { rows } = await db.execute<{ user_id: string; audio_id: string; duration_ms: number }>(sql`
    with input as materialized (
      select user_id, audio_id, position_ms, least(noted_at, now()) as noted_at, listener from unnest(
        ${column(last.map(({ userId }) => userId))}::uuid[],
        ${column(last.map(({ audioId }) => audioId))}::uuid[],
        ${column(last.map(({ positionMs }) => positionMs))}::int[],
        ${column(last.map(({ notedAt }) => notedAt?.toISOString() ?? null))}::timestamptz[],
        ${column(last.map(({ listener }) => listener ?? null))}::text[]
      ) as i (user_id, audio_id, position_ms, noted_at, listener)
    ), known as materialized (
      select i.user_id, i.audio_id, least(i.position_ms, a.duration_ms) as position_ms, i.noted_at, a.duration_ms
      from input i
      join audios a on a.id = i.audio_id and a.published_at <= now()
      join users u on u.id = i.user_id
      where i.position_ms is not null
      order by i.user_id, i.audio_id
    ), saved as (
      insert into listening_progress (user_id, audio_id, position_ms, updated_at)
      select user_id, audio_id, position_ms, noted_at from known
      on conflict (user_id, audio_id) do update set position_ms = excluded.position_ms, updated_at = excluded.updated_at
      where listening_progress.updated_at <= excluded.updated_at
    ), ended as (
      insert into listening_progress (user_id, audio_id, position_ms, updated_at)
      select i.user_id, i.audio_id, ${endedMs}, i.noted_at
      from input i
      join audios a on a.id = i.audio_id and a.published_at <= now()
      join users u on u.id = i.user_id
      where i.position_ms is null
      order by i.user_id, i.audio_id
      on conflict (user_id, audio_id) do update set position_ms = excluded.position_ms, updated_at = excluded.updated_at
      where listening_progress.updated_at <= excluded.updated_at
    ), remembered as (
      insert into listening_history (user_id, audio_id)
      select k.user_id, k.audio_id from known k
      where not exists (select from listening_history h where h.user_id = k.user_id and h.audio_id = k.audio_id
        and h.last_listened_at > now() - interval '1 minute')
      on conflict (user_id, audio_id) do update set last_listened_at = now()
    ), reached as materialized (
      select m.listener, m.audio_id, a.voice_id, m.kept, ${isPast(endShare)} and not m.ended as is_end,
        m.kept is not null and not m.half as is_half
      from input i
      join audios a on a.id = i.audio_id and ${isPast(halfShare)}
      join play_marks m on m.listener = i.listener and m.audio_id = i.audio_id
      where m.kept is not null and not m.half or ${isPast(endShare)} and not m.ended
      order by m.listener, m.audio_id for no key update of m
    ), marked as (
      update play_marks m set ended = m.ended or r.is_end, half = m.half or r.is_half from reached r
      where m.listener = r.listener and m.audio_id = r.audio_id
      returning r.audio_id, r.voice_id, r.kept, r.is_end, r.is_half
    ), noted as (
      insert into figure_changes (kind, voice_id, audio_id, source)
      select 'end', voice_id, audio_id, null from marked where is_end
      union all select 'half', voice_id, audio_id, kept from marked where is_half
    )
    select user_id, audio_id, duration_ms from known`);
  const durations = new Map(rows.map((row) => [`${row.user_id} ${row.audio_id}`, row.duration_ms]));
  return changes.map((change) => {
    if (change.positionMs === null) return null;
    const duration = durations.get(keyOf(change));
    return duration === undefined ? undefined : Math.min(change.positionMs, duration);
  });
}

/** The stored position in an audio (seconds), or undefined. */
export async function findPlace(db: Db, userId: string, audioId: string): Promise<number | undefined> {
  const { positionMs } = listeningProgress;
  const [row] = await db
    .select({ positionMs })
    .from(listeningProgress)
    .where(and(eq(listeningProgress.userId, userId), eq(listeningProgress.audioId, audioId), isPlace));
  return row && row.positionMs / 1000;
}

function timeOf(change: ProgressChange | undefined): number {
  if (change === undefined) return Number.NEGATIVE_INFINITY;
  return change.notedAt?.getTime() ?? Number.POSITIVE_INFINITY;
}

function keyOf({ userId, audioId }: ProgressChange): string {
  return `${userId} ${audioId}`;
}

/** @param shown further condition */
function selectContinueListening(db: Db, shown?: SQL) {
  return db
    .select({
      audioId: listeningProgress.audioId,
      positionMs: listeningProgress.positionMs,
      updatedAt: listeningProgress.updatedAt,
    })
    .from(listeningProgress)
    .innerJoin(audios, eq(audios.id, listeningProgress.audioId))
    .where(
      and(
        eq(listeningProgress.userId, sql.placeholder('userId')),
        isPublished,
        shown,
        gt(listeningProgress.positionMs, 0),
        lt(listeningProgress.positionMs, sql`${audios.durationMs} - ${overMs}`),
      ),
    )
    .orderBy(desc(listeningProgress.updatedAt), desc(listeningProgress.audioId))
    .limit(sql.placeholder('limit'));
}

const preparedContinueListening = prepareOnce((db) => selectContinueListening(db).prepare('continue_listening'));

/** Audios to resume, last heard first. Empty for visitors: their positions stay in the browser. */
export async function findContinueListening(
  db: Db,
  viewer: Viewer,
  limit: number,
  audiosByIds = (ids: string[]) => findAudiosByIds(db, ids),
): Promise<InProgress[]> {
  if (viewer.kind === 'visitor') return [];
  const query = seesEverything(viewer)
    ? preparedContinueListening(db)
    : selectContinueListening(db, isWanted(viewer, audios.id));
  const rows = await query.execute({ userId: viewer.id, limit });
  const audioList = await audiosByIds(rows.map(({ audioId }) => audioId));
  const byId = new Map(audioList.map((audio) => [audio.id, audio]));
  return rows.flatMap(({ audioId, positionMs, updatedAt }) => {
    const audio = byId.get(audioId);
    return audio === undefined ? [] : [{ audio, seconds: positionMs / 1000, updatedAt }];
  });
}
