-- Listening: places, history, plays and seconds heard; and the queue that goes from device to device.

-- Where a listener is in an audio. Written every few seconds: no index but the key, so that a change stays on its page.
create table listening_progress (
  user_id uuid not null references users (id) on delete cascade,
  audio_id uuid not null references audios (id) on delete cascade,
  position_ms integer not null check (position_ms >= 0),
  updated_at timestamptz(3) not null default now(),
  primary key (user_id, audio_id)
) with (fillfactor = 70);
--> statement-breakpoint
create index listening_progress_audio_idx on listening_progress (audio_id);
--> statement-breakpoint

-- What a listener heard, one row an audio; theirs to clear.
create table listening_history (
  user_id uuid not null references users (id) on delete cascade,
  audio_id uuid not null references audios (id) on delete cascade,
  listens integer not null default 0 check (listens >= 0),
  played30s integer not null default 0 check (played30s >= 0),
  listened_ms bigint not null default 0 check (listened_ms >= 0),
  last_listened_at timestamptz(3) not null default now(),
  listen_counted_at timestamptz(3),
  played30s_counted_at timestamptz(3),
  primary key (user_id, audio_id)
);
--> statement-breakpoint
create index listening_history_recent_idx on listening_history (user_id, last_listened_at desc, audio_id desc);
--> statement-breakpoint
create index listening_history_audio_idx on listening_history (audio_id);
--> statement-breakpoint
create table voice_listening (
  user_id uuid not null references users (id) on delete cascade,
  voice_id uuid not null references voices (id) on delete cascade,
  listened_ms bigint not null default 0 check (listened_ms >= 0),
  primary key (user_id, voice_id)
);
--> statement-breakpoint
create index voice_listening_voice_idx on voice_listening (voice_id);
--> statement-breakpoint

-- Up to when a user's time is accounted for: nobody can have heard more seconds than have passed.
create table listening_clocks (
  user_id uuid primary key references users (id) on delete cascade,
  audio_until timestamptz(3),
  voice_until timestamptz(3)
);
--> statement-breakpoint
-- Reports that were taken, so that one that comes twice counts once.
create table listening_reports (
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('listenCounter', 'played30sCounter', 'audioListenedSeconds', 'voiceListenedSeconds')),
  report_id text not null check (length(report_id) between 1 and 64),
  created_at timestamptz(3) not null default now(),
  primary key (user_id, kind, report_id)
);
--> statement-breakpoint
create index listening_reports_time_idx on listening_reports (created_at);
--> statement-breakpoint

-- Until then another play by the same listener does not count. The listener is a keyed hash; rows go within the hour after.
create table play_marks (
  listener text not null check (length(listener) = 43),
  audio_id uuid not null,
  until timestamptz(3) not null,
  primary key (listener, audio_id)
);
--> statement-breakpoint
create index play_marks_until_idx on play_marks (until);
--> statement-breakpoint

-- The ledger that creators are paid by: it names no listener, and outlives the audio. A day begins at midnight UTC.
create table listened_seconds (
  day timestamptz(3) not null check (day = date_trunc('day', day at time zone 'UTC') at time zone 'UTC'),
  audio_id uuid not null,
  voice_id uuid not null,
  milliseconds bigint not null default 0 check (milliseconds >= 0),
  reports bigint not null default 0 check (reports >= 0),
  primary key (day, audio_id, voice_id)
);
--> statement-breakpoint
create index listened_seconds_audio_idx on listened_seconds (audio_id, day);
--> statement-breakpoint
create index listened_seconds_voice_idx on listened_seconds (voice_id, day);
--> statement-breakpoint
-- How much was heard of each twentieth of an audio: the drop-off curve.
create table listened_parts (
  audio_id uuid not null references audios (id) on delete cascade,
  part smallint not null check (part between 0 and 19),
  milliseconds bigint not null default 0 check (milliseconds >= 0),
  primary key (audio_id, part)
);
--> statement-breakpoint

create table saved_queues (
  user_id uuid primary key references users (id) on delete cascade,
  version integer not null default 1 check (version > 0),
  queue jsonb not null check (jsonb_typeof(queue) = 'object'),
  updated_at timestamptz(3) not null default now()
);
