-- lock: 5s
-- System: which processes ran, which backups were made, and what operators tried out.

create table site_starts (
  id uuid primary key,
  version text not null,
  host text not null,
  pid integer not null,
  started_at timestamptz(3) not null default now(),
  -- A process says each minute that it runs: one that stopped without a word was killed.
  seen_at timestamptz(3) not null default now(),
  stopped_at timestamptz(3),
  -- Null with a time: it was asked to stop.
  failure text check (length(failure) <= 500)
);
--> statement-breakpoint
create index site_starts_started_idx on site_starts (started_at desc, id desc);
--> statement-breakpoint

create table site_backups (
  id uuid primary key,
  -- Below BACKUP_DIR.
  folder text not null unique,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'removed')),
  asked_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  row_count bigint,
  file_count integer,
  file_bytes bigint,
  failure text check (length(failure) <= 500)
);
--> statement-breakpoint
create index site_backups_asked_idx on site_backups (asked_at desc, id desc);
--> statement-breakpoint

-- The last try of each connection.
create table site_tests (
  name text primary key check (name in ('mail', 'payment', 'storage')),
  is_ok boolean not null,
  said text not null check (length(said) <= 500),
  milliseconds integer not null,
  tested_at timestamptz(3) not null default now()
);
