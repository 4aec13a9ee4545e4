import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { providerNames } from '../capabilities.ts';
import type { MembershipParts } from '../customers.ts';
import { isAtProvider } from '../hosted/hosted-id.ts';
import { findProvider } from '../payment-providers.ts';
import { subscriptions } from '../tables.ts';
import { type KeepingSettings, keepingSetting } from './settings.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** Queued ahead, so that they leave on time, although this runs once an hour. */
const aheadMs = 2 * hourMs;
const cardNotice = { from: 30 * dayMs, until: 7 * dayMs };
const prepaidNoticeMs = 7 * dayMs;

const at = (time: Date): SQL => sql`${time.toISOString()}::timestamptz`;
const span = (ms: number): SQL => sql`make_interval(secs => ${ms / 1000})`;
const isRunning = sql`s.status in ('trialing', 'active')`;
/** A charge that moved to another day is another subject. */
const dayOf = (column: SQL) => sql`s.subscription_id || ' ' || to_char(${column} at time zone 'UTC', 'YYYY-MM-DD')`;

/** The month of the next day: a card is valid until the end of its month, which comes earlier in other time zones. */
export const monthAt = (time: Date): string => new Date(time.getTime() + dayMs).toISOString().slice(0, 7);

/**
 * Queues mails about what is due soon: cards that end, yearly charges, prepaid time. Each once per subject, in any number
 * of processes, and by indexes alone. The mail is written when it leaves, from the state of that moment.
 * @returns how many were queued
 */
export async function planKeepingMails(
  { db, payments }: Pick<MembershipParts, 'db' | 'payments'>,
  { now = new Date(), atOnce = 500, signal }: { now?: Date; atOnce?: number; signal?: AbortSignal | undefined } = {},
): Promise<number> {
  const { value: settings } = await findSetting(db, keepingSetting);
  const prepaid = providerNames.filter((name) => findProvider(payments, name)?.capabilities.prepaid === true);
  const selects = [
    ...(settings.cardExpiry ? [expiringCards(now)] : []),
    ...(settings.renewal ? [yearlyCharges(now, settings)] : []),
    ...(settings.prepaidEnd && prepaid.length > 0
      ? [
          endingTime(
            now,
            sql.join(
              prepaid.map((name) => isAtProvider(subscriptionId, name)),
              sql` or `,
            ),
          ),
        ]
      : []),
  ];
  let queued = 0;
  for (const select of selects) queued += await queuePages(db, select, { atOnce, signal });
  return queued;
}

const subscriptionId = sql`s.subscription_id`;

async function queuePages(
  db: Db,
  select: SQL,
  { atOnce, signal }: { atOnce: number; signal: AbortSignal | undefined },
): Promise<number> {
  let queued = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { rowCount } = await db.execute(sql`
      insert into membership_mails (id, kind, ref, user_id, due_at)
      select gen_random_uuid(), due.kind, due.ref, due.user_id, due.due_at
      from (${select} limit ${atOnce}) due
      on conflict do nothing`);
    queued += rowCount ?? 0;
    if ((rowCount ?? 0) < atOnce) return queued;
  }
}

/** Before the first charge that the card does not outlive. */
function expiringCards(now: Date): SQL {
  const latest = new Date(now.getTime() + cardNotice.from + aheadMs);
  const ref = sql`s.subscription_id || ' ' || s.card_expires`;
  const nextDay = sql`(s.period_ends_at + interval '1 day')`;
  return sql`
    select 'card-expires' as kind, ${ref} as ref, s.user_id,
      greatest(${at(now)}, s.period_ends_at - ${span(cardNotice.from)}) as due_at
    from ${subscriptions} s
    where s.card_expires is not null and s.ends_at is null and ${isRunning}
      and s.card_expires < ${monthAt(latest)}
      and s.card_expires < to_char(${nextDay} at time zone 'UTC', 'YYYY-MM')
      and s.period_ends_at <= ${at(latest)} and s.period_ends_at >= ${at(new Date(now.getTime() + cardNotice.until))}
      and ${isNew(sql`'card-expires'`, ref)}`;
}

const isNew = (kind: SQL, ref: SQL) =>
  sql`not exists (select from membership_mails m where m.kind = ${kind} and m.ref = ${ref})`;

/** The first charge after a trial has the trial's notice. */
function yearlyCharges(now: Date, { renewalDays }: KeepingSettings): SQL {
  const ref = dayOf(sql`s.period_ends_at`);
  const notice = renewalDays * dayMs;
  return sql`
    select 'renewal' as kind, ${ref} as ref, s.user_id,
      greatest(${at(now)}, s.period_ends_at - ${span(notice)}) as due_at
    from ${subscriptions} s
    where coalesce(s.next_period, s.period) = 'year' and s.ends_at is null and ${isRunning}
      and s.period_ends_at > ${at(now)} and s.period_ends_at <= ${at(new Date(now.getTime() + notice + aheadMs))}
      and (s.status = 'active' or exists (
        select from invoices i where i.user_id = s.user_id and i.amount_paid > 0 and i.created_at >= s.started_at))
      and ${isNew(sql`'renewal'`, ref)}
      and not exists (
        select from membership_mails m where m.kind = 'trial-ends' and m.ref = ${ref} and m.sent_at is not null)`;
}

/** Not while gift time goes on after it. */
function endingTime(now: Date, isPrepaid: SQL): SQL {
  const ref = dayOf(sql`s.ends_at`);
  return sql`
    select 'prepaid-ends' as kind, ${ref} as ref, s.user_id,
      greatest(${at(now)}, s.ends_at - ${span(prepaidNoticeMs)}) as due_at
    from ${subscriptions} s
    where s.ends_at > ${at(now)} and s.ends_at <= ${at(new Date(now.getTime() + prepaidNoticeMs + aheadMs))}
      and s.status = 'active' and (${isPrepaid})
      and not exists (select from memberships g where g.user_id = s.user_id and g.gift_until > s.ends_at)
      and ${isNew(sql`'prepaid-ends'`, ref)}`;
}
