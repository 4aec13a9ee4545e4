-- lock: 5s
-- The last confirmation of each account's age. Nothing connects it with a proof, which is not kept.
create table age_confirmations (
  user_id uuid primary key references users (id) on delete cascade,
  method text not null,
  -- Of the rule: `FR`, `US-TX`, `elsewhere`.
  place text not null,
  again text not null,
  confirmed_at timestamptz(3) not null,
  -- Null: without end.
  until timestamptz(3)
);
