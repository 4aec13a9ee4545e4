-- lock: 5s
-- A list that got an audio while that audio was being unpublished counted it for good. The list now waits for the audio.

create or replace function count_user_playlist_items() returns trigger language plpgsql as $$
begin
  perform from audios where id in (select audio_id from changed) order by id for share;
  perform recount_user_playlists(array(select distinct user_playlist_id from changed));
  return null;
end $$;
--> statement-breakpoint
create or replace function count_playlist_items() returns trigger language plpgsql as $$
begin
  perform from audios where id in (select audio_id from changed) order by id for share;
  perform recount_playlists(array(select distinct playlist_id from changed));
  return null;
end $$;
