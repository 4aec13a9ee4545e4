-- lock: 5s
-- `waiting`: in review; `returned`: to its creator, with a reason. Nothing that waits is public, which the domain sees to.
alter table audios add column review_state text,
  -- New sound since its last publication or approval.
  add column has_new_sound boolean not null default false,
  add constraint audios_review_state_check check (review_state in ('waiting', 'returned')) not valid;
--> statement-breakpoint
create index audios_in_review_idx on audios (review_state, id) where review_state is not null;
--> statement-breakpoint
-- Each time that an audio was sent for review, with the decision. At most one without a decision per audio.
create table reviews (
  id uuid primary key,
  audio_id uuid not null references audios (id) on delete cascade,
  cause text not null check (cause in ('new-creator', 'all', 'new-sound', 'watched-word')),
  -- `new-creator`: which of the creator's audios it is, from one.
  nth smallint,
  -- The sound that is reviewed.
  sound text not null,
  sent_at timestamptz(3) not null default now(),
  sent_by uuid references users (id) on delete set null,
  -- Time that the creator chose; null: at once.
  publish_at timestamptz(3),
  decision text check (decision in ('approved', 'returned', 'withdrawn')),
  decided_at timestamptz(3),
  decided_by uuid references users (id) on delete set null,
  -- Of a returned one.
  reason_kind text,
  reason text,
  -- Field of the editor that the reason is about.
  field text,
  -- Watched words that the reviewer saw.
  words text[] not null default '{}',
  -- How much of it the reviewer heard.
  heard_ms integer,
  check ((decision is null) = (decided_at is null)),
  check ((decision = 'returned') = (reason is not null))
);
--> statement-breakpoint
create unique index reviews_open_idx on reviews (audio_id) where decision is null;
--> statement-breakpoint
create index reviews_audio_idx on reviews (audio_id, sent_at desc);
--> statement-breakpoint
create index reviews_queue_idx on reviews (sent_at, id) where decision is null;
--> statement-breakpoint
create index reviews_decided_idx on reviews (decided_at desc) where decision in ('approved', 'returned');
--> statement-breakpoint
create index reviews_sent_by_idx on reviews (sent_by) where sent_by is not null;
--> statement-breakpoint
create index reviews_decided_by_idx on reviews (decided_by) where decided_by is not null;
