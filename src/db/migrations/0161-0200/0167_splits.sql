-- lock: 5s
-- Shares of an audio's earnings. All who have one agree, or the former shares stay.
create table splits (
  id uuid primary key,
  audio_id uuid not null references audios (id) on delete cascade,
  proposed_at timestamptz(3) not null default now(),
  -- First day of the month from which on it counts; null: somebody has not agreed.
  month date check (month = date_trunc('month', month)::date)
);
--> statement-breakpoint
create unique index splits_waiting_idx on splits (audio_id) where month is null;
--> statement-breakpoint
create index splits_audio_idx on splits (audio_id, month);
--> statement-breakpoint
create table split_parts (
  split_id uuid not null references splits (id) on delete cascade,
  voice_id uuid not null references voices (id) on delete cascade,
  -- Percent; 0 for a creator who had a share before, and is asked to give it up.
  share smallint not null check (share between 0 and 100),
  state text not null check (state in ('asked', 'agreed', 'declined')),
  reason text check (length(reason) between 1 and 500),
  answered_at timestamptz(3),
  primary key (split_id, voice_id)
);
--> statement-breakpoint
create index split_parts_voice_idx on split_parts (voice_id, state);
