import { type SQL, sql } from 'drizzle-orm';
import { playsOfVoice } from '../catalogue/totals.ts';
import type { Db } from '../kernel/db.ts';
import { kindOf } from './entries.ts';

/** SQL: plays of the audios in a series. */
export const playsOfSeries = (id: SQL) => sql`(select coalesce(sum(c.plays), 0)::float8
  from series_items i join audio_counts c on c.audio_id = i.audio_id where i.series_id = ${id})`;

/** SQL: plays of a user's public playlists. */
export const playsOfOwner = (id: SQL) => sql`(select coalesce(sum(c.plays), 0)::float8
  from user_playlists p join user_playlist_counts c on c.user_playlist_id = p.id
  where p.user_id = ${id} and p.is_public and p.deleted_at is null)`;

/** SQL: ranks ties by their plays; the logarithm, so that few plays change it. */
export const popularityOf = (plays: SQL) => sql`round(log(2, 1 + greatest(0, ${plays})::numeric) * 8)::smallint`;

export type Popularity = { kind: number; key: string; popularity: number };

/** Documents that have become more popular by plays since a day (UTC, as `2026-11-23`). */
export async function findRisen(db: Db, since: string): Promise<Popularity[]> {
  const { rows } = await db.execute<Popularity>(sql`
    with audios_played as materialized (
      select a.id, a.voice_id, c.plays from audio_counts c join audios a on a.id = c.audio_id where c.played_on >= ${since}::date
    ), lists_played as materialized (
      select p.id, p.user_id, c.plays from user_playlist_counts c join user_playlists p on p.id = c.user_playlist_id
      where c.played_on >= ${since}::date
    ), played (kind, key, plays) as (
      select ${kindOf('audios')}::smallint, id, plays from audios_played
      union all select ${kindOf('voices')}, v.id, ${playsOfVoice(sql`v.id`)} from (select distinct voice_id as id from audios_played) v
      union all select ${kindOf('series')}, s.id, ${playsOfSeries(sql`s.id`)}
        from (select distinct series_id as id from series_items where audio_id in (select id from audios_played)) s
      union all select ${kindOf('usersPlaylists')}, search_key(id), plays from lists_played
      union all select ${kindOf('users')}, search_key(id), ${playsOfOwner(sql`u.id`)} from (select distinct user_id as id from lists_played) u
    )
    select * from (
      select d.kind, d.key, d.popularity as former, ${popularityOf(sql`plays`)} as popularity
      from played join search_documents d using (kind, key)
    ) d where popularity <> former`);
  return rows;
}
