-- lock: 5s
-- Money: refunds, payouts per month, runs of the reconciliation, the site's figures per day, and what lists are read by.

-- Cents that the provider paid back.
alter table invoices add column refunded integer not null default 0;
--> statement-breakpoint

-- Refunds of invoices. A row is written before the provider is asked, so that none is lost or made twice.
create table invoice_refunds (
  -- The provider gets it too, as the key of the request.
  id uuid primary key,
  invoice_id uuid not null references invoices (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  amount integer not null check (amount > 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  -- `asked`: the provider's answer is not known yet.
  state text not null check (state in ('asked', 'done', 'refused')),
  -- Null: made at the provider, not here.
  reason text check (length(reason) between 1 and 500),
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index invoice_refunds_invoice_idx on invoice_refunds (invoice_id, created_at);
--> statement-breakpoint
create index invoice_refunds_user_idx on invoice_refunds (user_id);
--> statement-breakpoint
create index invoice_refunds_time_idx on invoice_refunds (created_at);
--> statement-breakpoint
create index invoice_refunds_asked_idx on invoice_refunds (created_at) where state = 'asked';
--> statement-breakpoint

alter table gift_cards
  -- The last letters of the newest code, by which support finds a card.
  add column code_ending text,
  -- Paid back although it was redeemed; the months stay.
  add column paid_back_at timestamptz(3);
--> statement-breakpoint
create index gift_cards_code_ending_idx on gift_cards (code_ending) where code_ending is not null;
--> statement-breakpoint
create index gift_cards_buyer_email_idx on gift_cards (lower(buyer_email) text_pattern_ops);
--> statement-breakpoint
create index gift_cards_recipient_email_idx on gift_cards (lower(recipient_email) text_pattern_ops);
--> statement-breakpoint
create index gift_cards_paid_idx on gift_cards (paid_at) where paid_at is not null;
--> statement-breakpoint

-- The rare states of each list, in its order.
create index gift_cards_unpaid_idx on gift_cards (id) where paid_at is null;
--> statement-breakpoint
create index gift_cards_unsent_idx on gift_cards (id) where sent_at is null;
--> statement-breakpoint
create index gift_cards_redeemed_idx on gift_cards (id) where redeemed_at is not null;
--> statement-breakpoint
create index gift_cards_refunded_idx on gift_cards (id) where refunded_at is not null;
--> statement-breakpoint
create index subscriptions_ending_idx on subscriptions (started_at, user_id)
  where ends_at is not null and status in ('active', 'trialing');
--> statement-breakpoint
create index subscriptions_started_idx on subscriptions (started_at, user_id);
--> statement-breakpoint
create index subscriptions_status_idx on subscriptions (status, started_at, user_id);
--> statement-breakpoint
create index subscriptions_discount_idx on subscriptions ((discount ->> 'code')) where discount is not null;
--> statement-breakpoint
create index invoices_number_idx on invoices (number) where number is not null;
--> statement-breakpoint
create index payment_events_status_idx on payment_events (status, received_at, event_id);
--> statement-breakpoint
create index payment_events_payment_idx on payment_events (payment_id) where payment_id is not null;
--> statement-breakpoint
create index payment_events_type_idx on payment_events (type text_pattern_ops, received_at, event_id);
--> statement-breakpoint

-- Reports of the reconciliation; one without an end is running, or was interrupted.
create table reconciliation_runs (
  id uuid primary key,
  started_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  customers integer not null default 0,
  mended integer not null default 0,
  abandoned integer not null default 0,
  -- Cents paid less cents refunded, of the compared invoices: at the provider, and here before and after.
  at_provider bigint not null default 0,
  here_before bigint not null default 0,
  here_after bigint not null default 0,
  -- Lists of at most some hundred: customers whose invoices differed, and those that could not be compared.
  corrections jsonb not null default '[]' check (jsonb_typeof(corrections) = 'array'),
  failures jsonb not null default '[]' check (jsonb_typeof(failures) = 'array'),
  failed integer not null default 0
);
--> statement-breakpoint

-- Parts of the ledger's milliseconds that may not be paid for: heard in a trial, and without a subscription.
alter table listened_seconds
  add column trial_ms bigint not null default 0,
  add column free_ms bigint not null default 0;
--> statement-breakpoint

create table payout_months (
  month date primary key check (month = date_trunc('month', month)::date),
  -- Cents to share, entered by an operator; null: not yet.
  pool bigint check (pool between 0 and 100000000000),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  revision integer not null default 1 check (revision > 0),
  -- From here on set when it is locked.
  locked_at timestamptz(3),
  counts_trials boolean,
  checksum text check (length(checksum) = 64),
  check (locked_at is null or (pool is not null and counts_trials is not null and checksum is not null))
);
--> statement-breakpoint
-- The shares of a locked month. No foreign key to the voice: what was paid outlives it.
create table payout_shares (
  month date not null references payout_months (month),
  voice_id uuid not null,
  voice_name text not null,
  voice_slug text not null,
  audios integer not null check (audios >= 0),
  milliseconds bigint not null check (milliseconds > 0),
  amount bigint not null check (amount >= 0),
  primary key (month, voice_id)
);
--> statement-breakpoint
create index payout_shares_voice_idx on payout_shares (voice_id, month);
--> statement-breakpoint
create function keep_locked_month() returns trigger language plpgsql as $$
begin
  if old.locked_at is not null then
    raise exception 'the payouts of % are locked', old.month using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
--> statement-breakpoint
create trigger payout_months_kept before update or delete on payout_months
  for each row execute function keep_locked_month();
--> statement-breakpoint
-- Shares are written together, before their month is locked, and never change.
create function keep_payout_shares() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and not exists (select from payout_months m where m.month = new.month and m.locked_at is not null) then
    return new;
  end if;
  raise exception 'the shares of a month never change' using errcode = 'restrict_violation';
end $$;
--> statement-breakpoint
create trigger payout_shares_kept before insert or update or delete on payout_shares
  for each row execute function keep_payout_shares();
--> statement-breakpoint

-- How the site did on each day (UTC), for Admin's overview: added up by a job, so that no page counts a million rows.
create table site_days (
  day date primary key,
  computed_at timestamptz(3) not null default now(),
  currency text not null,
  -- At the end of the day; today's are those of `computed_at`.
  subscribers integer not null,
  trials integer not null,
  -- Cents per month before discounts; yearly ones count a twelfth.
  monthly_revenue bigint not null,
  past_due integer not null,
  past_due_amount bigint not null,
  -- During the day.
  joined integer not null,
  "left" integer not null,
  new_users integer not null,
  plays bigint not null,
  heard_ms bigint not null,
  monthly_payments integer not null,
  monthly_income bigint not null,
  yearly_payments integer not null,
  yearly_income bigint not null,
  gift_cards integer not null,
  gift_income bigint not null,
  refunds integer not null,
  refunded bigint not null
);
