-- lock: 5s
-- Admin: second factors, accounts that wait for their deletion, and what its lists are read by.

alter table sessions
  -- When this session last showed who it belongs to: by its log-in, a password, or a second factor.
  add column proven_at timestamptz(3),
  add column second_factor_at timestamptz(3),
  -- For one use of a passkey.
  add column passkey_challenge text,
  add column passkey_challenge_until timestamptz(3);
--> statement-breakpoint

-- An authenticator app. It counts once it is confirmed by a first code.
create table second_factors (
  user_id uuid primary key references users (id) on delete cascade,
  -- Encrypted with the site's secret.
  secret text not null,
  confirmed_at timestamptz(3),
  -- RFC 6238: the 30 seconds whose code was accepted last; none of up to then is accepted again.
  last_step bigint not null default 0,
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create table recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  code_hash text not null,
  used_at timestamptz(3),
  primary key (user_id, code_hash)
);
--> statement-breakpoint
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  credential_id text not null unique check (length(credential_id) <= 1400),
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
--> statement-breakpoint
create index passkeys_user_idx on passkeys (user_id);
--> statement-breakpoint

-- Accounts that an operator deletes: until then it can be taken back.
create table account_deletions (
  user_id uuid primary key references users (id) on delete cascade,
  -- Null: the operator on the command line.
  requested_by uuid references users (id) on delete set null,
  reason text not null check (length(reason) between 1 and 500),
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index account_deletions_due_idx on account_deletions (due_at);
--> statement-breakpoint
create index account_deletions_requested_idx on account_deletions (requested_by) where requested_by is not null;
--> statement-breakpoint

create index users_email_start_idx on users (email text_pattern_ops);
--> statement-breakpoint
create index users_username_start_idx on users (lower(username) text_pattern_ops);
--> statement-breakpoint
create index users_admin_idx on users (id) where is_admin;
--> statement-breakpoint
create index users_suspended_idx on users (id) where suspended_at is not null;
--> statement-breakpoint
create index users_created_idx on users (created_at);
--> statement-breakpoint
create index audios_slug_start_idx on audios (slug text_pattern_ops);
--> statement-breakpoint
create index voices_slug_start_idx on voices (slug text_pattern_ops);
--> statement-breakpoint
create index audit_entries_area_idx on audit_entries (split_part(action, '.', 1), id);
--> statement-breakpoint
create index invoices_paid_idx on invoices (paid_at) where paid_at is not null;
