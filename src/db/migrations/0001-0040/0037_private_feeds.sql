-- lock: 5s
-- Feeds of subscribers for their podcast apps. The token is known to its user only.

create table private_feeds (
  id uuid primary key,
  user_id uuid not null references users (id),
  kind text not null check (kind in ('all', 'voice', 'series', 'library', 'playlist', 'userPlaylist')),
  -- Of a voice, series or playlist. No foreign key: a deleted subject leaves an empty feed that says so.
  subject_id uuid,
  -- SHA-256 of the token, in hex.
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamp(3) with time zone not null default now(),
  last_used_at timestamp(3) with time zone,
  -- Stopped because too many networks used its address; a new address starts it again.
  stopped_at timestamp(3) with time zone,
  -- When its user was told so.
  told_at timestamp(3) with time zone,
  constraint private_feeds_subject_check check ((kind in ('all', 'library')) = (subject_id is null))
);
--> statement-breakpoint
create index private_feeds_user_idx on private_feeds (user_id);
--> statement-breakpoint
create index private_feeds_untold_idx on private_feeds (stopped_at) where stopped_at is not null and told_at is null;
--> statement-breakpoint

-- Keyed hashes of the audios and networks of one feed on one day, to count them. Kept for two days.
create table feed_uses (
  feed_id uuid not null references private_feeds (id) on delete cascade,
  day date not null,
  kind text not null check (kind in ('download', 'network')),
  mark text not null check (length(mark) <= 64),
  primary key (feed_id, day, kind, mark)
);
--> statement-breakpoint
create index feed_uses_day_idx on feed_uses (day);
--> statement-breakpoint

-- Numbers of episodes within their creator's feed. Kept when an audio goes, so that no number is given twice.
create table episode_numbers (
  voice_id uuid not null references voices (id) on delete cascade,
  audio_id uuid not null,
  number integer not null check (number > 0),
  primary key (voice_id, audio_id),
  unique (voice_id, number)
);
--> statement-breakpoint
insert into episode_numbers (voice_id, audio_id, number)
select voice_id, id, row_number() over (partition by voice_id order by coalesce(first_published_at, published_at), id)
from audios where published_at <= now();
