import { setTimeout as wait } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { type Db, pick } from '../kernel/db.ts';
import { users } from '../identity/tables.ts';
import { type MembershipParts, findCustomerId } from './customers.ts';
import { graceDaysSql, isSubscribedSql } from './entitlement.ts';
import { isSameSecond } from './free-time.ts';
import { providerTitles } from './capabilities.ts';
import { type PauseRow, findPauseOf, phaseOf } from './keeping/find-pause.ts';
import { findPauseChoices } from './keeping/pause.ts';
import { findStayOffer } from './keeping/stay-offer.ts';
import { providerOf } from './hosted/hosted-id.ts';
import { type PaymentProviders, findProvider } from './payment-providers.ts';
import { type Subscription, subscriberActs } from './shapes.ts';
import { giftCards, memberships, subscriptions } from './tables.ts';

/** The stored state, without asking the provider. */
export async function findSubscriptionState(db: Db, userId: string): Promise<Subscription> {
  const [row] = await db
    .select({
      subscription: subscriptions,
      giftUntil: memberships.giftUntil,
      chargeUntil: sql<Date | null>`(select max(g.charge_until) from (
            select charge_until, redeemed_by as user_id from gift_cards union all select charge_until, user_id from given_months
          ) g where g.user_id = ${users.id})`.mapWith(giftCards.chargeUntil),
      openAmount: sql<number | null>`case when ${subscriptions.status} = 'past-due' then (
            select amount_due - amount_paid from invoices i where i.user_id = ${users.id} and i.status = 'open'
            order by i.created_at limit 1) end`,
      isSubscribed: isSubscribedSql(users.id),
      graceDays: graceDaysSql,
    })
    .from(users)
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .leftJoin(memberships, eq(memberships.userId, users.id))
    .where(eq(users.id, userId));
  const one = row?.subscription ?? undefined;
  const giftUntil = row?.giftUntil && row.giftUntil > new Date() ? row.giftUntil : null;
  const asked = { card: null, nextCharge: null, through: null, pauseChoices: [], stayOffer: null };
  const shared = { giftUntil, isSubscribed: row?.isSubscribed ?? false, ...asked };
  if (one === undefined) return { ...empty, ...shared };
  const pause = await findPauseOf(db, one.subscriptionId);
  const phase = phaseOf(pause, one, new Date());
  const freeBy = one.status === 'trialing' ? freeByOf(one.trialEndsAt, [row?.giftUntil, row?.chargeUntil]) : null;
  // The provider calls the paid time before a pause free.
  const isPaid = phase === 'ahead' || phase === 'running' || (phase === 'taken-back' && freeBy !== 'gift');
  const state = stateOf(isPaid ? { ...one, status: 'active' } : one, phase);
  const isRunning = state === 'trialing' || state === 'active' || state === 'past-due' || state === 'paused';
  return {
    state,
    ...pick(one, 'period', 'amount', 'currency', 'trialEndsAt', 'endsAt', 'nextPeriod', 'discount'),
    renewsAt: isRunning ? one.periodEndsAt : null,
    graceEndsAt: one.unpaidSince && new Date(one.unpaidSince.getTime() + (row?.graceDays ?? 0) * 24 * 60 * 60 * 1000),
    openAmount: row?.openAmount ?? null,
    isTrial: one.status === 'trialing' && !isPaid,
    freeBy: isPaid ? null : freeBy,
    pause: pause !== undefined && (pause.appliedAt === null || phase !== 'none') ? pauseOf(pause) : null,
    ...shared,
  };
}

const empty = {
  state: 'none',
  period: null,
  amount: null,
  currency: null,
  trialEndsAt: null,
  renewsAt: null,
  endsAt: null,
  graceEndsAt: null,
  openAmount: null,
  isTrial: false,
  freeBy: null,
  nextPeriod: null,
  discount: null,
  pause: null,
} as const;

function freeByOf(freeUntil: Date | null, gifts: (Date | null | undefined)[]): 'trial' | 'gift' {
  return gifts.some((at) => isSameSecond(at, freeUntil)) ? 'gift' : 'trial';
}

function stateOf(
  { status, endsAt }: typeof subscriptions.$inferSelect,
  phase: ReturnType<typeof phaseOf>,
): Subscription['state'] {
  if ((status === 'trialing' || status === 'active') && endsAt !== null) return 'ending';
  return phase === 'running' ? 'paused' : status;
}

function pauseOf({ months, fromAt, untilAt, appliedAt, endingAt, endedAt }: PauseRow): Subscription['pause'] {
  if (endedAt !== null) return null;
  return { months, from: fromAt, until: untilAt, isWaiting: appliedAt === null || endingAt !== null };
}

/** Adds the card and the next charge from the provider. */
export async function findSubscription(parts: MembershipParts, userId: string): Promise<Subscription> {
  const { db, payments } = parts;
  const [state, customerId, [row]] = await Promise.all([
    findSubscriptionState(db, userId),
    findCustomerId(db, userId),
    db.select({ id: subscriptions.subscriptionId }).from(subscriptions).where(eq(subscriptions.userId, userId)),
  ]);
  if (customerId === undefined) return state;
  const isOver = state.state === 'ended' || state.state === 'confirming' || state.state === 'none';
  // Optional: the page works without card and next charge.
  const upcoming = await Promise.race([
    payments.readUpcoming(customerId, isOver ? undefined : row?.id).catch(() => undefined),
    wait(patience, undefined, { ref: false }),
  ]);
  const through = row === undefined || state.state === 'none' ? null : await findThrough(payments, row.id);
  const pauseChoices = state.pause === null ? await findPauseChoices(parts, userId) : [];
  const stayOffer = await findStayOffer(parts, userId);
  const { card = null, nextCharge = null } = upcoming ?? {};
  return { ...state, card, nextCharge, through, pauseChoices, stayOffer };
}

async function findThrough(payments: PaymentProviders, subscriptionId: string): Promise<Subscription['through']> {
  const provider = providerOf(subscriptionId);
  const found = findProvider(payments, provider);
  const title = providerTitles[provider];
  if (found === undefined)
    return { provider, title, can: [], sellsInOwnName: false, accountUrl: null, cancelUrl: null };
  const { capabilities, checkouts } = found;
  const pages = await checkouts?.pagesOf(subscriptionId);
  const can: Record<(typeof subscriberActs)[number], boolean> = {
    'change-period': capabilities.periodChange,
    'change-card': capabilities.cardOnFile,
    'add-promo-code': capabilities.promo === 'provider',
    resume: capabilities.resume,
    cancel: capabilities.cancel === 'api',
    pay: capabilities.cardOnFile,
  };
  return {
    provider,
    title,
    can: subscriberActs.filter((act) => can[act]),
    sellsInOwnName: capabilities.sellsInOwnName,
    accountUrl: pages?.account ?? null,
    cancelUrl: pages?.cancel ?? null,
  };
}

/** Milliseconds that a page waits for optional data; other provider calls wait longer. */
const patience = 2000;
