-- lock: 5s
-- The last month of the card, such as 2027-03, so that its subscriber can be told in time.
alter table subscriptions
  add column card_expires text,
  add constraint subscriptions_card_expires_check check (card_expires ~ '^\d{4}-(0[1-9]|1[0-2])$') not valid;
--> statement-breakpoint
create index subscriptions_card_expires_idx on subscriptions (card_expires)
  where card_expires is not null and ends_at is null;
--> statement-breakpoint
create index subscriptions_yearly_idx on subscriptions (period_ends_at)
  where coalesce(next_period, period) = 'year' and ends_at is null;
--> statement-breakpoint
create index subscriptions_ends_idx on subscriptions (ends_at) where ends_at is not null;
--> statement-breakpoint
create table win_backs (
  -- Also the key of the promo code.
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  subscription_id text not null unique,
  code text not null unique check (code ~ '^[A-Z0-9]{8,50}$'),
  provider text not null check (length(provider) between 1 and 20),
  percent_off integer not null check (percent_off between 1 and 100),
  months integer not null check (months between 1 and 12),
  -- For the first payment alone: the provider knows only prices.
  is_once boolean not null,
  expires_at timestamptz(3) not null,
  state text not null default 'asked' check (state in ('asked', 'made', 'refused')),
  promo_code_id text check (length(promo_code_id) between 1 and 200),
  created_at timestamptz(3) not null default now(),
  used_at timestamptz(3),
  check ((promo_code_id is not null) = (state = 'made'))
);
--> statement-breakpoint
create index win_backs_user_idx on win_backs (user_id, created_at);
--> statement-breakpoint
create index win_backs_asked_idx on win_backs (created_at) where state = 'asked';
--> statement-breakpoint
create index win_backs_promo_code_idx on win_backs (promo_code_id) where promo_code_id is not null;
--> statement-breakpoint
alter table membership_mails
  drop constraint membership_mails_kind_check,
  add constraint membership_mails_kind_check check (kind in
    ('welcome', 'trial-ends', 'receipt', 'payment-failed', 'ended', 'gift', 'gift-bought', 'refund', 'provider-moved',
     'cancel-there', 'pause-agreed', 'pause-ends', 'card-expires', 'renewal', 'prepaid-ends', 'win-back'))
  not valid;
