-- lock: 5s
create table pauses (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  subscription_id text not null,
  months integer not null check (months between 1 and 3),
  from_at timestamptz(3) not null,
  until_at timestamptz(3) not null check (until_at > from_at),
  applied_at timestamptz(3),
  ending_at timestamptz(3),
  back_until timestamptz(3) check ((back_until is null) = (ending_at is null)),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create unique index pauses_open_idx on pauses (user_id) where ended_at is null;
--> statement-breakpoint
create index pauses_subscription_idx on pauses (subscription_id, created_at);
--> statement-breakpoint
create index pauses_user_idx on pauses (user_id);
--> statement-breakpoint
create index pauses_waiting_idx on pauses (created_at)
  where ended_at is null and (applied_at is null or ending_at is not null);
--> statement-breakpoint
create table stay_offers (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  subscription_id text not null,
  code text not null,
  percent_off integer not null check (percent_off between 1 and 100),
  months integer not null check (months between 1 and 12),
  currency text not null,
  is_once boolean not null,
  promo_code_id text,
  state text not null check (state in ('asked', 'done', 'refused')),
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index stay_offers_user_idx on stay_offers (user_id, created_at);
--> statement-breakpoint
create index stay_offers_waiting_idx on stay_offers (created_at) where state = 'asked';
--> statement-breakpoint
create index stay_offers_promo_code_idx on stay_offers (promo_code_id);
--> statement-breakpoint
create index stay_offers_done_idx on stay_offers (created_at) where state = 'done';
--> statement-breakpoint
alter table membership_mails
  drop constraint membership_mails_kind_check,
  add constraint membership_mails_kind_check check (kind in
    ('welcome', 'trial-ends', 'receipt', 'payment-failed', 'ended', 'gift', 'gift-bought', 'refund', 'provider-moved', 'cancel-there',
      'pause-agreed', 'pause-ends', 'card-expires', 'renewal', 'prepaid-ends', 'win-back'))
  not valid;
