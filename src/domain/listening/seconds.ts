import { and, inArray, sql } from 'drizzle-orm';
import { isFreeToAll, isPublished } from '../catalogue/audios.ts';
import { audios } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import {
  writeAudioSeconds,
  writeVoiceSeconds,
  type HeardReport,
  type SecondsKind,
  type SecondsReport,
  type Subject,
} from './ledger.ts';
import { isInTrialSql } from '../membership/entitlement.ts';
import { canPlay } from './rules.ts';
import { listeningClocks } from './tables.ts';

export type Counted = { ok: true; counted: number } | { ok: false; reason: 'not-found' };

/** Late offline reports are capped at 12 h. */
const maxCreditMs = 12 * 60 * 60 * 1000;

/**
 * Takes many reports in one commit. Each counts at most twice the duration (spec §4), and a user's reports together no
 * more than the time since the first one: these are wall-clock seconds at any speed.
 */
export async function addSeconds(db: Db, reports: SecondsReport[]): Promise<Counted[]> {
  const subjects = await findSubjects(db, reports);
  const accepted = reports.filter((report) => subjects.has(subjectKey(report)));
  const counted = new Map<SecondsReport, number>();
  if (accepted.length > 0) {
    await db.transaction(async (tx) => {
      counted.clear();
      const clocks = await lockClocks(tx, accepted);
      const fresh = await takeReports(tx, accepted);
      const heard: HeardReport[] = [];
      for (const report of accepted) {
        const subject = subjects.get(subjectKey(report));
        const clock = clocks.get(report.viewer.id)?.[report.kind];
        if (subject === undefined || clock === undefined || !fresh.has(report)) continue;
        const isHearable = report.kind === 'voiceListenedSeconds' || canPlay(report.viewer, subject);
        const max = 2 * subject.durationMs;
        const milliseconds = isHearable ? Math.min(report.milliseconds, max, clock.credit ?? max) : 0;
        if (milliseconds === 0) continue;
        clock.credit = (clock.credit ?? Math.max(clock.sinceJoined, milliseconds)) - milliseconds;
        counted.set(report, milliseconds);
        heard.push({
          report,
          subject,
          milliseconds,
          isInTrial: clocks.get(report.viewer.id)?.isInTrial ?? false,
        });
      }
      await keepClocks(tx, clocks);
      const { audioListenedSeconds = [], voiceListenedSeconds = [] } = Object.groupBy(
        heard,
        ({ report }) => report.kind,
      );
      await writeAudioSeconds(tx, audioListenedSeconds);
      await writeVoiceSeconds(tx, voiceListenedSeconds);
    });
  }
  return reports.map((report) =>
    subjects.has(subjectKey(report))
      ? { ok: true, counted: (counted.get(report) ?? 0) / 1000 }
      : { ok: false, reason: 'not-found' },
  );
}

function subjectKey({ kind, key }: SecondsReport): string {
  return `${kind} ${key}`;
}

async function findSubjects(db: Db, reports: SecondsReport[]): Promise<Map<string, Subject>> {
  const keysOf = (kind: SecondsKind) => [...new Set(reports.filter((one) => one.kind === kind).map(({ key }) => key))];
  const subjects = new Map<string, Subject>();
  const audioIds = keysOf('audioListenedSeconds');
  if (audioIds.length > 0) {
    const rows = await db
      .select({ id: audios.id, voice: { id: audios.voiceId }, durationMs: audios.durationMs, isFree: isFreeToAll })
      .from(audios)
      .where(and(inArray(audios.id, audioIds), isPublished));
    for (const { id, ...subject } of rows) subjects.set(`audioListenedSeconds ${id}`, subject);
  }
  const voiceIds = keysOf('voiceListenedSeconds');
  if (voiceIds.length > 0) {
    const { rows } = await db.execute<{ id: string; duration_ms: number }>(sql`
      select v.id, coalesce((select max(a.duration_ms) from audios a where a.voice_id = v.id and a.published_at <= now()), 0) as duration_ms
      from voices v where v.id = any(${sql.param(voiceIds)}::uuid[])`);
    for (const { id, duration_ms } of rows)
      subjects.set(`voiceListenedSeconds ${id}`, { voice: { id }, durationMs: duration_ms, isFree: true });
  }
  return subjects;
}

/**
 * Milliseconds that may still count; undefined before the first report, which is limited by its audio only. Later
 * reports may cover the same offline hours, so from then on the time since the user joined counts.
 */
type Clock = { credit: number | undefined; sinceJoined: number };
type Clocks = Map<string, Record<SecondsKind, Clock> & { at: number; isInTrial: boolean }>;

/** Locks serialize the reports of a user across processes. A deleted user has no clock. */
async function lockClocks(tx: Db, reports: SecondsReport[]): Promise<Clocks> {
  const userIds = [...new Set(reports.map(({ viewer }) => viewer.id))];
  const ids = sql`${sql.param(userIds)}::uuid[]`;
  await tx.execute(sql`
    insert into listening_clocks (user_id) select id from users where id = any(${ids}) order by id on conflict do nothing`);
  // Reads the clock after waiting for the lock, or it would miss time that was accounted for meanwhile.
  const credit = (until: string) =>
    sql`(extract(epoch from clock_timestamp() - ${sql.identifier(until)}) * 1000)::float8`;
  const { rows } = await tx.execute<{
    user_id: string;
    at: number;
    audio: number | null;
    voice: number | null;
    in_trial: boolean;
    joined: number;
  }>(sql`
    select user_id, (select ${credit('created_at')} from users where id = user_id) as joined, ${isInTrialSql(listeningClocks.userId)} as in_trial, (extract(epoch from clock_timestamp()) * 1000)::float8 as at, ${credit('audio_until')} as audio, ${credit('voice_until')} as voice
    from listening_clocks where user_id = any(${ids}) order by user_id for update`);
  return new Map(
    rows.map(({ user_id, at, audio, voice, in_trial, joined }) => [
      user_id,
      {
        at,
        isInTrial: in_trial,
        audioListenedSeconds: { credit: toCredit(audio), sinceJoined: toCredit(joined) ?? 0 },
        voiceListenedSeconds: { credit: toCredit(voice), sinceJoined: toCredit(joined) ?? 0 },
      },
    ]),
  );
}

function toCredit(milliseconds: number | null): number | undefined {
  return milliseconds === null ? undefined : Math.min(Math.max(0, Math.floor(milliseconds)), maxCreditMs);
}

async function keepClocks(tx: Db, clocks: Clocks): Promise<void> {
  const entries = [...clocks];
  const until = (kind: SecondsKind) =>
    sql.param(
      entries.map(([, clock]) => {
        const { credit } = clock[kind];
        return credit === undefined ? null : new Date(clock.at - credit).toISOString();
      }),
    );
  await tx.execute(sql`
    update listening_clocks c set audio_until = i.audio_until, voice_until = i.voice_until
    from unnest(${sql.param(entries.map(([id]) => id))}::uuid[], ${until('audioListenedSeconds')}::timestamptz[],
      ${until('voiceListenedSeconds')}::timestamptz[]) as i (user_id, audio_until, voice_until)
    where c.user_id = i.user_id`);
}

/** @returns the reports not taken before; reports without an id cannot be deduplicated */
async function takeReports(tx: Db, reports: SecondsReport[]): Promise<Set<SecondsReport>> {
  const named = reports.filter(({ reportId }) => reportId !== undefined);
  const fresh = new Set(reports.filter(({ reportId }) => reportId === undefined));
  if (named.length === 0) return fresh;
  const { rows } = await tx.execute<{ user_id: string; kind: string; report_id: string }>(sql`
    insert into listening_reports (user_id, kind, report_id)
    select i.user_id, i.kind, i.report_id
    from unnest(${sql.param(named.map(({ viewer }) => viewer.id))}::uuid[], ${sql.param(named.map(({ kind }) => kind))}::text[],
      ${sql.param(named.map(({ reportId }) => reportId))}::text[]) as i (user_id, kind, report_id)
    join listening_clocks c on c.user_id = i.user_id
    order by i.user_id, i.kind, i.report_id
    on conflict do nothing returning user_id, kind, report_id`);
  const taken = new Set(rows.map((row) => `${row.user_id} ${row.kind} ${row.report_id}`));
  for (const report of named) {
    // Duplicates in a batch: only the first counts.
    if (taken.delete(`${report.viewer.id} ${report.kind} ${report.reportId}`)) fresh.add(report);
  }
  return fresh;
}
