import { and, desc, eq, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { users } from '../../identity/tables.ts';
import type { Db } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { findSetting } from '../../settings/change-setting.ts';
import type { ChangeOutcome } from '../changes.ts';
import { findPaidTime, settleWishes } from '../charge-wishes.ts';
import { type MembershipParts, findCustomerId } from '../customers.ts';
import { isInTrialSql } from '../entitlement.ts';
import { addMonths } from '../../kernel/calendar/months.ts';
import { withPaymentLock } from '../lock.ts';
import { findProviderOf } from '../payment-providers.ts';
import type { Subscription } from '../shapes.ts';
import { currentOf } from '../sync/current.ts';
import { syncLocked } from '../sync/sync.ts';
import { subscriptions } from '../tables.ts';
import { type Recording, askForEnd, findBackUntil } from './end-pause.ts';
import { findOpenPause } from './find-pause.ts';
import { spanOf } from './pause-wishes.ts';
import { type PauseMonths, pauseMonths } from './rules.ts';
import { keepingSetting } from './settings.ts';
import { pauses } from './tables.ts';

type Refused = Extract<ChangeOutcome, { ok: false }>;

const done = { ok: true, action: undefined } as const;
const none = { ok: false, reason: 'subscription/none' } as const;
const notPausable = { ok: false, reason: 'subscription/not-pausable' } as const;

/** By the stored state. An open pause is no subject here. @returns the date from which a user can pause */
async function findStart(
  { db, payments }: Pick<MembershipParts, 'db' | 'payments'>,
  userId: string,
): Promise<{ ok: true; periodEndsAt: Date } | Refused> {
  const [row] = await db
    .select({ subscription: subscriptions, isInTrial: isInTrialSql(users.id) })
    .from(users)
    .innerJoin(subscriptions, eq(subscriptions.userId, users.id))
    .where(eq(users.id, userId));
  if (row === undefined) return none;
  const { status, endsAt, subscriptionId, periodEndsAt } = row.subscription;
  if (status === 'past-due') return { ok: false, reason: 'subscription/payment-due' };
  const isCharged = (status === 'active' || (status === 'trialing' && !row.isInTrial)) && endsAt === null;
  const { value: settings } = await findSetting(db, keepingSetting);
  const canMove = findProviderOf(payments, subscriptionId)?.capabilities.movesCharge === true;
  if (!isCharged || !settings.pause || !canMove) return notPausable;
  const last = await findLast(db, userId);
  const { fromAt } = spanOf({ periodEndsAt }, 1);
  const isTooSoon = last !== undefined && fromAt < addMonths(last.fromAt, 12);
  return isTooSoon ? { ok: false, reason: 'subscription/paused-lately' } : { ok: true, periodEndsAt };
}

/** None while there is a pause, and where none can be agreed. */
export async function findPauseChoices(
  parts: Pick<MembershipParts, 'db' | 'payments'>,
  userId: string,
): Promise<Subscription['pauseChoices']> {
  const start = await findStart(parts, userId);
  if (!start.ok) return [];
  return pauseMonths.map((months) => {
    const { fromAt: from, untilAt: until } = spanOf(start, months);
    return { months, from, until };
  });
}

/** The last pause that began. */
async function findLast(db: Db, userId: string) {
  const [row] = await db
    .select({ fromAt: pauses.fromAt })
    .from(pauses)
    .where(
      and(
        eq(pauses.userId, userId),
        isNotNull(pauses.appliedAt),
        or(isNull(pauses.endedAt), sql`${pauses.endedAt} >= ${pauses.fromAt}`),
      ),
    )
    .orderBy(desc(pauses.fromAt))
    .limit(1);
  return row;
}

/**
 * Agrees on a pause behind the paid time. It is stored first; without an answer of the provider, a job carries it out.
 * A repeated one is the first one.
 */
export async function pauseSubscription(
  parts: MembershipParts,
  userId: string,
  months: PauseMonths,
): Promise<ChangeOutcome> {
  const { db } = parts;
  return withPaymentLock(db, userId, async () => {
    if ((await findCustomerId(db, userId)) === undefined) return none;
    // Earlier wishes move the charge that this one starts from.
    await settleWishes(parts, userId);
    const paid = await findPaidTime(parts, userId);
    const open = await findOpenPause(db, userId);
    if (open !== undefined) return open.months === months ? done : { ok: false, reason: 'subscription/already-paused' };
    const start = await findStart(parts, userId);
    if (!start.ok) return start;
    if (paid.running === undefined) return notPausable;
    const id = newId();
    const subscriptionId = paid.running.id;
    await db.insert(pauses).values({ id, userId, subscriptionId, months, ...spanOf(paid.running, months) });
    await settleWishes(parts, userId, paid);
    return (await findOpenPause(db, userId))?.id === id ? done : notPausable;
  });
}

/**
 * Takes a pause back before it has begun, exactly; ends a running one with a charge at once, or behind gift time.
 * @param shown as it was seen; no effect when it is otherwise by now
 * @param record runs in the transaction that asks for it
 */
export async function endPause(
  parts: MembershipParts,
  userId: string,
  shown?: { chargesNow: boolean },
  record: Recording = async () => {},
): Promise<ChangeOutcome> {
  const { db } = parts;
  return withPaymentLock(db, userId, async () => {
    const customerId = await findCustomerId(db, userId);
    if (customerId === undefined) return none;
    await settleWishes(parts, userId);
    await syncLocked(parts, userId, customerId);
    const open = await findOpenPause(db, userId);
    if (open !== undefined) {
      const now = new Date();
      const chargesNow = (await findBackUntil(db, open, now)) <= now;
      if (shown !== undefined && shown.chargesNow !== chargesNow) return { ok: false, reason: 'subscription/changed' };
      await askForEnd(db, open, record);
      await settleWishes(parts, userId);
      if ((await findOpenPause(db, userId))?.id === open.id) return { ok: false, reason: 'payment/not-offered' };
    }
    const current = currentOf((await syncLocked(parts, userId, customerId)).facts);
    if (current === undefined || current.status === 'ended') return none;
    // The charge at the end was declined, or waits for the bank.
    if (open === undefined || current.status !== 'past-due') return done;
    return current.action === undefined
      ? { ok: false, reason: 'payment/card-declined' }
      : { ok: true, action: current.action };
  });
}
