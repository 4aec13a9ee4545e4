import { sql } from 'drizzle-orm';
import type { Db } from '#domain/kernel/db.ts';

/**
 * Subscribers of Stripe as the site knows them, in every state that a move meets: every tenth in a trial, past due,
 * cancelled, with gift time behind, or overdue since yesterday; the others active.
 */
export async function addSubscribers(db: Db, count: number): Promise<void> {
  await db.execute(sql`
    insert into users (id, username, email)
    select gen_random_uuid(), 'moved-' || n, 'moved-' || n || '@example.org' from generate_series(1, ${count}) n`);
  await db.execute(sql`
    insert into payment_customers (user_id, customer_id) select id, 'cus_' || username from users where username like 'moved-%'`);
  await db.execute(sql`
    insert into subscriptions (user_id, subscription_id, status, period, amount, currency, started_at, trial_ends_at,
      period_ends_at, ends_at, unpaid_since)
    select id, 'sub_' || n, case n % 10 when 1 then 'trialing' when 2 then 'past-due' else 'active' end,
      case n % 3 when 0 then 'year' else 'month' end, 799, 'usd', now() - interval '40 days',
      case n % 10 when 1 then ends end, ends, case n % 10 when 3 then ends end,
      case n % 10 when 2 then now() - interval '2 days' end
    from (select id, split_part(username, '-', 2)::int as n,
      date_trunc('milliseconds', case when split_part(username, '-', 2)::int % 10 = 5 then now() - interval '1 day'
        when split_part(username, '-', 2)::int % 10 = 2 then now() - interval '2 days'
        else now() + make_interval(mins => 60 + (split_part(username, '-', 2)::int * 7919) % 500000) end) as ends
      from users where username like 'moved-%') numbered`);
  await db.execute(sql`
    insert into memberships (user_id, gift_until)
    select user_id, period_ends_at + interval '1 month' from subscriptions
    where split_part(subscription_id, '_', 2)::int % 10 = 4`);
}

/** Notes every commit after which somebody who had access has none: nobody may lose it for a moment. */
export async function watchAccess(db: Db): Promise<{ losses: () => Promise<number> }> {
  await db.execute(sql`create table access_losses (user_id uuid, at timestamptz default clock_timestamp())`);
  await db.execute(sql`
    create function note_access() returns trigger language plpgsql as $$
    declare
      of_user uuid := coalesce(new.user_id, old.user_id);
    begin
      if not exists (select from memberships where user_id = of_user and gift_until > now())
        and not exists (select from subscriptions s where s.user_id = of_user and (s.ends_at is null or s.ends_at > now())
          and (s.status in ('trialing', 'active') or (s.status = 'past-due' and s.unpaid_since > now() - interval '7 days')))
      then insert into access_losses values (of_user); end if;
      return null;
    end $$`);
  for (const table of ['subscriptions', 'memberships'])
    await db.execute(
      sql.raw(`create constraint trigger watch_access after insert or update or delete on ${table}
        deferrable initially deferred for each row execute function note_access()`),
    );
  return {
    async losses() {
      const { rows } = await db.execute<{ count: number }>(sql`select count(*)::int as count from access_losses`);
      return rows[0]?.count ?? 0;
    },
  };
}
