-- lock: 5s
-- The Studio: who may change what, what was changed, files that creators bring in, and what was measured of them.

alter table voice_owners add column role text not null default 'owner' check (role in ('owner', 'editor'));
--> statement-breakpoint

-- What creators and operators changed. Rows are only ever added.
create table audit_entries (
  id uuid primary key,
  created_at timestamptz(3) not null default now(),
  -- Null: the operator on the command line, or an account that was deleted.
  actor_id uuid references users (id) on delete set null,
  actor_role text not null check (actor_role in ('owner', 'editor', 'admin', 'operator')),
  -- Such as `audio.publish`.
  action text not null check (action ~ '^[a-z-]+\.[a-z-]+$'),
  subject_type text not null check (length(subject_type) between 1 and 40),
  subject_id text not null check (length(subject_id) between 1 and 200),
  -- As it was called then.
  subject_name text not null check (length(subject_name) <= 500),
  voice_id uuid references voices (id) on delete set null,
  -- Only the fields that changed.
  before jsonb,
  after jsonb
);
--> statement-breakpoint
create index audit_entries_voice_idx on audit_entries (voice_id, id) where voice_id is not null;
--> statement-breakpoint
create index audit_entries_subject_idx on audit_entries (subject_id, id);
--> statement-breakpoint
create index audit_entries_actor_idx on audit_entries (actor_id, id) where actor_id is not null;
--> statement-breakpoint
create function keep_audit_entries() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (to_jsonb(new) - 'actor_id' - 'voice_id') = (to_jsonb(old) - 'actor_id' - 'voice_id')
    and (new.actor_id is null or new.actor_id = old.actor_id)
    and (new.voice_id is null or new.voice_id = old.voice_id) then
    return new;
  end if;
  raise exception 'audit entries are not changed' using errcode = 'integrity_constraint_violation';
end $$;
--> statement-breakpoint
create trigger audit_entries_kept before update or delete on audit_entries
  for each row execute function keep_audit_entries();
--> statement-breakpoint

-- Files that a creator brings in, from the first byte until an audio is made of them.
create table uploads (
  id uuid primary key,
  voice_id uuid not null references voices (id) on delete cascade,
  user_id uuid references users (id) on delete set null,
  -- The audio that was made of it, or whose file it replaces.
  audio_id uuid references audios (id) on delete set null,
  replaces boolean not null default false,
  file_name text not null check (length(file_name) between 1 and 255),
  title text not null check (length(title) between 1 and 200),
  -- What the new audio starts with: `{ categoryId?, isFree?, commentsDisabled? }`.
  choices jsonb not null default '{}',
  bytes bigint not null check (bytes >= 0),
  state text not null default 'uploading' check (state in ('uploading', 'waiting', 'processing', 'ready', 'failed')),
  step text check (step in ('reading', 'loudness', 'encoding', 'waveform')),
  -- Of the step, in percent.
  progress smallint not null default 0 check (progress between 0 and 100),
  -- What was found so far: `SoundFacts`.
  facts jsonb not null default '{}',
  -- One of `uploadFailures`, and what exactly was wrong.
  failure text check (length(failure) <= 60),
  failure_detail text check (length(failure_detail) <= 500),
  -- Blob of the whole file; null until it has arrived.
  original_key text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((state = 'failed') = (failure is not null))
);
--> statement-breakpoint
create index uploads_voice_idx on uploads (voice_id, id);
--> statement-breakpoint
create index uploads_user_idx on uploads (user_id) where user_id is not null;
--> statement-breakpoint
create index uploads_audio_idx on uploads (audio_id) where audio_id is not null;
--> statement-breakpoint
create index uploads_original_idx on uploads (original_key) where original_key is not null;
--> statement-breakpoint

-- What was measured of an audio's file, and the files around it.
create table recordings (
  audio_id uuid primary key references audios (id) on delete cascade,
  -- The `audios.file_key` that was measured; another one needs measuring again.
  file_key text not null,
  -- The file as the creator brought it in; null for imports from before.
  original_key text,
  original_name text check (length(original_name) <= 255),
  original_bytes bigint,
  -- A smaller listening file, for browsers that save data.
  small_key text,
  small_mime text,
  small_bytes bigint,
  -- `SoundFacts`.
  facts jsonb not null default '{}',
  -- 1,200 pairs of bytes along the recording: peak and loudness, 0 to 255.
  peaks bytea not null check (octet_length(peaks) = 2400),
  measured_at timestamptz(3) not null default now(),
  check ((original_key is null) = (original_bytes is null)),
  check ((small_key is null) = (small_bytes is null) and (small_key is null) = (small_mime is null))
);
--> statement-breakpoint
create index recordings_original_idx on recordings (original_key) where original_key is not null;
--> statement-breakpoint
create index recordings_small_idx on recordings (small_key) where small_key is not null;
