import { createHash } from 'node:crypto';
import { type TrialClaim, longerFreeTime } from '../free-time.ts';
import type { FreeTime, Plan, SubscriptionFacts } from '../payment-provider.ts';
import type { Period } from '../rules.ts';
import type { Action } from '../shapes.ts';

/** The decisions of `createSubscription`, without database or provider. */

export type SubscriptionPlan =
  /** An earlier request did it; `action` is the bank's step that is still pending. */
  | { kind: 'already-done'; action: Action | undefined }
  | { kind: 'refuse'; reason: 'subscription/already-subscribed' }
  /** The pending subscription is cancelled before the new one is created. */
  | { kind: 'replace'; pendingId: string }
  | { kind: 'create' };

/** @param state `current` is the customer's relevant subscription at the provider */
export function planSubscription(state: {
  current: SubscriptionFacts | undefined;
  order: { paymentMethodId: string; period: Period; currency?: string | undefined };
}): SubscriptionPlan {
  const { current, order } = state;
  if (current === undefined || current.status === 'ended') return { kind: 'create' };
  // A retry of the same request, after a lost answer or a double click.
  const { period, currency } = current.plan;
  const isSamePlan = period === order.period && (order.currency ?? currency) === currency;
  const isRetry = current.cardId === order.paymentMethodId && isSamePlan;
  if (current.status === 'confirming') {
    const isWaitingForBank = current.action !== undefined;
    if (isRetry && isWaitingForBank) return { kind: 'already-done', action: current.action };
    // The bank refused, or another card or period was chosen.
    return { kind: 'replace', pendingId: current.id };
  }
  if (isRetry) return { kind: 'already-done', action: undefined };
  return { kind: 'refuse', reason: 'subscription/already-subscribed' };
}

export type FirstCharge =
  | { kind: 'charge'; free: FreeTime | undefined }
  /** The card's trial is used up, and the user has not agreed to pay without one. */
  | { kind: 'ask-for-consent' };

/** @param state `trial` is undefined when none was promised to the user */
export function planFirstCharge(state: {
  trial: TrialClaim | undefined;
  trialDays: number;
  giftUntil: Date | undefined;
  withoutTrial: boolean;
  now: Date;
}): FirstCharge {
  const { trial, trialDays, giftUntil, withoutTrial, now } = state;
  if (trial === 'used-by-another' && !withoutTrial) return { kind: 'ask-for-consent' };
  const hasTrial = trial === 'claimed-now' || trial === 'claimed-before';
  return { kind: 'charge', free: longerFreeTime(hasTrial ? trialDays : 0, giftUntil, now) };
}

export type SubscriptionRequest = {
  customerId: string;
  cardId: string;
  plan: Plan;
  free: FreeTime | undefined;
  promoCodeId: string | undefined;
  /** The subscription that this one follows or replaces. */
  previousId: string | undefined;
  /** The newest subscription whose first charge failed. */
  givenUpId: string | undefined;
};

/**
 * The idempotency key: a hash of the whole request, because the provider refuses a key that comes with other
 * parameters. It includes the earlier state: after that has changed, the same request is a new one.
 */
export function idempotencyKey(request: SubscriptionRequest): string {
  const parts = [
    request.customerId,
    request.cardId,
    request.plan,
    request.free ?? null,
    request.promoCodeId ?? null,
    request.previousId ?? null,
    request.givenUpId ?? null,
  ];
  return `subscribe ${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;
}
