import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { countListeners } from '../listening/listener-sketch.ts';
import { audioDays, voiceDays } from '../listening/tables.ts';
import { union } from '../studio/figures/small-groups.ts';
import { fewestListeners } from '../studio/rules.ts';

/** Hours of fewer than ten listeners in a month are not shown; the amount is. */

/** @returns the months of a creator that had ten listeners. @param from `2026-10` */
export function readMonthsWithListeners(db: Db, voiceId: string, from: string): Promise<Set<string>> {
  return readLarge(
    db,
    sql`select to_char(day, 'YYYY-MM') as key, members from ${voiceDays}
      where voice_id = ${voiceId} and day >= ${`${from}-01`}::date`,
  );
}

/** @returns the audios that had ten listeners in the month */
export function readAudiosWithListeners(db: Db, audioIds: string[], month: string): Promise<Set<string>> {
  return readLarge(
    db,
    sql`select audio_id::text as key, members from ${audioDays}
      where audio_id = any(${sql.param(audioIds)}::uuid[]) and day >= ${`${month}-01`}::date
        and day < ${`${month}-01`}::date + interval '1 month'`,
  );
}

async function readLarge(db: Db, days: SQL): Promise<Set<string>> {
  // Ten listeners take 20 bytes; with over 30 there are ten of them in any case.
  const { rows } = await db.execute<{ key: string; many: boolean; small: Buffer[] | null }>(sql`
    select key, bool_or(octet_length(members) > 64) as many,
      array_agg(members) filter (where octet_length(members) <= 64) as small
    from (${days}) days where members is not null group by key`);
  return new Set(
    rows
      .filter(({ many, small }) => many || countListeners(union(small ?? [])) >= fewestListeners)
      .map(({ key }) => key),
  );
}
