import { type SQL, sql } from 'drizzle-orm';
import { playsOfVoice } from '../catalogue/totals.ts';
import type { Db } from '../kernel/db.ts';
import type { SearchGroup } from './forms.ts';

/** Rows per read. */
const perRead = 2000;

/** SQL: plays of the audios in a series. */
export const playsOfSeries = (id: SQL) => sql`(select coalesce(sum(c.plays), 0)::float8
  from series_items i join audio_counts c on c.audio_id = i.audio_id where i.series_id = ${id})`;

/** SQL: plays of a user's public playlists. */
export const playsOfOwner = (id: SQL) => sql`(select coalesce(sum(c.plays), 0)::float8
  from user_playlists p join user_playlist_counts c on c.user_playlist_id = p.id
  where p.user_id = ${id} and p.is_public and p.deleted_at is null)`;

export type GroupPlays = { group: SearchGroup; key: string; plays: number };

/**
 * Play counts of documents played since a day (UTC, as `2026-11-23`), in batches; includes documents that are not
 * searchable.
 */
export async function* readPlays(db: Db, since: string): AsyncGenerator<GroupPlays[]> {
  yield* readPlayed(db, since, {
    counts: sql`audio_counts`,
    id: sql`audio_id`,
    plays: sql`select 'audios' as "group", audio_id as key, plays::float8 as plays from played
      union all select 'voices', v.id, ${playsOfVoice(sql`v.id`)} from
        (select distinct a.voice_id as id from played join audios a on a.id = played.audio_id) v
      union all select 'series', s.id, ${playsOfSeries(sql`s.id`)} from
        (select distinct i.series_id as id from played join series_items i on i.audio_id = played.audio_id) s`,
  });
  yield* readPlayed(db, since, {
    counts: sql`user_playlist_counts`,
    id: sql`user_playlist_id`,
    plays: sql`select 'usersPlaylists' as "group", search_key(user_playlist_id) as key, plays::float8 as plays from played
      union all select 'users', search_key(u.id), ${playsOfOwner(sql`u.id`)} from
        (select distinct p.user_id as id from played join user_playlists p on p.id = played.user_playlist_id) u`,
  });
}

async function* readPlayed(
  db: Db,
  since: string,
  { counts, id, plays }: Record<'counts' | 'id' | 'plays', SQL>,
): AsyncGenerator<GroupPlays[]> {
  type Place = { day: string; id: string; rows: number };
  let after: Place = { day: since, id: '00000000-0000-0000-0000-000000000000', rows: perRead };
  while (after.rows === perRead) {
    const { rows } = await db.execute<{ last: Place | null; found: GroupPlays[] | null }>(sql`
      with played as materialized (
        select * from ${counts} where (played_on, ${id}) > (${after.day}, ${after.id}) order by played_on, ${id} limit ${perRead}
      )
      select (select json_build_object('day', played_on, 'id', ${id}, 'rows', count(*) over ()) from played
          order by played_on desc, ${id} desc limit 1) as last,
        (select json_agg(found) from (${plays}) found) as found`);
    const { last, found } = rows[0] ?? {};
    if (!last || !found) return;
    yield found;
    after = last;
  }
}
