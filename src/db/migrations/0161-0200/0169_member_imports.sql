-- lock: 5s
-- Members who come from elsewhere, by a file of CSV.
create table member_imports (
  id uuid primary key,
  -- `planned`: nothing was done yet.
  state text not null default 'planned' check (state in ('planned', 'running', 'paused', 'done')),
  file_name text not null,
  -- SHA-256 in hex: the same file goes on where it was.
  file_hash text not null,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  ended_at timestamptz(3)
);
--> statement-breakpoint
create unique index member_imports_open_idx on member_imports ((true)) where state in ('running', 'paused');
--> statement-breakpoint
create table imported_members (
  import_id uuid not null references member_imports (id) on delete cascade,
  -- In the file.
  line integer not null,
  -- Null: it had none, or the account was erased.
  email text,
  -- Keyed; it outlives the address, so that an erased account is not made again.
  email_hash text,
  paid_until timestamptz(3),
  plan text,
  language text,
  -- At the payment provider.
  customer_id text,
  state text not null default 'waiting' check (state in ('waiting', 'new', 'known', 'refused', 'failed')),
  reason text,
  user_id uuid,
  -- The file had made the account, before whatever else became of the line.
  is_new boolean not null default false,
  -- End of the time that was given; null: none was lacking.
  given_until timestamptz(3),
  -- The subscription goes on here.
  is_adopted boolean not null default false,
  attempts integer not null default 0,
  error text,
  primary key (import_id, line)
);
--> statement-breakpoint
create index imported_members_state_idx on imported_members (import_id, state, line);
--> statement-breakpoint
create index imported_members_user_idx on imported_members (user_id);
--> statement-breakpoint
create index imported_members_email_idx on imported_members (email);
--> statement-breakpoint
create index imported_members_hash_idx on imported_members (email_hash);
