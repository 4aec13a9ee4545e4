-- lock: 5s
-- Moves of the next charge are stored before the provider is asked, and their outcome afterwards. The version before
-- writes rows whose move is done.
alter table given_months
  -- Null: the provider's answer is not known yet.
  add column applied_at timestamptz(3) default now(),
  -- The gift time that they became.
  add column gift_from timestamptz(3),
  add column gift_until timestamptz(3),
  -- An operator asked for them back; the next charge moves to `back_until` first.
  add column taking_back_at timestamptz(3),
  add column back_until timestamptz(3);
--> statement-breakpoint
create index given_months_waiting_idx on given_months (user_id)
  where applied_at is null or (taking_back_at is not null and taken_back_at is null);
--> statement-breakpoint
-- The provider refused to move the next charge behind the gift time; it is asked again a day later.
alter table memberships add column charge_refused_at timestamptz(3);
