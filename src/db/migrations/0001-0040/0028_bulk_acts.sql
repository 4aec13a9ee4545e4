-- lock: 5s
-- Operators act on many audios at once, hide series, and read tables of a large catalogue.

create table bulk_acts (
  -- UUIDv7: ordered by time.
  id uuid primary key,
  -- Null: the operator on the command line, or an account that was deleted.
  actor_id uuid references users (id) on delete set null,
  actor_role text not null check (actor_role in ('admin', 'operator')),
  verb text not null check (length(verb) between 1 and 40),
  -- What it adds or takes away, by id.
  subject jsonb not null default '{}' check (jsonb_typeof(subject) = 'object'),
  -- The filters by which the audios were chosen; null: they were picked one by one.
  filter jsonb,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'stopped', 'done')),
  stop_requested_at timestamptz(3),
  total integer not null check (total >= 0),
  changed integer not null default 0,
  unchanged integer not null default 0,
  refused integer not null default 0,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  check (changed + unchanged + refused <= total)
);
--> statement-breakpoint
create index bulk_acts_actor_idx on bulk_acts (actor_id) where actor_id is not null;
--> statement-breakpoint
create index bulk_acts_open_idx on bulk_acts (id) where state in ('waiting', 'running');
--> statement-breakpoint

-- Written with the change of its audio, so that each audio is changed once, whenever a process dies.
create table bulk_act_items (
  bulk_act_id uuid not null references bulk_acts (id) on delete cascade,
  -- Without a reference: an audio that goes meanwhile is refused when its turn comes.
  audio_id uuid not null,
  -- Null: not done yet. `changed`, `unchanged`, or why it was refused.
  outcome text check (length(outcome) between 1 and 40),
  -- For undoing.
  before jsonb,
  primary key (bulk_act_id, audio_id)
);
--> statement-breakpoint
create index bulk_act_items_open_idx on bulk_act_items (bulk_act_id, audio_id) where outcome is null;
--> statement-breakpoint
create index bulk_act_items_refused_idx on bulk_act_items (bulk_act_id, audio_id)
  where outcome not in ('changed', 'unchanged');
--> statement-breakpoint

alter table series add column hidden_at timestamptz(3);
--> statement-breakpoint
create index series_voice_title_idx on series (voice_id, sort_title, id);
--> statement-breakpoint
create index series_words_idx on series using gin (to_tsvector('simple', sort_title));
--> statement-breakpoint

-- Orders of the operators' table of audios; those of listeners leave out drafts.
create index audios_changed_idx on audios (updated_at desc, id desc);
--> statement-breakpoint
create index audio_drafts_changed_idx on audio_drafts (updated_at desc, audio_id desc);
--> statement-breakpoint
create index audios_all_titles_idx on audios (sort_title, id);
--> statement-breakpoint
create index audios_all_lengths_idx on audios (duration_ms desc, id desc);
--> statement-breakpoint
-- Its filters.
create index audios_words_idx on audios using gin (to_tsvector('simple', sort_title));
--> statement-breakpoint
create index audios_not_out_idx on audios (first_published_at, id) where published_at is null and deleted_at is null;
--> statement-breakpoint
create index audios_free_idx on audios (id) where is_free;
--> statement-breakpoint
create index audios_coverless_idx on audios (id) where image_key is null;
