-- lock: 5s
-- What would otherwise be added up over the whole catalogue for each page, once it is large.

create table catalogue_totals (
  kind text not null check (kind in ('all', 'voice', 'category', 'tag')),
  -- Of a voice, category or tag; the nil UUID for all.
  subject_id uuid not null,
  audios integer not null check (audios >= 0),
  duration_ms bigint not null check (duration_ms >= 0),
  plays bigint not null check (plays >= 0),
  -- Ids of the tags used most, with their number of audios; of all and of categories.
  top_tags jsonb not null default '[]' check (jsonb_typeof(top_tags) = 'array'),
  primary key (kind, subject_id)
);
--> statement-breakpoint
create index catalogue_totals_plays_idx on catalogue_totals (kind, plays desc, subject_id);
--> statement-breakpoint

-- Audios that are in so many users' playlists that a job counts those anew, in batches.
create table recounted_audios (
  audio_id uuid primary key references audios (id) on delete cascade,
  -- The last playlist that was counted; null: none yet.
  after_id uuid,
  -- Grows with each change of the audio, so that a change while the job runs starts it again.
  version integer not null default 1
);
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
  set audios = c.audios + after - before, duration_ms = c.duration_ms + after * new.duration_ms - before * old.duration_ms
  from user_playlist_items i where i.audio_id = new.id and c.user_playlist_id = i.user_playlist_id;
  return null;
end $$;
--> statement-breakpoint
-- For the batches, in their order.
create index user_playlist_items_batch_idx on user_playlist_items (audio_id, user_playlist_id);
--> statement-breakpoint
drop index user_playlist_items_audio_idx;
