-- lock: 5s
-- Several processes and hosts on one database. A schema of its own: a backup copies only `public`, and a restored site
-- records its own storage and secret.
create schema if not exists operations;
--> statement-breakpoint
create table operations.fingerprints (
  name text primary key check (name in ('secret', 'storage')),
  fingerprint text not null,
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint

-- The payload names the table, so that caches drop only what depends on it.
create or replace function announce_catalogue_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('catalogue_changed', tg_table_name);
  return null;
end $$;
