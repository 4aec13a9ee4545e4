-- lock: 5s
-- Files that cannot be measured, so that they are not tried again and again.

create table unmeasured_recordings (
  audio_id uuid primary key references audios (id) on delete cascade,
  -- The `audios.file_key` then; another one is tried again.
  tried_file text not null,
  reason text not null check (length(reason) <= 500),
  tried_at timestamptz(3) not null default now()
);
