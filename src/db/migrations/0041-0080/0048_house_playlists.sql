-- lock: 5s

-- A picture in place of the portraits of its creators; the key of a blob.
alter table playlists add column image_key text;
--> statement-breakpoint

-- How many audios a playlist of the site has and how long they last, for Admin's list of all playlists.

create table playlist_counts (
  playlist_id uuid primary key references playlists (id) on delete cascade,
  -- Drafts and unpublished audios too.
  audios integer not null default 0 check (audios >= 0),
  duration_ms bigint not null default 0 check (duration_ms >= 0)
);
--> statement-breakpoint
create function recount_playlists(ids uuid[]) returns void language plpgsql as $$
begin
  insert into playlist_counts (playlist_id) select id from playlists where id = any(ids) order by id on conflict do nothing;
  -- Locked before the sum is read, so that the last of several writers counts the items of all.
  perform from playlist_counts where playlist_id = any(ids) order by playlist_id for no key update;
  update playlist_counts c set (audios, duration_ms) = (
    select count(*)::int, coalesce(sum(a.duration_ms), 0) from playlist_items i join audios a on a.id = i.audio_id
    where i.playlist_id = c.playlist_id)
  where c.playlist_id = any(ids);
end $$;
--> statement-breakpoint
create function count_playlist_items() returns trigger language plpgsql as $$
begin
  perform recount_playlists(array(select distinct playlist_id from changed));
  return null;
end $$;
--> statement-breakpoint
create trigger playlist_items_added after insert on playlist_items
  referencing new table as changed for each statement execute function count_playlist_items();
--> statement-breakpoint
create trigger playlist_items_removed after delete on playlist_items
  referencing old table as changed for each statement execute function count_playlist_items();
--> statement-breakpoint
create function recount_playlists_of_audio() returns trigger language plpgsql as $$
begin
  perform recount_playlists(array(select playlist_id from playlist_items where audio_id = new.id));
  return null;
end $$;
--> statement-breakpoint
create trigger audios_playlist_counts after update of duration_ms on audios for each row
  when (old.duration_ms <> new.duration_ms) execute function recount_playlists_of_audio();
--> statement-breakpoint
select recount_playlists(array(select id from playlists));
