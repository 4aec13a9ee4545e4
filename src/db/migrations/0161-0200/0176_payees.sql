-- lock: 5s
-- Who is paid for a creator, sealed; and numbers of statements.
create table payees (
  user_id uuid primary key references users (id) on delete cascade,
  -- AES-256-GCM under SECRET: name, address, account and tax data.
  sealed text not null,
  changed_at timestamptz(3) not null default now()
);
--> statement-breakpoint
-- The owner who is paid for a creator; ends with the ownership.
create table voice_payees (
  voice_id uuid primary key,
  user_id uuid not null references payees (user_id) on delete cascade,
  foreign key (voice_id, user_id) references voice_owners (voice_id, user_id) on delete cascade
);
--> statement-breakpoint
create index voice_payees_user_idx on voice_payees (user_id);
--> statement-breakpoint
-- Who was paid, as it was then and without the account number; stays after the account is deleted, for the years of the setting.
create table payment_payees (
  payment_id uuid primary key references payout_payments (id),
  user_id uuid references users (id) on delete set null,
  sealed text not null
);
--> statement-breakpoint
create index payment_payees_user_idx on payment_payees (user_id);
--> statement-breakpoint
-- Day by which a locked month is paid; null: locked by a former version.
alter table payout_months add column due_on date;
--> statement-breakpoint
-- Numbers of a year's statements follow each other; they are given when a month is locked.
create table payout_statements (
  month date not null references payout_months (month),
  voice_id uuid not null,
  -- The month's.
  year integer not null,
  number integer not null check (number > 0),
  primary key (month, voice_id),
  unique (year, number)
);
--> statement-breakpoint
insert into payout_statements
select month, voice_id, extract(year from month)::int,
  row_number() over (partition by extract(year from month) order by month, voice_id)
from (
  select month, voice_id from payout_shares
  union select month, voice_id from payout_earnings
  union select month, voice_id from payout_corrections) statements
where exists (select from payout_months m where m.month = statements.month and m.locked_at is not null);
--> statement-breakpoint
create trigger payout_statements_kept before insert or update or delete on payout_statements
  for each row execute function keep_payout_shares();
--> statement-breakpoint
-- The former version gives no numbers: it must not lock a month.
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
  if tg_op = 'UPDATE' and new.locked_at is not null and exists (
    select from payout_shares s where s.month = new.month
      and not exists (select from payout_statements t where t.month = s.month and t.voice_id = s.voice_id))
  then
    raise exception 'the statements of % have no numbers', new.month using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
