-- lock: 5s
-- Moves of subscriptions from one payment provider to another.
create table provider_moves (
  id uuid primary key,
  from_provider text not null,
  to_provider text not null,
  state text not null default 'running' check (state in ('running', 'paused', 'done')),
  started_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  check (from_provider <> to_provider)
);
--> statement-breakpoint
create unique index provider_moves_open_idx on provider_moves ((true)) where state <> 'done';
--> statement-breakpoint
create table moved_subscriptions (
  id uuid primary key,
  move_id uuid not null references provider_moves (id) on delete cascade,
  -- Null once the account is gone; then the row is kept only until its renewal is stopped.
  user_id uuid,
  customer_id text not null,
  subscription_id text not null,
  kind text not null check (kind in ('active', 'trialing', 'past-due', 'cancelled')),
  -- `asked`: only the subscriber can cancel it, and has not yet. `left`: it had ended when its turn came.
  state text not null default 'waiting' check (state in ('waiting', 'asked', 'moved', 'left', 'failed')),
  -- The time that is kept; later, when the former provider has charged again.
  paid_until timestamptz(3),
  moved_at timestamptz(3),
  -- The former provider charges it no more; null on a moved one: it has not said so.
  stopped_at timestamptz(3),
  cancel_url text,
  error text,
  attempts integer not null default 0,
  try_after timestamptz(3) not null default now(),
  -- It renewed, or was paid, at the former provider after all.
  lived_on_at timestamptz(3),
  charged_again_at timestamptz(3),
  unique (move_id, subscription_id)
);
--> statement-breakpoint
create index moved_subscriptions_state_idx on moved_subscriptions (move_id, state, id);
--> statement-breakpoint
create index moved_subscriptions_customer_idx on moved_subscriptions (customer_id);
--> statement-breakpoint
create index moved_subscriptions_user_idx on moved_subscriptions (user_id);
--> statement-breakpoint
create index moved_subscriptions_due_idx on moved_subscriptions (try_after)
  where state = 'asked' or (state = 'moved' and stopped_at is null);
--> statement-breakpoint
alter table membership_mails
  drop constraint membership_mails_kind_check,
  add constraint membership_mails_kind_check check (kind in
    ('welcome', 'trial-ends', 'receipt', 'payment-failed', 'ended', 'gift', 'gift-bought', 'refund', 'provider-moved', 'cancel-there'))
  not valid;
