-- Accounts: who a user is at the identity provider, their sessions, and the built-in provider's own tables.

alter table users
  alter column username drop not null,
  drop constraint users_username_check,
  add constraint users_username_check check (length(username) between 1 and 24 and username ~ '^[[:alnum:]._-]+$'),
  add column email text check (email = lower(email) and length(email) <= 254 and email ~ '^[^@\s]+@[^@\s]+$'),
  add column identity_provider text check (identity_provider in ('built-in', 'firebase')),
  add column identity_subject text check (length(identity_subject) between 1 and 200),
  add column terms_accepted_at timestamptz(3),
  add column password_changed_at timestamptz(3),
  add column is_admin boolean not null default false,
  add column suspended_at timestamptz(3),
  add constraint users_identity_check check ((identity_provider is null) = (identity_subject is null));
--> statement-breakpoint
create unique index users_email_key on users (email);
--> statement-breakpoint
create unique index users_identity_key on users (identity_provider, identity_subject);
--> statement-breakpoint
create index users_pending_idx on users (created_at) where identity_subject like 'pending %';
--> statement-breakpoint

-- Caches need to hear of what others see of a user, and not of every registration and log-in.
drop trigger users_announce on users;
--> statement-breakpoint
create trigger users_announce after delete or update of username, icon, color, suspended_at on users
  for each row execute function announce_catalogue_change();
--> statement-breakpoint

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  token_hash text not null unique,
  device text not null check (length(device) between 1 and 80),
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
--> statement-breakpoint
create index sessions_user_idx on sessions (user_id);
--> statement-breakpoint
create index sessions_expires_idx on sessions (expires_at);
--> statement-breakpoint

-- An ID token is taken once; the hash is kept until the token itself has ended.
create table spent_id_tokens (
  token_hash text primary key,
  expires_at timestamptz(3) not null
);
--> statement-breakpoint
create index spent_id_tokens_expires_idx on spent_id_tokens (expires_at);
--> statement-breakpoint

-- Tries that are counted (log-in, registration, mails). Keys are hashes: they hold no address and no e-mail.
create table attempts (
  key text primary key,
  points integer not null default 0,
  expire timestamptz(3)
);
--> statement-breakpoint

-- Time without charge, given by the operator or by a gift card.
create table memberships (
  user_id uuid primary key references users (id) on delete cascade,
  gift_until timestamptz(3)
);
--> statement-breakpoint

-- The built-in identity provider's own (better-auth); empty where Firebase is the provider.
create table provider_users (
  id text primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create table provider_accounts (
  id text primary key,
  account_id text not null,
  provider_id text not null,
  user_id text not null references provider_users (id) on delete cascade,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope text,
  password text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (provider_id, account_id)
);
--> statement-breakpoint
create index provider_accounts_user_idx on provider_accounts (user_id);
--> statement-breakpoint
create table provider_sessions (
  id text primary key,
  token text not null unique,
  user_id text not null references provider_users (id) on delete cascade,
  expires_at timestamptz(3) not null,
  ip_address text,
  user_agent text,
  sign_in_method text not null default 'other' check (sign_in_method in ('password', 'google', 'facebook', 'other')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index provider_sessions_user_idx on provider_sessions (user_id);
--> statement-breakpoint
create table provider_verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index provider_verifications_identifier_idx on provider_verifications (identifier);
--> statement-breakpoint
create table provider_keys (
  id text primary key,
  public_key text not null,
  private_key text not null,
  alg text,
  crv text,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
