-- lock: 5s
-- Up to a minute of an audio that everyone may hear, with a page of its own (decision 106).
alter table voices add column allows_clips boolean not null default true;
--> statement-breakpoint
create table clips (
  id uuid primary key,
  audio_id uuid not null references audios (id) on delete cascade,
  -- Recording that it is cut from: with another one, its page is gone.
  recording text not null,
  -- Null: the account was deleted.
  user_id uuid references users (id) on delete set null,
  start_ms integer not null check (start_ms >= 0),
  end_ms integer not null,
  state text not null default 'waiting' check (state in ('waiting', 'ready', 'failed')),
  file_key text,
  file_bytes bigint check (file_bytes > 0),
  -- Times that its making began.
  attempts smallint not null default 0,
  -- Also when somebody chooses the same seconds again.
  created_at timestamptz(3) not null default now(),
  check (end_ms - start_ms between 1000 and 60000),
  check ((state = 'ready') = (file_key is not null)),
  check ((file_key is null) = (file_bytes is null)),
  -- The same seconds are one clip, whoever chooses them.
  unique (audio_id, recording, start_ms, end_ms)
);
--> statement-breakpoint
create index clips_user_idx on clips (user_id) where user_id is not null;
--> statement-breakpoint
create index clips_waiting_idx on clips (id) where state = 'waiting';
--> statement-breakpoint
create index clips_file_idx on clips (file_key) where file_key is not null;
--> statement-breakpoint
create index clips_created_idx on clips (created_at);
--> statement-breakpoint
select note_files_of('clips', 'file_key');
