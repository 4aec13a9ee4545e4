-- lock: 5s
-- Listeners' playlists counted scheduled audios, which nobody sees in them yet.

-- Until then the list has scheduled audios, and its visible ones are counted when it is read; null: it has none. Never too
-- early: an audio that is published sooner, or removed, leaves it as it is.
alter table user_playlist_counts add column scheduled_until timestamptz(3);
--> statement-breakpoint
create or replace function recount_user_playlists(ids uuid[]) returns void language plpgsql as $$
begin
  perform from user_playlist_counts where user_playlist_id = any(ids) order by user_playlist_id for no key update;
  update user_playlist_counts c set (audios, duration_ms, scheduled_until) = (
    select count(*)::int, coalesce(sum(a.duration_ms), 0), max(a.published_at) filter (where a.published_at > now())
    from user_playlist_items i join audios a on a.id = i.audio_id
    where i.user_playlist_id = c.user_playlist_id and a.published_at is not null)
  where c.user_playlist_id = any(ids);
end $$;
--> statement-breakpoint
create or replace function count_changed_audio() returns trigger language plpgsql as $$
declare
  before integer := case when old.published_at is null then 0 else 1 end;
  after integer := case when new.published_at is null then 0 else 1 end;
begin
  -- More would hold locks that listeners wait for, and make publishing slow.
  if (select count(*) from (select from user_playlist_items where audio_id = new.id limit 201) few) > 200 then
    insert into recounted_audios as r (audio_id) values (new.id)
    on conflict (audio_id) do update set after_id = null, version = r.version + 1;
    return null;
  end if;
  perform from user_playlist_counts where user_playlist_id in (select user_playlist_id from user_playlist_items where audio_id = new.id)
    order by user_playlist_id for no key update;
  update user_playlist_counts c
  set audios = c.audios + after - before, duration_ms = c.duration_ms + after * new.duration_ms - before * old.duration_ms,
    scheduled_until = case when new.published_at > now() then greatest(c.scheduled_until, new.published_at) else c.scheduled_until end
  from user_playlist_items i where i.audio_id = new.id and c.user_playlist_id = i.user_playlist_id;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger audios_user_playlist_counts after update of published_at, duration_ms on audios for each row
  when ((old.published_at is null) <> (new.published_at is null) or old.duration_ms <> new.duration_ms
    or new.published_at > old.published_at)
  execute function count_changed_audio();
--> statement-breakpoint
update user_playlist_counts c set scheduled_until = later.published_at
from (select i.user_playlist_id, max(a.published_at) as published_at from audios a join user_playlist_items i on i.audio_id = a.id
  where a.published_at > now() group by i.user_playlist_id) later
where later.user_playlist_id = c.user_playlist_id;
