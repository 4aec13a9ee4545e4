-- lock: 5s
-- transaction: none
-- The creators in each playlist of the site, so that the playlists of a creator with many audios are found by one index.
-- Each statement may run again.

create table if not exists playlist_voices (
  voice_id uuid not null references voices (id) on delete cascade,
  playlist_id uuid not null references playlists (id) on delete cascade,
  -- When the first of the creator's audios in the playlist was or will be published.
  published_at timestamptz(3) not null,
  primary key (voice_id, playlist_id)
);
--> statement-breakpoint
create index if not exists playlist_voices_playlist_idx on playlist_voices (playlist_id);
--> statement-breakpoint
create or replace function recount_playlists(ids uuid[]) returns void language plpgsql as $$
begin
  insert into playlist_counts (playlist_id) select id from playlists where id = any(ids) order by id on conflict do nothing;
  -- Locked before the items are read, so that the last of several writers counts the items of all.
  perform from playlist_counts where playlist_id = any(ids) order by playlist_id for no key update;
  update playlist_counts c set (audios, duration_ms) = (
    select count(*)::int, coalesce(sum(a.duration_ms), 0) from playlist_items i join audios a on a.id = i.audio_id
    where i.playlist_id = c.playlist_id)
  where c.playlist_id = any(ids);
  delete from playlist_voices where playlist_id = any(ids);
  insert into playlist_voices (voice_id, playlist_id, published_at)
  select a.voice_id, i.playlist_id, min(a.published_at) from playlist_items i join audios a on a.id = i.audio_id
  where i.playlist_id = any(ids) and a.published_at is not null group by a.voice_id, i.playlist_id;
end $$;
--> statement-breakpoint
create or replace function recount_playlists_of_audios() returns trigger language plpgsql as $$
declare
  ids uuid[] := array(
    select distinct i.playlist_id from added n join removed o on o.id = n.id join playlist_items i on i.audio_id = n.id
    where (n.duration_ms, n.published_at, n.voice_id) is distinct from (o.duration_ms, o.published_at, o.voice_id));
begin
  if ids <> '{}' then perform recount_playlists(ids); end if;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger audios_playlists_recounted after update on audios referencing old table as removed new table as added
  for each statement execute function recount_playlists_of_audios();
--> statement-breakpoint
drop trigger if exists audios_playlist_counts on audios;
--> statement-breakpoint
drop function if exists recount_playlists_of_audio();
--> statement-breakpoint
select recount_playlists(array(select id from playlists));
