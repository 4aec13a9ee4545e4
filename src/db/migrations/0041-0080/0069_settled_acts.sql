-- lock: 5s
alter table gift_cards
  -- Cents that the refund pays back: less than the price, when some was paid back at the provider before.
  add column refund_amount integer check (refund_amount >= 0),
  -- `asked`: the provider's answer is not known yet. Null: refunded by the version before, or at the provider.
  add column refund_state text check (refund_state in ('asked', 'done'));
--> statement-breakpoint
create index gift_cards_refund_asked_idx on gift_cards (id) where refund_state = 'asked';
--> statement-breakpoint

-- Set while the provider has an older email of its customer.
alter table payment_customers add column email_changed_at timestamptz(3);
--> statement-breakpoint
create index payment_customers_email_idx on payment_customers (email_changed_at) where email_changed_at is not null;
--> statement-breakpoint
create function note_changed_email() returns trigger language plpgsql as $$
begin
  update payment_customers set email_changed_at = now() where user_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger users_changed_email after update of email on users for each row
  when (old.email is distinct from new.email) execute function note_changed_email();
--> statement-breakpoint

-- Operators' acts on a subscription, stored before the provider is asked. The sync that finds one done records it.
create table subscription_wishes (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  subscription_id text not null check (length(subscription_id) between 1 and 200),
  act text not null check (act in ('cancel-end', 'cancel-now', 'resume')),
  reason text check (length(reason) between 1 and 500),
  -- Null: the command line, or an account that was deleted since.
  actor_id uuid references users (id) on delete set null,
  actor_role text not null,
  status_before text not null,
  ends_at_before timestamptz(3),
  created_at timestamptz(3) not null default now(),
  unique (subscription_id, act)
);
--> statement-breakpoint
create index subscription_wishes_user_idx on subscription_wishes (user_id);
--> statement-breakpoint
create index subscription_wishes_actor_idx on subscription_wishes (actor_id);
