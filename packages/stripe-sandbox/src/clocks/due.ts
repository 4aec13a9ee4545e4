import type Stripe from 'stripe';
import type { Document } from '../store/documents.ts';

const hour = 3600;
const day = 24 * hour;

/** Stripe expires an unpaid first payment after 23 hours. */
export const firstPaymentPatience = 23 * hour;
/** A renewal's invoice stays a draft for an hour before it is charged. */
export const draftPatience = hour;
export const trialWarning = 3 * day;
export const renewalNotice = 7 * day;
/** Days between the retries of a failed renewal; after the last one the subscription ends. */
export const retryDays = [3, 5, 7];

type SentNotices = { trialEndSaidFor?: number; upcomingSaidFor?: number };

/** Time of the next billing step of an object, in seconds of its own clock; null when none is due. */
export function dueAt(document: Document, hidden: object): number | null {
  if (document.object === 'invoice') return invoiceDueAt(document);
  if (document.object === 'subscription') return subscriptionDueAt(document, hidden);
  return null;
}

function invoiceDueAt({ status, automatically_finalizes_at, next_payment_attempt }: Stripe.Invoice): number | null {
  if (status === 'draft') return automatically_finalizes_at;
  return status === 'open' ? next_payment_attempt : null;
}

export function periodOf({ items }: Stripe.Subscription): { start: number; end: number } {
  const [item] = items.data;
  if (item === undefined) throw new Error('A subscription has no items');
  return { start: item.current_period_start, end: item.current_period_end };
}

function subscriptionDueAt(subscription: Stripe.Subscription, sent: SentNotices): number | null {
  const { status, cancel_at } = subscription;
  if (status === 'incomplete') return subscription.created + firstPaymentPatience;
  if (status !== 'trialing' && status !== 'active' && status !== 'past_due') return null;
  const { end } = periodOf(subscription);
  const moments = [cancel_at === null ? end : Math.min(end, cancel_at)];
  const warning = trialWarningAt(subscription, sent);
  if (warning !== null) moments.push(warning);
  const notice = upcomingAt(subscription, sent);
  if (notice !== null) moments.push(notice);
  if (subscription.pending_update !== null) moments.push(subscription.pending_update.expires_at);
  return Math.min(...moments);
}

/** A trial shorter than the warning period is announced at its start. */
export function trialWarningAt(
  { status, trial_end, trial_start, created }: Stripe.Subscription,
  { trialEndSaidFor }: SentNotices,
): number | null {
  if (status !== 'trialing' || trial_end === null || trialEndSaidFor === trial_end) return null;
  return Math.max(trial_end - trialWarning, trial_start ?? created);
}

/** Periods no longer than the notice period renew without a notice. */
export function upcomingAt(subscription: Stripe.Subscription, { upcomingSaidFor }: SentNotices): number | null {
  const { start, end } = periodOf(subscription);
  if (subscription.cancel_at !== null || upcomingSaidFor === end || end - renewalNotice <= start) return null;
  return end - renewalNotice;
}
