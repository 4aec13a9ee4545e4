-- lock: 5s
-- What creators earn: a locked month now keeps the milliseconds of each audio, a tree of hashes over them, and what each
-- creator gets; corrections and payments are entries that are only ever added.
alter table payout_months
  -- Published hash of the month; null: locked by a former version.
  add column root text check (length(root) = 64);
--> statement-breakpoint
create table payout_lines (
  month date not null,
  voice_id uuid not null,
  audio_id uuid not null,
  -- Null: the audio was gone.
  audio_title text,
  -- That are paid for, and those of them in trials.
  milliseconds bigint not null check (milliseconds > 0),
  trial_ms bigint not null check (trial_ms between 0 and milliseconds),
  primary key (month, voice_id, audio_id),
  foreign key (month, voice_id) references payout_shares (month, voice_id)
);
--> statement-breakpoint
create index payout_lines_audio_idx on payout_lines (audio_id, month);
--> statement-breakpoint
-- The tree above the creators, from level 0; the trees of their audios follow from the lines.
create table payout_nodes (
  month date not null references payout_months (month),
  level smallint not null check (level between 0 and 60),
  position integer not null check (position >= 0),
  milliseconds bigint not null check (milliseconds > 0),
  hash bytea not null check (length(hash) = 32),
  primary key (month, level, position)
);
--> statement-breakpoint
-- Agreed shares of audios in that month, in percent; of other audios, the creator has the whole.
create table payout_splits (
  month date not null references payout_months (month),
  audio_id uuid not null,
  voice_id uuid not null,
  voice_name text not null,
  share smallint not null check (share between 1 and 100),
  primary key (month, audio_id, voice_id)
);
--> statement-breakpoint
create index payout_splits_voice_idx on payout_splits (voice_id, month);
--> statement-breakpoint
-- What each creator gets of the pools of a month, after splits.
create table payout_earnings (
  month date not null references payout_months (month),
  voice_id uuid not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  amount bigint not null check (amount >= 0),
  primary key (month, voice_id, currency)
);
--> statement-breakpoint
create index payout_earnings_voice_idx on payout_earnings (voice_id, month);
--> statement-breakpoint
-- Months that are locked already have no splits.
insert into payout_earnings
select s.month, s.voice_id, m.currency, s.amount
from payout_shares s join payout_months m on m.month = s.month where m.locked_at is not null
union all
select a.month, a.voice_id, a.currency, a.amount
from payout_amounts a join payout_months m on m.month = a.month where m.locked_at is not null;
--> statement-breakpoint
-- Entered in a month that is open, and counted when that is locked.
create table payout_corrections (
  id uuid primary key,
  month date not null check (month = date_trunc('month', month)::date),
  voice_id uuid not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  amount bigint not null check (amount <> 0 and amount between -100000000000 and 100000000000),
  reason text not null check (length(reason) between 1 and 500),
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index payout_corrections_voice_idx on payout_corrections (voice_id, month);
--> statement-breakpoint
create index payout_corrections_month_idx on payout_corrections (month);
--> statement-breakpoint
create table payout_payments (
  id uuid primary key,
  voice_id uuid not null,
  -- Pays everything up to this month.
  month date not null references payout_months (month),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  amount bigint not null check (amount > 0),
  -- That the bank or the payment service gave it.
  reference text not null check (length(reference) between 1 and 120),
  paid_at timestamptz(3) not null default now(),
  unique (voice_id, currency, month)
);
--> statement-breakpoint
create index payout_payments_month_idx on payout_payments (month);
--> statement-breakpoint
create trigger payout_lines_kept before insert or update or delete on payout_lines
  for each row execute function keep_payout_shares();
--> statement-breakpoint
create trigger payout_nodes_kept before insert or update or delete on payout_nodes
  for each row execute function keep_payout_shares();
--> statement-breakpoint
create trigger payout_splits_kept before insert or update or delete on payout_splits
  for each row execute function keep_payout_shares();
--> statement-breakpoint
create trigger payout_earnings_kept before insert or update or delete on payout_earnings
  for each row execute function keep_payout_shares();
--> statement-breakpoint
create trigger payout_corrections_kept before insert or update or delete on payout_corrections
  for each row execute function keep_payout_shares();
--> statement-breakpoint
create function keep_payout_payments() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and exists (select from payout_months m where m.month = new.month and m.locked_at is not null) then
    return new;
  end if;
  raise exception 'payments are for locked months, and never change' using errcode = 'restrict_violation';
end $$;
--> statement-breakpoint
create trigger payout_payments_kept before insert or update or delete on payout_payments
  for each row execute function keep_payout_payments();
--> statement-breakpoint
-- The former version knows neither: it must not lock a month without them.
create or replace function keep_locked_month() returns trigger language plpgsql as $$
begin
  if old.locked_at is not null then
    raise exception 'the payouts of % are locked', old.month using errcode = 'restrict_violation';
  end if;
  if tg_op = 'UPDATE' and new.locked_at is not null and exists (select from payout_shares s where s.month = new.month)
    and (new.root is null or exists (
      select from (
        select new.currency as currency, new.pool as pool
        union all select p.currency, p.pool from payout_pools p where p.month = new.month) pools
      where pools.pool <> (
        select coalesce(sum(e.amount), 0) from payout_earnings e where e.month = new.month and e.currency = pools.currency)
        or pools.currency <> new.currency and pools.pool <> (
          select coalesce(sum(a.amount), 0) from payout_amounts a where a.month = new.month and a.currency = pools.currency)
    ))
  then
    raise exception 'the amounts of % are not their pools', new.month using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
