import { and, eq, sql } from 'drizzle-orm';
import { isFreeToAll, isPublished } from '../catalogue/audios.ts';
import { audios } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import { purgeRows } from '../kernel/purge.ts';
import type { User } from '../kernel/viewer.ts';
import { type CounterReport, isSecondsType } from './forms.ts';
import { canPlay } from './rules.ts';
import type { SecondsReport } from './ledger.ts';
import type { Counted } from './seconds.ts';
import { listeningReports } from './tables.ts';

/** Audios shorter than 30 s get no 30-second plays. */
const played30sMs = 30_000;

/**
 * Takes one report of a listener. Seconds above the limits are not counted, and nothing counts for an audio that the
 * listener may not hear. @param addSeconds batched by the site
 * @returns the counted amount: 1 or 0 for a counter, or seconds
 */
export async function increaseCounter(
  db: Db,
  viewer: User,
  report: CounterReport,
  addSeconds: (report: SecondsReport) => Promise<Counted>,
): Promise<Counted> {
  const { type, key, reportId, position, value = 0 } = report;
  if (isSecondsType(type))
    return addSeconds({
      kind: type,
      viewer,
      key,
      milliseconds: Math.floor(value * 1000),
      reportId,
      positionMs: position === undefined ? undefined : Math.round(position * 1000),
    });
  return countListen(db, viewer, { type, audioId: key, reportId });
}

/** Counts at most one per listener and audio within the audio's duration. */
async function countListen(
  db: Db,
  viewer: User,
  listen: { type: 'listenCounter' | 'played30sCounter'; audioId: string; reportId: string | undefined },
): Promise<Counted> {
  const { type, audioId, reportId } = listen;
  const [audio] = await db
    .select({ durationMs: audios.durationMs, isFree: isFreeToAll, voice: { id: audios.voiceId } })
    .from(audios)
    .where(and(eq(audios.id, audioId), isPublished));
  if (audio === undefined) return { ok: false, reason: 'not-found' };
  const isLong = type === 'listenCounter' || audio.durationMs >= played30sMs;
  if (!canPlay(viewer, audio) || !isLong) return { ok: true, counted: 0 };

  const [counter, countedAt] =
    type === 'listenCounter'
      ? [sql.identifier('listens'), sql.identifier('listen_counted_at')]
      : [sql.identifier('played30s'), sql.identifier('played30s_counted_at')];
  const counted = await db.transaction(async (tx) => {
    if (reportId !== undefined && !(await takeReport(tx, { userId: viewer.id, kind: type, reportId }))) return 0;
    // The user or the audio may be deleted at any moment; the row locks hold them until the row is written.
    const { rowCount } = await tx.execute(sql`
      insert into listening_history as h (user_id, audio_id, ${counter}, ${countedAt})
      select u.id, a.id, 1, now() from users u, audios a where u.id = ${viewer.id} and a.id = ${audioId}
      for key share of u, a
      on conflict (user_id, audio_id) do update
      set ${counter} = h.${counter} + 1, ${countedAt} = now(), last_listened_at = now()
      where h.${countedAt} is null or h.${countedAt} <= now() - ${audio.durationMs} * interval '1 ms'`);
    if (rowCount === 1) return 1;
    await tx.execute(sql`
      update listening_history set last_listened_at = now()
      where user_id = ${viewer.id} and audio_id = ${audioId} and last_listened_at < now() - interval '1 minute'`);
    return 0;
  });
  return { ok: true, counted };
}

/** @returns false for a duplicate report or a deleted user */
async function takeReport(
  tx: Db,
  { userId, kind, reportId }: Pick<typeof listeningReports.$inferInsert, 'userId' | 'kind' | 'reportId'>,
): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    insert into listening_reports (user_id, kind, report_id)
    select id, ${kind}, ${reportId} from users where id = ${userId} for key share
    on conflict do nothing`);
  return rowCount === 1;
}

/** Duplicate reports arrive soon, so old ids can go. @returns how many were deleted */
export async function purgeOldReports(db: Db, keepDays: number, signal?: AbortSignal): Promise<number> {
  const isOld = sql`${listeningReports.createdAt} < now() - make_interval(days => ${keepDays})`;
  return purgeRows(db, listeningReports, isOld, signal, listeningReports.createdAt);
}
