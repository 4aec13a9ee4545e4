import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import type { User } from '../kernel/viewer.ts';
import { isEntitled } from '../membership/rules.ts';
import { type Hearable, audioParts, countsInLedger, spreadOverParts } from './rules.ts';

export type SecondsKind = 'audioListenedSeconds' | 'voiceListenedSeconds';

export type SecondsReport = {
  kind: SecondsKind;
  viewer: User;
  /** Id of the audio or of the voice. */
  key: string;
  milliseconds: number;
  reportId: string | undefined;
  positionMs: number | undefined;
};

/** The audio or voice of a report. For a voice, `durationMs` is that of its longest audio. */
export type Subject = Hearable & { durationMs: number };
/** A report with the milliseconds that count. */
export type HeardReport = { report: SecondsReport; subject: Subject; milliseconds: number; isInTrial: boolean };

/**
 * Writes seconds to the daily ledger, the parts of each audio, and the listeners' totals. Rows are written in key
 * order, against deadlocks, and the most contended rows last, to keep their locks short.
 */
export async function writeAudioSeconds(tx: Db, heard: HeardReport[]): Promise<void> {
  if (heard.length === 0) return;
  const users = sums(heard, ({ report }) => `${report.viewer.id} ${report.key}`);
  await tx.execute(sql`
    insert into listening_history as h (user_id, audio_id, listened_ms)
    select * from unnest(${column(users, 0)}::uuid[], ${column(users, 1)}::uuid[], ${amounts(users)}::bigint[]) order by 1, 2
    on conflict (user_id, audio_id) do update
    set listened_ms = h.listened_ms + excluded.listened_ms, last_listened_at = now()`);

  const counting = heard.filter(({ report, subject }) => countsInLedger(report.viewer, subject));
  if (counting.length === 0) return;
  const keyOf = ({ report, subject }: HeardReport) => `${report.key} ${subject.voice.id}`;
  const audios = sums(counting, keyOf);
  const inTrial = counting.filter((report) => report.isInTrial);
  const free = counting.filter(({ report }) => !isEntitled(report.viewer));
  await tx.execute(sql`
    insert into listened_seconds as l (day, audio_id, voice_id, milliseconds, reports, trial_ms, free_ms)
    select date_trunc('day', now() at time zone 'UTC') at time zone 'UTC', *
    from unnest(${column(audios, 0)}::uuid[], ${column(audios, 1)}::uuid[], ${amounts(audios)}::bigint[],
      ${sql.param(audios.map(({ reports }) => reports))}::bigint[], ${sumsLike(audios, inTrial, keyOf)}::bigint[],
      ${sumsLike(audios, free, keyOf)}::bigint[]) order by 2, 3
    on conflict (day, audio_id, voice_id) do update
    set milliseconds = l.milliseconds + excluded.milliseconds, reports = l.reports + excluded.reports,
      trial_ms = l.trial_ms + excluded.trial_ms, free_ms = l.free_ms + excluded.free_ms`);

  const parts = sums(
    counting.flatMap(({ report, subject, milliseconds }) =>
      report.positionMs === undefined
        ? []
        : spreadOverParts({ milliseconds, positionMs: report.positionMs }, subject.durationMs).map(
            ([part, partMs]) => ({ key: `${report.key} ${part}`, milliseconds: partMs }),
          ),
    ),
    ({ key }) => key,
  );
  await noteForFigures(tx, audios, parts);
  if (parts.length === 0) return;
  await tx.execute(sql`
    insert into listened_parts as p (audio_id, part, milliseconds)
    select * from unnest(${column(parts, 0)}::uuid[], ${column(parts, 1)}::smallint[], ${amounts(parts)}::bigint[]) order by 1, 2
    on conflict (audio_id, part) do update set milliseconds = p.milliseconds + excluded.milliseconds`);
}

/** @param audios, parts keyed by audio and voice, and by audio and part */
async function noteForFigures(tx: Db, audios: Sum[], parts: Sum[]): Promise<void> {
  const partsOf = new Map<string, number[]>();
  for (const { key, milliseconds } of parts) {
    const [audioId = '', part] = key;
    const list = partsOf.get(audioId) ?? Array.from({ length: audioParts }, () => 0);
    list[Number(part)] = milliseconds;
    partsOf.set(audioId, list);
  }
  const texts = audios.map(({ key: [audioId = ''] }) => partsOf.get(audioId)).map((list) => list && `{${list.join()}}`);
  await tx.execute(sql`
    insert into figure_changes (kind, audio_id, voice_id, amount, parts)
    select 'heard', audio_id, voice_id, amount, parts::bigint[]
    from unnest(${column(audios, 0)}::uuid[], ${column(audios, 1)}::uuid[], ${amounts(audios)}::bigint[],
      ${sql.param(texts.map((text) => text ?? null))}::text[]) as i (audio_id, voice_id, amount, parts)`);
}

/**
 * Writes only the listener's total: the ledger derives a voice's seconds from its audios, and the browser reports the
 * same listening for both.
 */
export async function writeVoiceSeconds(tx: Db, heard: HeardReport[]): Promise<void> {
  if (heard.length === 0) return;
  const voices = sums(heard, ({ report }) => `${report.viewer.id} ${report.key}`);
  await tx.execute(sql`
    insert into voice_listening as v (user_id, voice_id, listened_ms)
    select * from unnest(${column(voices, 0)}::uuid[], ${column(voices, 1)}::uuid[], ${amounts(voices)}::bigint[]) order by 1, 2
    on conflict (user_id, voice_id) do update set listened_ms = v.listened_ms + excluded.listened_ms`);
}

type Sum = { key: string[]; milliseconds: number; reports: number };

function sums<Item extends { milliseconds: number }>(items: Item[], keyOf: (item: Item) => string): Sum[] {
  const byKey = new Map<string, Sum>();
  for (const item of items) {
    const key = keyOf(item);
    const sum = byKey.get(key) ?? { key: key.split(' '), milliseconds: 0, reports: 0 };
    byKey.set(key, sum);
    sum.milliseconds += item.milliseconds;
    sum.reports += 1;
  }
  return [...byKey.values()];
}

/** Milliseconds of some of the reports, in the order of `all`. */
function sumsLike(all: Sum[], some: HeardReport[], keyOf: (report: HeardReport) => string) {
  const byKey = new Map(sums(some, keyOf).map(({ key, milliseconds }) => [key.join(' '), milliseconds]));
  return sql.param(all.map(({ key }) => byKey.get(key.join(' ')) ?? 0));
}

function column(list: Sum[], index: number) {
  return sql.param(list.map(({ key }) => key[index]));
}

function amounts(list: Sum[]) {
  return sql.param(list.map(({ milliseconds }) => milliseconds));
}
