import type { Actor } from '../kernel/actor.ts';
import type { ErrorCode } from '../kernel/errors.ts';
import { askInTurn } from './ask-in-turn.ts';
import { type MembershipParts, findCustomerId, findOrCreateCustomer } from './customers.ts';
import { withPaymentLock } from './lock.ts';
import type { ChargeOutcome, CustomerFacts, SubscriptionFacts } from './payment-provider.ts';
import { catchUp } from './payment-providers.ts';
import { chargedAt, checkPromoCode } from './promo-codes.ts';
import type { Period } from './rules.ts';
import { findMembershipSettings, planOf } from './settings.ts';
import { findPauseOf, phaseOf } from './keeping/find-pause.ts';
import { takePauseBack } from './keeping/end-pause.ts';
import type { Action, PeriodPreview } from './shapes.ts';
import { settleEach } from '../kernel/settle-each.ts';
import { discountEnd } from './subscribing/subscription-preview.ts';
import {
  dropSubscriptionWish,
  findWaitingUsers,
  storeSubscriptionWish,
  type SubscriptionWish,
} from './subscribing/subscription-wishes.ts';
import { syncLocked } from './sync/sync.ts';
import { currentOf } from './sync/current.ts';

/** Changes by the owner of a subscription. Each one calls the provider first, then syncs the result. */

export type ChangeOutcome = { ok: true; action: Action | undefined } | { ok: false; reason: ErrorCode };

type Live = { customerId: string; facts: CustomerFacts; current: SubscriptionFacts };

const done = { ok: true, action: undefined } as const;
const none = { ok: false, reason: 'subscription/none' } as const;

/** A subscription that can be changed: neither ended nor awaiting its first confirmation. */
async function withLive(
  parts: MembershipParts,
  userId: string,
  act: (live: Live) => Promise<ChangeOutcome>,
): Promise<ChangeOutcome> {
  return withPaymentLock(parts.db, userId, async () => {
    const customerId = await findCustomerId(parts.db, userId);
    if (customerId === undefined) return none;
    const facts = await parts.payments.readCustomer(customerId);
    const current = facts && currentOf(facts);
    const isLive = current !== undefined && current.status !== 'ended' && current.status !== 'confirming';
    const outcome = facts !== undefined && isLive ? await act({ customerId, facts, current }) : none;
    // After a refusal too: the stored state may have been stale.
    await syncLocked(parts, userId, customerId);
    return outcome;
  });
}

/**
 * Syncs with the provider, after the bank's confirmation step.
 * @returns the action still required, if any
 */
export async function refreshSubscription(parts: MembershipParts, userId: string): Promise<Action | undefined> {
  return refreshInTurn(userId, () =>
    withPaymentLock(parts.db, userId, async () => {
      const customerId = await findCustomerId(parts.db, userId);
      if (customerId === undefined) return undefined;
      await catchUp(parts.payments, customerId);
      const { facts } = await syncLocked(parts, userId, customerId);
      return currentOf(facts)?.action;
    }),
  );
}

const refreshInTurn = askInTurn<Action | undefined>();

/** An upgrade starts at once, a downgrade at the end of the paid time, or at once when nothing is paid. */
function whenOf({ status, plan }: SubscriptionFacts, period: Period): PeriodPreview['when'] {
  return status === 'active' && plan.period === 'year' && period === 'month' ? 'period-end' : 'now';
}

export async function previewPeriodChange(
  { db, payments }: MembershipParts,
  userId: string,
  period: Period,
): Promise<{ ok: true; preview: PeriodPreview } | { ok: false; reason: ErrorCode }> {
  const customerId = await findCustomerId(db, userId);
  const facts = customerId === undefined ? undefined : await payments.readCustomer(customerId);
  const current = facts && currentOf(facts);
  if (current === undefined || current.status === 'ended' || current.status === 'confirming') return none;
  if (current.status === 'past-due') return { ok: false, reason: 'subscription/payment-due' };
  const plan = planOf(await findMembershipSettings(db), period, current.plan.currency);
  const when = whenOf(current, period);
  const isSame = current.plan.period === period;
  const amount = isSame ? current.plan.amount : plan.amount;
  const at = current.periodEndsAt;
  const costs =
    isSame || when === 'period-end'
      ? { at, dueToday: 0, credit: 0, currency: plan.currency, nextChargeAt: at }
      : { at: new Date(), ...(await payments.previewPeriodChange(current.id, plan)) };
  const nextAmount = chargedAt(amount, current.discount, costs.nextChargeAt);
  return { ok: true, preview: { when, amount, nextAmount, ...costs } };
}

export async function changePeriod(parts: MembershipParts, userId: string, period: Period): Promise<ChangeOutcome> {
  return withLive(parts, userId, async ({ current }) => {
    const { payments } = parts;
    if (current.status === 'past-due') return { ok: false, reason: 'subscription/payment-due' };
    if (current.plan.period === period) {
      if (current.nextPeriod !== undefined) await payments.keepPeriod(current.id);
      return done;
    }
    if (current.nextPeriod === period) return done;
    const plan = planOf(await findMembershipSettings(parts.db), period, current.plan.currency);
    // Choosing a new period also resumes a cancelled subscription, but a declined charge must leave it cancelled.
    const resume = async () => current.endsAt !== undefined && payments.resume(current.id);
    if (whenOf(current, period) === 'now') {
      const changed = await payments.changePeriodNow(current.id, plan);
      // With an action, the sync resumes it once the bank has confirmed the charge.
      if (changed.ok && changed.action === undefined) await resume();
      return changed;
    }
    await resume();
    await payments.changePeriodAtEnd(current.id, plan);
    return done;
  });
}

/** Stays usable until the paid time ends. One that is past due or paused has none and ends at once. */
export async function cancelSubscription(
  parts: MembershipParts,
  userId: string,
  reason: string | undefined,
): Promise<ChangeOutcome> {
  return (await stopRenewal(parts, userId, reason, { endsPause: true })).outcome;
}

/** As `cancelSubscription`, but a pause stays. @returns `hasStopped`: it was not cancelled before, and can be resumed */
export async function stopRenewal(
  parts: MembershipParts,
  userId: string,
  reason: string | undefined,
  { endsPause = false }: { endsPause?: boolean } = {},
): Promise<{ outcome: ChangeOutcome; hasStopped: boolean }> {
  let hasStopped = false;
  const outcome = await withLive(parts, userId, async ({ current }) => {
    const isCancelled = current.endsAt !== undefined;
    // A change that waits for the bank would resume it.
    const isChanging = current.action !== undefined;
    if (isCancelled && !isChanging) return done;
    const pause = endsPause ? await findPauseOf(parts.db, current.id) : undefined;
    const phase = phaseOf(pause, current, new Date());
    if (current.status === 'past-due' || phase === 'running') await parts.payments.cancelNow(current.id);
    else {
      await parts.payments.cancelAtPeriodEnd(current.id, reason);
      hasStopped = !isCancelled;
      // Only then, as a charge that comes earlier must not be left behind if the provider falls silent.
      const canTakeBack = pause !== undefined && (phase === 'ahead' || pause.appliedAt === null);
      if (canTakeBack) await takePauseBack(parts, pause, current);
    }
    return done;
  });
  return { outcome, hasStopped };
}

/** By an operator, at once. @param subscriptionId the one that they saw; no other one is ended */
export async function endSubscription(
  parts: MembershipParts,
  userId: string,
  subscriptionId: string,
): Promise<ChangeOutcome> {
  return withLive(parts, userId, async ({ current }) => {
    if (current.id !== subscriptionId) return none;
    await parts.payments.cancelNow(current.id);
    return done;
  });
}

/**
 * A change by an operator; it is recorded with the state that it leads to.
 * @throws DomainError `payment/unavailable`; if the provider has done it, the next sync records it
 */
export async function changeByOperator(
  parts: MembershipParts,
  actor: Actor,
  wish: SubscriptionWish,
): Promise<ChangeOutcome> {
  const { userId, subscriptionId, act } = wish;
  await storeSubscriptionWish(parts.db, actor, wish);
  const outcome =
    act === 'cancel-now'
      ? await endSubscription(parts, userId, subscriptionId)
      : act === 'cancel-end'
        ? await cancelSubscription(parts, userId, 'cancelled by an operator')
        : await resumeSubscription(parts, userId);
  await dropSubscriptionWish(parts.db, wish);
  return outcome;
}

/** Asks the provider whether acts without an answer are done. @throws the first failure */
export async function settleSubscriptionWishes(parts: MembershipParts, signal?: AbortSignal): Promise<void> {
  await settleEach(await findWaitingUsers(parts.db), (userId) => refreshSubscription(parts, userId), { signal });
}

export async function resumeSubscription(parts: MembershipParts, userId: string): Promise<ChangeOutcome> {
  return withLive(parts, userId, async ({ current }) => {
    if (current.endsAt === undefined) return done;
    await parts.payments.resume(current.id);
    return done;
  });
}

/** @returns data for the card form in the browser; `finishCardChange` uses it once */
export async function startCardChange(
  parts: MembershipParts,
  userId: string,
): Promise<{ setupId: string; clientSecret: string }> {
  return withPaymentLock(parts.db, userId, async () => {
    const { customerId } = await findOrCreateCustomer(parts, userId);
    return parts.payments.startCardSetup(customerId);
  });
}

/** Makes the new card the default and charges open invoices to it. */
export async function finishCardChange(
  parts: MembershipParts,
  userId: string,
  setupId: string,
): Promise<ChangeOutcome> {
  return withPaymentLock(parts.db, userId, async () => {
    const customerId = await findCustomerId(parts.db, userId);
    if (customerId === undefined) return { ok: false, reason: 'payment/unknown-method' } as const;
    const finished = await parts.payments.finishCardSetup(customerId, setupId);
    if (!finished.ok) return finished;
    const { facts } = await syncLocked(parts, userId, customerId);
    if (currentOf(facts)?.status !== 'past-due') return done;
    const paid = await parts.payments.payOpenInvoice(customerId);
    await syncLocked(parts, userId, customerId);
    return paid;
  });
}

export async function payOpenInvoice(parts: MembershipParts, userId: string): Promise<ChangeOutcome> {
  return withLive(parts, userId, async ({ current, customerId }): Promise<ChargeOutcome> =>
    current.status === 'past-due' ? parts.payments.payOpenInvoice(customerId) : done,
  );
}

export async function applyPromoCode(parts: MembershipParts, userId: string, code: string): Promise<ChangeOutcome> {
  return withLive(parts, userId, async ({ current, facts }) => {
    // Neither has a next payment that the code could lower; it would be used up.
    if (current.status === 'past-due') return { ok: false, reason: 'subscription/payment-due' };
    if (current.endsAt !== undefined) return { ok: false, reason: 'promo-code/not-for-you' };
    const checked = await checkPromoCode(parts, userId, code, { plan: current.plan, facts });
    if (!checked.ok) return checked;
    const end = discountEnd(checked.promoCode, new Date());
    if (end !== undefined && end <= current.periodEndsAt) return { ok: false, reason: 'promo-code/ends-too-soon' };
    const applied = await parts.payments.applyPromoCode(current.id, checked.promoCode.id);
    return applied.ok ? done : { ok: false, reason: 'promo-code/not-for-you' };
  });
}

/**
 * For deleting an account: ends all charges and blocks new ones while `act` runs.
 * @param isWanted asked under the lock before anything ends; false leaves the account alone
 */
export async function withoutCharges(
  { db, payments }: MembershipParts,
  userId: string,
  act: () => Promise<void>,
  isWanted?: () => Promise<boolean>,
): Promise<void> {
  await withPaymentLock(db, userId, async () => {
    if (isWanted !== undefined && !(await isWanted())) return;
    const customerId = await findCustomerId(db, userId);
    if (customerId !== undefined) await payments.deleteCustomer(customerId);
    await act();
  });
}
