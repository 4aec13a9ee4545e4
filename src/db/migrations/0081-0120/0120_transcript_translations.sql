-- lock: 5s
-- A transcript's language is that of its audio (0117); `transcripts.language` is read by the previous version alone, and
-- the next release drops it.
create table transcript_translations (
  audio_id uuid not null references audios (id) on delete cascade,
  language text not null check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$' and length(language) <= 35),
  cues jsonb not null check (jsonb_typeof(cues) = 'array'),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (audio_id, language)
);
--> statement-breakpoint
create index transcript_translations_words_idx on transcript_translations using gin (transcript_words(cues));
--> statement-breakpoint
create trigger transcript_translations_announce after insert or update or delete on transcript_translations
  for each statement execute function announce_catalogue_change();
