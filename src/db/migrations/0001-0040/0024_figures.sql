-- lock: 5s
-- Figures for creators, per day (UTC), without a listener.

-- A play that reached the last twentieth counts as heard to the end, once.
alter table play_marks add column ended boolean not null default false;
--> statement-breakpoint

-- What happened since the figures were last added up. Rows are only ever added, so that nobody who listens waits for a
-- lock; a job adds them up and deletes them.
create table figure_changes (
  day date not null default (now() at time zone 'UTC')::date,
  kind text not null check (kind in ('play', 'end', 'heard', 'favorite', 'unfavorite', 'follow', 'unfollow')),
  voice_id uuid not null,
  -- Null for followers.
  audio_id uuid,
  -- Times; milliseconds for `heard`.
  amount bigint not null default 1,
  -- Of a play: whether the listener was logged in, the content-source tag, and the entry of the sketch of listeners.
  is_member boolean,
  source text check (length(source) <= 40),
  mark integer check (mark between 0 and 65535),
  -- Of `heard`: milliseconds in each twentieth of the audio.
  parts bigint[] check (array_length(parts, 1) = 20),
  check ((kind in ('follow', 'unfollow')) = (audio_id is null)),
  check ((kind = 'play') = (mark is not null))
);
--> statement-breakpoint

create table audio_days (
  audio_id uuid not null references audios (id) on delete cascade,
  day date not null,
  plays integer not null default 0,
  -- Plays of listeners who were logged in: only they tell how far they listened.
  member_plays integer not null default 0,
  -- Of these, plays that reached the last twentieth.
  ends integer not null default 0,
  heard_ms bigint not null default 0,
  favorites_added integer not null default 0,
  favorites_removed integer not null default 0,
  -- All plays up to the end of this day, so that the plays of a period are a difference of two rows.
  plays_total bigint not null default 0,
  parts bigint[] check (array_length(parts, 1) = 20),
  -- Distinct listeners, and those of them who were logged in: `listener-sketch.ts`.
  listeners bytea check (octet_length(listeners) <= 2048),
  members bytea check (octet_length(members) <= 2048),
  primary key (audio_id, day)
);
--> statement-breakpoint
create index audio_days_day_idx on audio_days (day);
--> statement-breakpoint

create table audio_source_days (
  audio_id uuid not null references audios (id) on delete cascade,
  day date not null,
  -- Content-source tag (spec §7); `unknown` for players that send none.
  source text not null check (length(source) between 1 and 40),
  plays integer not null default 0,
  listeners bytea check (octet_length(listeners) <= 2048),
  primary key (audio_id, day, source)
);
--> statement-breakpoint
create index audio_source_days_day_idx on audio_source_days (day);
--> statement-breakpoint

create table voice_days (
  voice_id uuid not null references voices (id) on delete cascade,
  day date not null,
  plays integer not null default 0,
  member_plays integer not null default 0,
  ends integer not null default 0,
  heard_ms bigint not null default 0,
  favorites_added integer not null default 0,
  favorites_removed integer not null default 0,
  followers_added integer not null default 0,
  followers_removed integer not null default 0,
  listeners bytea check (octet_length(listeners) <= 2048),
  members bytea check (octet_length(members) <= 2048),
  primary key (voice_id, day)
);
--> statement-breakpoint
create index voice_days_day_idx on voice_days (day);
--> statement-breakpoint

-- As before, and each change is noted for the figures: an added favorite on the day it carries, a removed one today.
create or replace function count_audio_favorites() returns trigger language plpgsql as $$
begin
  perform from audio_counts where audio_id in (select content_id from changed) order by audio_id for no key update;
  update audio_counts c set favorites = c.favorites + case tg_op when 'INSERT' then n.total else -n.total end
  from (select content_id, count(*)::int as total from changed group by content_id) n where c.audio_id = n.content_id;
  insert into figure_changes (day, kind, voice_id, audio_id, amount)
  select case tg_op when 'INSERT' then (n.created_at at time zone 'UTC')::date else (now() at time zone 'UTC')::date end,
    case tg_op when 'INSERT' then 'favorite' else 'unfavorite' end, a.voice_id, a.id, count(*)
  from changed n join audios a on a.id = n.content_id group by 1, 2, 3, 4;
  return null;
end $$;
--> statement-breakpoint
create or replace function count_voice_favorites() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into voice_counts (voice_id) select distinct content_id from changed order by content_id on conflict do nothing;
  end if;
  perform from voice_counts where voice_id in (select content_id from changed) order by voice_id for no key update;
  update voice_counts c set favorites = c.favorites + case tg_op when 'INSERT' then n.total else -n.total end
  from (select content_id, count(*)::int as total from changed group by content_id) n where c.voice_id = n.content_id;
  insert into figure_changes (day, kind, voice_id, amount)
  select case tg_op when 'INSERT' then (n.created_at at time zone 'UTC')::date else (now() at time zone 'UTC')::date end,
    case tg_op when 'INSERT' then 'follow' else 'unfollow' end, v.id, count(*)
  from changed n join voices v on v.id = n.content_id group by 1, 2, 3;
  return null;
end $$;
