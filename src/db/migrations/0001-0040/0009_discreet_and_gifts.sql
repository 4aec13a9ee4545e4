-- Discreet mode goes with the account. Null: never chosen there, so the browser's own cookie decides.
alter table users add column is_discreet boolean;
--> statement-breakpoint

-- Months that an operator gave, so that they can be taken back. With a running subscription its next charge moved.
create table given_months (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  months integer not null check (months between 1 and 36),
  charge_before timestamptz(3),
  charge_until timestamptz(3),
  taken_back_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check ((charge_before is null) = (charge_until is null))
);
--> statement-breakpoint
create index given_months_user_idx on given_months (user_id, created_at desc);
