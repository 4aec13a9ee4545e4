-- ID tokens from before a log-out everywhere, a change of password or a suspension open nothing any more.
alter table users add column signed_out_at timestamptz(3);
--> statement-breakpoint

-- ID tokens outlive a deleted account by up to an hour. Keyed hashes: they name nobody, and go when the tokens have ended.
create table deleted_identities (
  identity_hash text primary key,
  deleted_at timestamptz(3) not null default now()
);
