-- lock: 2s
-- Mails that the mail server did not take. They wait here, so that any process of the site can send them. New tables
-- only: no lock is taken on one that is in use.
create table outgoing_mails (
  id uuid primary key,
  sender text not null check (length(sender) <= 500),
  recipient text not null check (length(recipient) between 1 and 254),
  -- The whole message (RFC 5322), as it is sent.
  message bytea not null,
  reason text check (length(reason) <= 500),
  kept_at timestamptz(3) not null default now(),
  tries integer not null default 0 check (tries >= 0),
  -- Null: not tried again unless the operator asks.
  try_at timestamptz(3),
  claimed_until timestamptz(3)
);
--> statement-breakpoint
create index outgoing_mails_kept_idx on outgoing_mails (kept_at, id);
--> statement-breakpoint
create index outgoing_mails_due_idx on outgoing_mails (try_at) where try_at is not null;
--> statement-breakpoint
create index outgoing_mails_recipient_idx on outgoing_mails (lower(recipient));
--> statement-breakpoint

-- How far an unfinished reconciliation with the payment provider is; another process continues from there.
create table reconciliations (
  name text primary key check (length(name) between 1 and 100),
  -- Users are visited in the order of their ids.
  after_user_id uuid not null,
  started_at timestamptz(3) not null default now()
);
