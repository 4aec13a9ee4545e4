import { sql } from 'drizzle-orm';
import { addToMonth } from '../rules.ts';

/** Sums of the ledger in a month, from those that a job keeps and the changes that are not in them yet. */

/** Milliseconds that are paid for: by subscribers, and in trials if those count. */
export const countedSql = (column: string, countsTrials: boolean) =>
  sql.raw(`${column}.milliseconds - ${column}.free_ms${countsTrials ? '' : ` - ${column}.trial_ms`}`);

/** First days of a month and of the next one, as times. */
export const boundsOf = (month: string) => ({
  start: sql`${`${month}-01`}::timestamp at time zone 'UTC'`,
  end: sql`${`${addToMonth(month, 1)}-01`}::timestamp at time zone 'UTC'`,
});

/** Each audio of an open month. @param voiceId of that creator alone */
export function audioSums(month: string, countsTrials: boolean, voiceId?: string) {
  const { start, end } = boundsOf(month);
  const ofVoice = voiceId === undefined ? sql`` : sql`and voice_id = ${voiceId}`;
  return sql`(
    select voice_id, audio_id, sum(counted)::bigint as milliseconds,
      ${countsTrials ? sql`greatest(0, least(sum(counted), sum(trial_ms)))::bigint` : sql`0::bigint`} as trial_ms
    from (
      select voice_id, audio_id, ${countedSql('s', countsTrials)} as counted, trial_ms
      from summed_audio_seconds s where month = ${`${month}-01`} ${ofVoice}
      union all
      select voice_id, audio_id, ${countedSql('l', countsTrials)}, trial_ms
      from late_seconds l where day >= ${start} and day < ${end} ${ofVoice}
    ) parts group by voice_id, audio_id having sum(counted) > 0)`;
}
