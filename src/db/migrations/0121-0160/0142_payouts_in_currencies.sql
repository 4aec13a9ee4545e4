-- lock: 5s
-- Pools of a month in other currencies than that of `payout_months`, and what each creator gets of them.
create table payout_pools (
  month date not null references payout_months (month),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  pool bigint not null check (pool between 0 and 100000000000),
  primary key (month, currency)
);
--> statement-breakpoint
create table payout_amounts (
  month date not null,
  voice_id uuid not null,
  currency text not null,
  amount bigint not null check (amount >= 0),
  primary key (month, voice_id, currency),
  foreign key (month, voice_id) references payout_shares (month, voice_id),
  foreign key (month, currency) references payout_pools (month, currency)
);
--> statement-breakpoint
create function keep_payout_pools() returns trigger language plpgsql as $$
begin
  if exists (select from payout_months m where m.month = coalesce(new.month, old.month) and m.locked_at is not null) then
    raise exception 'the payouts of % are locked', coalesce(new.month, old.month) using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
--> statement-breakpoint
create trigger payout_pools_kept before insert or update or delete on payout_pools
  for each row execute function keep_payout_pools();
--> statement-breakpoint
create trigger payout_amounts_kept before insert or update or delete on payout_amounts
  for each row execute function keep_payout_shares();
--> statement-breakpoint
-- The former version knows no further pools: it must not lock a month without their amounts.
create or replace function keep_locked_month() returns trigger language plpgsql as $$
begin
  if old.locked_at is not null then
    raise exception 'the payouts of % are locked', old.month using errcode = 'restrict_violation';
  end if;
  if tg_op = 'UPDATE' and new.locked_at is not null and exists (
    select from payout_pools p where p.month = new.month
      and exists (select from payout_shares s where s.month = p.month)
      and p.pool <> (
        select coalesce(sum(a.amount), 0) from payout_amounts a where a.month = p.month and a.currency = p.currency)
  ) then
    raise exception 'the amounts of % are not their pools', new.month using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
