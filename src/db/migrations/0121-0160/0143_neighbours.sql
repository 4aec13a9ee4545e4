-- lock: 5s
-- Audios that the same people have heard, counted once a week for all together (decision 088).

-- Small and public: an id of 16 bytes for each neighbour would be most of what is sent.
create table audio_numbers (
  number integer primary key generated always as identity (minvalue 0 start with 0),
  audio_id uuid not null unique references audios on delete cascade
);
--> statement-breakpoint
create table neighbour_shards (
  shard integer primary key check (shard >= 0),
  bytes bytea not null
);
--> statement-breakpoint
create table neighbour_counts (
  is_only boolean primary key default true check (is_only),
  shards integer not null check (shards > 0),
  counted_at timestamptz(3) not null default now()
);
