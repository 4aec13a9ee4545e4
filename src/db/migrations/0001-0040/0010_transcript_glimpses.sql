-- Which lines of a transcript somebody without the right to hear it was shown by a search. Whose they are is a keyed hash
-- of the day, so that a row names nobody and leads to no other one.
create table transcript_glimpses (
  audio_id uuid not null references audios (id) on delete cascade,
  client text not null,
  -- Days since 1970, UTC.
  day integer not null,
  -- Indexes of the cues.
  lines integer[] not null,
  primary key (audio_id, client, day)
);
--> statement-breakpoint
create index transcript_glimpses_day_idx on transcript_glimpses (day);
