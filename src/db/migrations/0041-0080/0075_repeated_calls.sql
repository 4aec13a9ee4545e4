-- lock: 5s

-- Calls that give, pay or send, by the key of the act, so that a repeat gets the first answer.
create table repeated_calls (
  key_hash text primary key,
  -- Null: a visitor.
  user_id uuid references users (id) on delete cascade,
  call_hash text not null,
  -- Null until the call is answered.
  status smallint,
  answer text,
  created_at timestamptz(3) not null default now()
);
create index repeated_calls_by_time on repeated_calls (created_at);
create index repeated_calls_by_user on repeated_calls (user_id);
