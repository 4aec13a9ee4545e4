import { asc, gte, sql } from 'drizzle-orm';
import { addDays } from '#formats/zones.ts';
import { type Db, allowLongStatements } from '../../kernel/db.ts';
import { findMembershipSettings } from '../../membership/settings.ts';
import { type OverviewPeriod, overviewPeriods } from '../rules.ts';
import { siteDayMoney, siteDays } from '../tables.ts';

/** Site-wide figures per day (UTC), computed by a job, so that the overview reads few rows and counts nothing. */

type Money = Omit<typeof siteDayMoney.$inferSelect, 'day' | 'currency'>;
/** `further`: the money in other currencies than the row's. */
export type SiteDay = typeof siteDays.$inferSelect & { further: Partial<Record<string, Money>> };

/** The last 90 days, the 90 before for comparison, and one day for the state at their start. */
export const keptDays = 181;
/** Older figures of today are recomputed when the page is opened. */
const freshSeconds = 10 * 60;

/**
 * The last days, oldest first, today included; each day has a row. When they cannot be computed, such as on a full
 * disk, these are the last known ones: the job that computes them reports the failure.
 */
export async function readSiteDays(db: Db): Promise<SiteDay[]> {
  const rows = await selectDays(db);
  const today = rows.at(-1);
  const isFresh =
    rows.length >= keptDays && today !== undefined && Date.now() - today.computedAt.getTime() < freshSeconds * 1000;
  if (isFresh) return rows;
  try {
    await addUpSite(db);
  } catch (error) {
    if (rows.length < keptDays - 1) throw error;
    return rows;
  }
  return selectDays(db);
}

async function selectDays(db: Db): Promise<SiteDay[]> {
  const firstDay = sql`(now() at time zone 'UTC')::date - ${keptDays - 1}::int`;
  const [days, further] = await Promise.all([
    db.select().from(siteDays).where(gte(siteDays.day, firstDay)).orderBy(asc(siteDays.day)),
    db.select().from(siteDayMoney).where(gte(siteDayMoney.day, firstDay)),
  ]);
  const byDay = Map.groupBy(further, ({ day }) => day);
  return days.map((row) => ({
    ...row,
    further: Object.fromEntries(
      (byDay.get(row.day) ?? []).map(({ day: _day, currency, ...money }) => [currency, money]),
    ),
  }));
}

/**
 * Computes today and yesterday, and what was not computed yet. Earlier days stay as they are. A day that is computed late
 * takes its subscriptions from the data of now.
 */
export async function addUpSite(db: Db): Promise<{ days: number }> {
  const { currency, trialDays } = await findMembershipSettings(db);
  return db.transaction(async (tx) => {
    await allowLongStatements(tx);
    // When two processes start at once, the second finds the days done.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('add up site days'))`);
    const { rows } = await tx.execute<{ day: string }>(sql`
      select d.day::date::text as day
      from generate_series((now() at time zone 'UTC')::date - ${keptDays - 1}::int, (now() at time zone 'UTC')::date, interval '1 day') d (day)
      left join site_days s on s.day = d.day
      where s.day is null or not s.has_further_money or d.day >= (now() at time zone 'UTC')::date - 1
      order by 1`);
    const [first, last] = [rows[0]?.day, rows.at(-1)?.day];
    if (first === undefined || last === undefined) return { days: 0 };
    await tx.execute(addUp({ first, last, currency, trialDays }));
    return { days: rows.length };
  });
}

/** Midnight, UTC, at which a day begins. */
const start = (day: string) => sql`${day}::timestamp at time zone 'UTC'`;
const dayOf = (column: string) => sql`(${sql.raw(column)} at time zone 'UTC')::date`;

/** The first day of a period that ends with `last`. */
const firstOf = (period: OverviewPeriod, last: string) =>
  period === 'month' ? `${last.slice(0, 7)}-01` : addDays(last, 1 - Number(period));

type Days = { first: string; last: string; currency: string; trialDays: number };

/**
 * One pass over each table for all days. Payers count as subscribed from the end of their trial. A gift moves that end,
 * or gives a payer one: then they count from their first payment. Those who pause are left out meanwhile.
 */
function addUp({ first, last, currency, trialDays }: Days) {
  const from = start(first);
  const leftOfStart = overviewPeriods.map(
    (period) => sql`${period}::text,
      count(*) filter (where pays_from < ${start(firstOf(period, last))} and over_at >= ${start(firstOf(period, last))})`,
  );
  return sql`
    with days as (
      select d::date as day from generate_series(${first}::date, ${last}::date, interval '1 day') d
    ),
    spans as (
      select subscription_id, least(coalesce(trial_ends_at, started_at), paid_at) as pays_from, started_at,
        least(trial_ends_at, paid_at) as trial_ends_at, status = 'trialing' and paid_at is null as is_trial,
        case when status = 'ended' or ends_at <= now() then coalesce(ends_at, period_ends_at) end as over_at,
        currency, case when period = 'year' then amount / 12.0 else amount end as per_month
      from (
        select s.*, case when status = 'trialing' or trial_ends_at > started_at + make_interval(days => ${trialDays + 1}) then
          (select min(i.paid_at) from invoices i where i.user_id = s.user_id and i.amount_paid > 0 and i.paid_at >= s.started_at)
          end as paid_at
        from subscriptions s where status <> 'confirming'
      ) s
    ),
    departures as (
      select jsonb_build_object(${sql.join(leftOfStart, sql`, `)}) as left_of_start
      from spans where over_at > pays_from and over_at <= now()
    ),
    steps as (
      select day, currency, sum(subscribers)::int as subscribers, sum(revenue) as revenue, sum(trials)::int as trials,
        sum(joined)::int as joined, sum(gone)::int as gone, sum(gone_at_once)::int as gone_at_once
      from (
        select greatest(${dayOf('pays_from')}, ${first}::date) as day, currency, 1 as subscribers, per_month as revenue, 0 as trials,
          (pays_from >= ${from})::int as joined, 0 as gone, 0 as gone_at_once
        from spans where pays_from <= now() and (over_at is null or over_at > pays_from) and not is_trial
        union all
        select greatest(${dayOf('over_at')}, ${first}::date), currency, -1, -per_month, 0, 0, (over_at >= ${from})::int,
          (over_at >= ${from} and ${dayOf('over_at')} = ${dayOf('pays_from')})::int
        from spans where over_at > pays_from and over_at <= now()
        union all
        -- A paused subscription pays nothing.
        select greatest(${dayOf('b.at')}, ${first}::date), currency, b.step, b.step * per_month, 0, 0, 0, 0
        from spans join pauses p using (subscription_id)
        cross join lateral (values (p.from_at, -1), (least(p.ended_at, p.until_at, over_at), 1)) b (at, step)
        where p.applied_at is not null and (p.ended_at is null or p.ended_at > p.from_at) and p.from_at >= pays_from
          and (over_at is null or over_at > p.from_at) and p.from_at <= now() and b.at <= now()
        union all
        select greatest(${dayOf('started_at')}, ${first}::date), currency, 0, 0, 1, 0, 0, 0
        from spans where trial_ends_at is not null or is_trial
        union all
        select greatest(${dayOf('least(trial_ends_at, over_at)')}, ${first}::date), currency, 0, 0, -1, 0, 0, 0
        from spans where least(trial_ends_at, over_at) <= now() and trial_ends_at is not null and not is_trial
      ) s group by day, currency
    ),
    stock as (
      select d.day, coalesce(sum(s.subscribers) over w, 0) as subscribers, coalesce(sum(s.revenue) over w, 0) as revenue,
        coalesce(sum(s.trials) over w, 0) as trials, coalesce(s.joined, 0) as joined, coalesce(s.gone, 0) as gone,
        coalesce(s.gone_at_once, 0) as gone_at_once
      from days d left join (
        select day, sum(subscribers) as subscribers, sum(trials) as trials, sum(joined)::int as joined, sum(gone)::int as gone,
          sum(gone_at_once)::int as gone_at_once, sum(revenue) filter (where currency = ${currency}) as revenue
        from steps group by day
      ) s on s.day = d.day window w as (order by d.day)
    ),
    newcomers as (
      select ${dayOf('created_at')} as day, count(*)::int as count from users where created_at >= ${from} group by 1
    ),
    heard as (
      select day, sum(plays) as plays, sum(heard_ms) as ms from voice_days where day >= ${first}::date group by 1
    ),
    paid as (
      select ${dayOf('paid_at')} as day, currency,
        count(*) filter (where not is_year)::int as months, sum(amount_paid) filter (where not is_year) as month_income,
        count(*) filter (where is_year)::int as years, sum(amount_paid) filter (where is_year) as year_income
      from (
        select paid_at, amount_paid, currency, period_end - period_start > interval '200 days' as is_year from invoices
        where paid_at >= ${from} and status = 'paid' and amount_paid > 0
      ) i group by 1, 2
    ),
    gifts as (
      select ${dayOf('paid_at')} as day, currency, count(*)::int as count, sum(amount) as income from gift_cards
      where paid_at >= ${from} and amount > 0 group by 1, 2
    ),
    refunds as (
      select day, currency, count(*)::int as count, sum(amount) as amount from (
        select ${dayOf('created_at')} as day, currency, amount from invoice_refunds
        where created_at >= ${from} and state = 'done'
        union all
        select ${dayOf('coalesce(refunded_at, paid_back_at)')}, currency, amount from gift_cards
        where coalesce(refunded_at, paid_back_at) >= ${from} and paid_at is not null and amount > 0
      ) r group by day, currency
    ),
    owed as (
      select i.currency, coalesce(sum(i.amount_due), 0) as amount
      from subscriptions s join invoices i on i.user_id = s.user_id and i.status = 'open'
      where s.status = 'past-due' group by i.currency
    ),
    overdue as (
      select count(distinct user_id)::int as count,
        coalesce((select amount from owed where currency = ${currency}), 0) as amount
      from subscriptions where status = 'past-due'
    ),
    -- Sums never mix currencies: each further one has its own rows, also while a row of it is to become 0.
    others as (
      select currency from (
        select currency from steps union select currency from paid union select currency from gifts
        union select currency from refunds union select currency from owed
        union select currency from site_day_money where day >= ${last}::date - 1
      ) c where currency <> ${currency}
    ),
    worth as (
      select d.day, c.currency, round(greatest(coalesce(sum(s.revenue) over (partition by c.currency order by d.day), 0), 0)) as revenue
      from days d cross join others c left join steps s on s.day = d.day and s.currency = c.currency
    ),
    former as (delete from site_day_money where currency = ${currency} and day >= ${last}::date - 1),
    further as (
      insert into site_day_money as k (day, currency, monthly_revenue, past_due_amount, monthly_payments, monthly_income,
        yearly_payments, yearly_income, gift_cards, gift_income, refunds, refunded)
      select w.day, w.currency, w.revenue, case when w.day = ${last}::date then coalesce(o.amount, 0) else 0 end,
        coalesce(b.months, 0), coalesce(b.month_income, 0), coalesce(b.years, 0), coalesce(b.year_income, 0),
        coalesce(g.count, 0), coalesce(g.income, 0), coalesce(r.count, 0), coalesce(r.amount, 0)
      from worth w left join owed o on o.currency = w.currency
      left join paid b on b.day = w.day and b.currency = w.currency
      left join gifts g on g.day = w.day and g.currency = w.currency
      left join refunds r on r.day = w.day and r.currency = w.currency
      on conflict (day, currency) do update set
        monthly_revenue = case when k.day = ${last}::date then excluded.monthly_revenue else k.monthly_revenue end,
        past_due_amount = case when k.day = ${last}::date then excluded.past_due_amount else k.past_due_amount end,
        monthly_payments = excluded.monthly_payments, monthly_income = excluded.monthly_income,
        yearly_payments = excluded.yearly_payments, yearly_income = excluded.yearly_income,
        gift_cards = excluded.gift_cards, gift_income = excluded.gift_income,
        refunds = excluded.refunds, refunded = excluded.refunded
      where k.day >= ${last}::date - 1
    ),
    completed as (
      update site_days set has_further_money = true
      where day >= ${first}::date and day < ${last}::date - 1 and not has_further_money
    ),
    stored as (
      select count(*)::int as audios, coalesce(sum(file_bytes), 0) as bytes from audios where deleted_at is null
    )
    insert into site_days as k (day, computed_at, currency, subscribers, trials, monthly_revenue, past_due, past_due_amount,
      audios, file_bytes, joined, "left", left_on_joining, left_of_start, new_users, plays, heard_ms, monthly_payments, monthly_income, yearly_payments, yearly_income,
      gift_cards, gift_income, refunds, refunded, has_further_money)
    select t.day, now(), ${currency}, greatest(t.subscribers, 0), greatest(t.trials, 0), round(greatest(t.revenue, 0)),
      case when t.day = ${last}::date then o.count else 0 end, case when t.day = ${last}::date then o.amount else 0 end,
      case when t.day = ${last}::date then f.audios else 0 end, case when t.day = ${last}::date then f.bytes else 0 end,
      t.joined, t.gone, t.gone_at_once,
      case when t.day = ${last}::date then p.left_of_start else '{}' end, coalesce(n.count, 0), coalesce(h.plays, 0), coalesce(h.ms, 0),
      coalesce(b.months, 0), coalesce(b.month_income, 0), coalesce(b.years, 0), coalesce(b.year_income, 0),
      coalesce(g.count, 0), coalesce(g.income, 0), coalesce(r.count, 0), coalesce(r.amount, 0), true
    from stock t cross join overdue o cross join stored f cross join departures p
    left join newcomers n on n.day = t.day left join heard h on h.day = t.day
    left join paid b on b.day = t.day and b.currency = ${currency}
    left join gifts g on g.day = t.day and g.currency = ${currency}
    left join refunds r on r.day = t.day and r.currency = ${currency}
    on conflict (day) do update set computed_at = excluded.computed_at, currency = excluded.currency,
      -- How many there were at the end of yesterday is known by the last look of yesterday.
      subscribers = case when k.day = ${last}::date then excluded.subscribers else k.subscribers end,
      trials = case when k.day = ${last}::date then excluded.trials else k.trials end,
      monthly_revenue = case when k.day = ${last}::date or k.currency <> excluded.currency then excluded.monthly_revenue
        else k.monthly_revenue end,
      past_due = case when k.day = ${last}::date then excluded.past_due else k.past_due end,
      past_due_amount = case when k.day = ${last}::date or k.currency <> excluded.currency then excluded.past_due_amount
        else k.past_due_amount end,
      audios = case when k.day = ${last}::date then excluded.audios else k.audios end,
      file_bytes = case when k.day = ${last}::date then excluded.file_bytes else k.file_bytes end,
      joined = excluded.joined, "left" = excluded."left", left_on_joining = excluded.left_on_joining,
      left_of_start = excluded.left_of_start, new_users = excluded.new_users, plays = excluded.plays,
      heard_ms = excluded.heard_ms, monthly_payments = excluded.monthly_payments,
      monthly_income = excluded.monthly_income, yearly_payments = excluded.yearly_payments,
      yearly_income = excluded.yearly_income, gift_cards = excluded.gift_cards, gift_income = excluded.gift_income,
      refunds = excluded.refunds, refunded = excluded.refunded, has_further_money = true
    where k.day >= ${last}::date - 1`;
}
