-- lock: 5s
-- How far audios are heard that playback goes on with by itself, by why each was chosen (decision 095).

-- The source of such a play, and whether it reached half of the audio.
alter table play_marks add column kept text;
--> statement-breakpoint
alter table play_marks add column half boolean not null default false;
--> statement-breakpoint
alter table play_marks add constraint play_marks_kept_check check (length(kept) <= 40) not valid;
--> statement-breakpoint
alter table figure_changes drop constraint figure_changes_kind_check;
--> statement-breakpoint
alter table figure_changes add constraint figure_changes_kind_check
  check (kind in ('play', 'end', 'half', 'heard', 'favorite', 'unfavorite', 'follow', 'unfollow')) not valid;
--> statement-breakpoint

-- Plays of logged-in listeners: only they tell how far they listened.
create table kept_playing_days (
  -- Null: of the whole site.
  voice_id uuid references voices (id) on delete cascade,
  day date not null,
  reason text not null check (length(reason) between 1 and 40),
  plays integer not null default 0,
  halves integer not null default 0,
  -- Distinct listeners: `listener-sketch.ts`.
  listeners bytea check (octet_length(listeners) <= 2048),
  unique nulls not distinct (voice_id, day, reason)
);
--> statement-breakpoint
create index kept_playing_days_day_idx on kept_playing_days (day);
