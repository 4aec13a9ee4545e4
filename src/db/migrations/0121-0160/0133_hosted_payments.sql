-- lock: 5s
create table payment_orders (
  reference text primary key check (reference ~ '^[0-9a-f]{32}$'),
  provider text not null check (provider in ('verotel', 'ccbill', 'btcpay')),
  user_id uuid,
  customer_id text,
  kind text not null check (kind in ('subscription', 'prepaid', 'single')),
  period text not null check (period in ('month', 'year')),
  amount integer not null check (amount >= 0),
  currency text not null,
  list_amount integer not null check (list_amount >= amount),
  first_amount integer check (first_amount >= 0),
  first_days integer check (first_days > 0),
  promo_code_id uuid,
  discount jsonb,
  sale_id text,
  return_to text,
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index payment_orders_customer on payment_orders (customer_id);
--> statement-breakpoint
create index payment_orders_user on payment_orders (user_id);
--> statement-breakpoint
create index payment_orders_sale on payment_orders (provider, sale_id);
--> statement-breakpoint
create index payment_orders_promo_code on payment_orders (promo_code_id) where promo_code_id is not null;
--> statement-breakpoint
create table hosted_events (
  provider text not null,
  id text not null,
  type text not null,
  means text not null check (means in ('paid', 'waits', 'declined', 'closed', 'canceled', 'resumed', 'ended', 'refunded', 'charged-back', 'unknown')),
  reference text,
  sale_id text,
  at timestamptz(3) not null,
  until timestamptz(3),
  amount integer,
  currency text,
  transaction_id text,
  of_transaction text,
  reason text,
  card jsonb,
  country text,
  confirmations integer,
  received_at timestamptz(3) not null default now(),
  primary key (provider, id)
);
--> statement-breakpoint
create index hosted_events_reference on hosted_events (provider, reference);
--> statement-breakpoint
create index hosted_events_sale on hosted_events (provider, sale_id);
--> statement-breakpoint
create table own_promo_codes (
  id uuid primary key,
  code text not null,
  rules jsonb not null,
  disabled_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create unique index own_promo_codes_active on own_promo_codes (lower(code)) where disabled_at is null;
--> statement-breakpoint
create table former_payment_customers (
  customer_id text primary key,
  user_id uuid not null,
  created_at timestamptz(3) not null,
  synced_at timestamptz(3)
);
--> statement-breakpoint
create index former_payment_customers_user on former_payment_customers (user_id);
