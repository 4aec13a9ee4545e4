import { isNull, eq, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import type { KeptReason } from '../../listening/forms.ts';
import { countListeners } from '../../listening/listener-sketch.ts';
import { keptPlayingDays } from '../../listening/tables.ts';
import { fewestListeners } from '../rules.ts';
import { monthsAround, orFew } from './figure-history.ts';
import type { Period } from './figure-periods.ts';
import { type DayRow, partsBy, splitSources } from './figure-sources.ts';

/** Audios that playback went on with by itself, and how many of them were heard to the half; null: fewer than ten. */
export type KeptPlaying = { reason: KeptReason | 'other'; plays: number; halves: number | null }[];

/**
 * By why they were chosen, for listeners with an account; empty for fewer than ten of them. `other`: reasons with fewer.
 * @param voiceId null: the whole site
 */
export async function readKeptPlaying(db: Db, voiceId: string | null, period: Period, now: Date): Promise<KeptPlaying> {
  const isOf = voiceId === null ? isNull(sql`d.voice_id`) : eq(sql`d.voice_id`, voiceId);
  const { rows } = await db.execute<DayRow>(sql`
    select d.day::text, d.reason as source, d.plays, d.halves, d.listeners from ${keptPlayingDays} d
    where ${isOf} and ${monthsAround(period)} order by d.day`);
  const [whole] = partsBy(rows, () => 'all', period, now);
  if (whole === undefined || countListeners(whole.listeners) < fewestListeners) return [];
  const parts = partsBy(rows, (reason) => reason, period, now);
  const { shown, rest } = splitSources(parts, whole, period, now);
  const ofRest = whole.halves - shown.reduce((sum, { halves }) => sum + halves, 0);
  return [
    ...shown.map(({ source, plays, halves }) => ({ reason: source as KeptReason, plays, halves: orFew(halves) })),
    ...(rest === 0 ? [] : [{ reason: 'other' as const, plays: rest, halves: orFew(ofRest) }]),
  ];
}
