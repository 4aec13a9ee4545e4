-- lock: 5s
-- A standard reason is stored by its key, and each reader gets it in their own language, before the decider's own words.
alter table notice_decisions add column canned text,
  -- Of the own words.
  add column language text;
--> statement-breakpoint
alter table reviews add column canned boolean not null default false, add column reason_language text;
--> statement-breakpoint
-- Keyed hash of the reporter's network, for a few weeks.
alter table notices add column network text;
--> statement-breakpoint
create index notices_network_idx on notices (network) where network is not null;
--> statement-breakpoint
create index notices_contact_idx on notices (email) where email is not null or name is not null;
--> statement-breakpoint
-- Comments with a watched word, which the desk shows or removes.
create table held_comments (
  comment_id uuid primary key references comments (id) on delete cascade,
  -- Then it waits for its creator, because of a link.
  for_creator boolean not null,
  created_at timestamptz(3) not null default now()
);
