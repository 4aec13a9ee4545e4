-- Membership: what the payment provider says of each customer, and what the site keeps beside. Nothing of a card.

alter table memberships add column trial_used_at timestamptz(3);
--> statement-breakpoint

-- Who a user is at the payment provider.
create table payment_customers (
  user_id uuid primary key references users (id) on delete cascade,
  customer_id text not null unique check (length(customer_id) between 1 and 200),
  created_at timestamptz(3) not null default now(),
  synced_at timestamptz(3)
);
--> statement-breakpoint

-- The one subscription of a user that counts, as the provider has it: written by nothing but the sync.
create table subscriptions (
  user_id uuid primary key references users (id) on delete cascade,
  subscription_id text not null unique check (length(subscription_id) between 1 and 200),
  status text not null check (status in ('confirming', 'trialing', 'active', 'past-due', 'ended')),
  period text not null check (period in ('month', 'year')),
  amount integer not null check (amount >= 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  started_at timestamptz(3) not null,
  trial_ends_at timestamptz(3),
  period_ends_at timestamptz(3) not null,
  ends_at timestamptz(3),
  unpaid_since timestamptz(3),
  next_period text check (next_period in ('month', 'year')),
  discount jsonb check (jsonb_typeof(discount) = 'object')
);
--> statement-breakpoint
-- What the nightly reconciliation asks for again.
create index subscriptions_live_idx on subscriptions (user_id) where status <> 'ended';
--> statement-breakpoint

create table invoices (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  invoice_id text not null unique check (length(invoice_id) between 1 and 200),
  number text,
  status text not null check (status in ('open', 'paid', 'void', 'uncollectible')),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  subtotal integer not null,
  discount integer not null check (discount >= 0),
  credit integer not null,
  total integer not null,
  amount_due integer not null,
  amount_paid integer not null check (amount_paid >= 0),
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null,
  created_at timestamptz(3) not null,
  paid_at timestamptz(3),
  lines jsonb not null check (jsonb_typeof(lines) = 'array')
);
--> statement-breakpoint
create index invoices_user_idx on invoices (user_id, created_at desc, id desc);
--> statement-breakpoint

-- Cards that had a free trial, by a hash of what the provider recognises a card by. It outlives the account.
create table trial_cards (
  card_hash text primary key check (length(card_hash) = 64),
  user_id uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index trial_cards_user_idx on trial_cards (user_id);
--> statement-breakpoint

-- Every event that the provider sent: its name and whom it is about, never what it says.
create table payment_events (
  event_id text primary key check (length(event_id) between 1 and 200),
  type text not null check (length(type) between 1 and 200),
  customer_id text,
  payment_id text,
  created_at timestamptz(3) not null,
  received_at timestamptz(3) not null default now(),
  status text not null default 'received' check (status in ('received', 'done', 'ignored', 'failed')),
  attempts integer not null default 1 check (attempts > 0),
  error text check (length(error) <= 500),
  settled_at timestamptz(3)
);
--> statement-breakpoint
create index payment_events_time_idx on payment_events (received_at, event_id);
--> statement-breakpoint
create index payment_events_open_idx on payment_events (received_at) where status in ('received', 'failed');
--> statement-breakpoint
create index payment_events_customer_idx on payment_events (customer_id);
--> statement-breakpoint

-- Who is at work on what, across processes; a row whose time has passed belongs to nobody.
create table payment_locks (
  key text primary key check (length(key) between 1 and 100),
  token uuid not null,
  until timestamptz(3) not null
);
--> statement-breakpoint

create table gift_cards (
  id uuid primary key,
  months integer not null check (months between 1 and 120),
  amount integer not null check (amount > 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  buyer_id uuid references users (id) on delete set null,
  buyer_email text check (length(buyer_email) <= 254),
  sender_name text check (length(sender_name) <= 60),
  recipient_email text check (length(recipient_email) <= 254),
  message text check (length(message) <= 500),
  deliver_at timestamptz(3) not null,
  payment_id text unique check (length(payment_id) between 1 and 200),
  paid_at timestamptz(3),
  -- SHA-256 of the code, which is made in the moment it is mailed and kept nowhere.
  code_hash text unique check (length(code_hash) = 64),
  sent_at timestamptz(3),
  redeemed_by uuid references users (id) on delete set null,
  redeemed_at timestamptz(3),
  -- A running subscription's next charge was to move until then; applied once the provider has done so.
  charge_until timestamptz(3),
  applied_at timestamptz(3),
  refunded_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check (redeemed_at is null or refunded_at is null)
);
--> statement-breakpoint
create index gift_cards_buyer_idx on gift_cards (buyer_id, created_at desc);
--> statement-breakpoint
create index gift_cards_redeemed_by_idx on gift_cards (redeemed_by);
--> statement-breakpoint
create index gift_cards_unapplied_idx on gift_cards (redeemed_at) where redeemed_at is not null and applied_at is null;
--> statement-breakpoint

-- Mails that are due at a time, each one of a kind about a thing once.
create table membership_mails (
  id uuid primary key,
  kind text not null check (kind in ('welcome', 'trial-ends', 'receipt', 'payment-failed', 'ended', 'gift', 'gift-bought')),
  ref text not null check (length(ref) between 1 and 200),
  user_id uuid references users (id) on delete cascade,
  gift_card_id uuid references gift_cards (id) on delete cascade,
  due_at timestamptz(3) not null,
  claimed_until timestamptz(3),
  sent_at timestamptz(3),
  unique (kind, ref),
  check ((user_id is null) <> (gift_card_id is null))
);
--> statement-breakpoint
create index membership_mails_due_idx on membership_mails (due_at) where sent_at is null;
--> statement-breakpoint
create index membership_mails_user_idx on membership_mails (user_id);
--> statement-breakpoint
create index membership_mails_gift_card_idx on membership_mails (gift_card_id);
