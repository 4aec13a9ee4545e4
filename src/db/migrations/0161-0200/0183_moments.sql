-- lock: 5s
-- Private bookmarks of listeners (decision 107). Their ids come from the browser, so that a repeated call changes nothing.
create table moments (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  audio_id uuid not null references audios on delete cascade,
  position_ms integer not null check (position_ms between 0 and 86400000),
  note text not null default '' check (length(note) <= 2000),
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index moments_user_idx on moments (user_id, audio_id);
--> statement-breakpoint
create index moments_audio_idx on moments (audio_id);
