-- lock: 5s
-- Scripts that are timed against the recording of an audio, until the creator takes or discards the result (decision 096).
create table script_timings (
  -- Another one for each script, so that the work for a former one is dropped.
  id uuid primary key,
  audio_id uuid not null unique references audios on delete cascade,
  -- Texts, in their order.
  lines jsonb not null check (jsonb_typeof(lines) = 'array'),
  state text not null default 'waiting' check (state in ('waiting', 'running', 'ready', 'failed')),
  progress smallint not null default 0 check (progress between 0 and 100),
  -- Times that the work began.
  attempts smallint not null default 0,
  failure text check (failure in ('takes-too-much', 'unreadable', 'failed')),
  -- Start, end and certainty of each line, and the recording that they belong to.
  times jsonb check (jsonb_typeof(times) = 'array'),
  timed_file text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((state = 'ready') = (times is not null and timed_file is not null)),
  check ((state = 'failed') = (failure is not null))
);
--> statement-breakpoint
create index script_timings_waiting_idx on script_timings (id) where state in ('waiting', 'running');
--> statement-breakpoint
create trigger script_timings_touch before update on script_timings for each row execute function touch_updated_at();
