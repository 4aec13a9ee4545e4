import { type SQL, sql } from 'drizzle-orm';

/** Shares that count in a month. @param condition on audios, as `s.audio_id` */
export function sharesInForce(month: string, condition: SQL = sql`true`): SQL {
  return sql`(
    select s.audio_id, p.voice_id, v.name as voice_name, p.share from (
      select distinct on (s.audio_id) s.id, s.audio_id from splits s
      where s.month <= ${`${month}-01`} and ${condition}
      order by s.audio_id, s.month desc, s.proposed_at desc
    ) s
    join split_parts p on p.split_id = s.id and p.share > 0
    join voices v on v.id = p.voice_id)`;
}
