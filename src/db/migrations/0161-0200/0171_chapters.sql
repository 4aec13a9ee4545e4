-- lock: 5s
-- Chapters that the creator of an audio has set (decision 102).
create table chapters (
  audio_id uuid primary key references audios on delete cascade,
  -- Start in seconds, and title, in their order.
  chapters jsonb not null check (jsonb_typeof(chapters) = 'array')
);
--> statement-breakpoint
create trigger chapters_announce after insert or update or delete on chapters
  for each statement execute function announce_catalogue_change();
