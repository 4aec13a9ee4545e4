-- lock: 5s
-- People and creators who had a part in an audio (decision 094). Not the performers, whose consents the law asks for.
create table credits (
  id uuid primary key,
  audio_id uuid not null references audios (id) on delete cascade,
  position smallint not null,
  role text not null check (role in ('performer', 'writer', 'editor', 'sound', 'other')),
  -- Of somebody without a page here.
  name text check (length(name) between 1 and 160),
  voice_id uuid references voices (id) on delete cascade,
  -- Listeners see those that are accepted.
  state text not null default 'accepted' check (state in ('asked', 'accepted', 'declined')),
  -- Null: it needed nobody's consent.
  asked_at timestamptz(3),
  answered_at timestamptz(3),
  -- Remembered for a while, so that a creator who was asked is not asked again at once.
  removed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check ((name is null) <> (voice_id is null)),
  check (voice_id is not null or (state = 'accepted' and removed_at is null)),
  check (state = 'accepted' or asked_at is not null),
  unique (audio_id, role, voice_id)
);
--> statement-breakpoint
create index credits_voice_idx on credits (voice_id, created_at, id) where voice_id is not null;
--> statement-breakpoint
create trigger credits_announce after insert or update or delete on credits
  for each statement execute function announce_catalogue_change();
--> statement-breakpoint
create trigger credits_search_added after insert on credits referencing new table as added
  for each statement execute function note_search_added('audios', 'audio_id');
--> statement-breakpoint
create trigger credits_search_changed after update on credits referencing old table as removed new table as added
  for each statement execute function note_search_changed('audios', 'audio_id');
--> statement-breakpoint
create trigger credits_search_removed after delete on credits referencing old table as removed
  for each statement execute function note_search_removed('audios', 'audio_id');
