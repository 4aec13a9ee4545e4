import type { HostedEvent } from '#domain/membership/hosted/hosted-provider.ts';
import { fromDecimalText } from '#formats/currency-decimals.ts';
import { type Parameters, endOfDay, numberIn, referenceIn } from '../hosted/read-parameters.ts';
import type { SubscriptionStatus } from './data-link.ts';
import { currencyOf } from './form.ts';

type Rule = {
  means: HostedEvent['means'];
  /** Whether DataLink says it too. */
  isConfirmed(status: SubscriptionStatus): boolean;
};

const counted =
  (...names: string[]): Rule['isConfirmed'] =>
  (status) =>
    names.some((name) => Number(status[name] ?? 0) > 0);

const rules: Record<string, Rule> = {
  NewSaleSuccess: { means: 'paid', isConfirmed: () => true },
  UpgradeSuccess: { means: 'paid', isConfirmed: () => true },
  RenewalSuccess: { means: 'paid', isConfirmed: counted('timesRebilled') },
  // It takes nothing away.
  RenewalFailure: { means: 'declined', isConfirmed: () => true },
  UserReactivation: { means: 'resumed', isConfirmed: ({ subscriptionStatus }) => subscriptionStatus === '2' },
  Cancellation: { means: 'canceled', isConfirmed: ({ subscriptionStatus }) => subscriptionStatus !== '2' },
  Expiration: { means: 'ended', isConfirmed: ({ subscriptionStatus }) => subscriptionStatus === '0' },
  Refund: { means: 'refunded', isConfirmed: counted('refundsIssued') },
  Void: { means: 'refunded', isConfirmed: counted('voidsIssued', 'refundsIssued') },
  Return: { means: 'refunded', isConfirmed: counted('returnsIssued') },
  Chargeback: { means: 'charged-back', isConfirmed: counted('chargebacksIssued') },
};

/** A sale that failed has no subscription to ask about, and its word unlocks nothing. */
export function readFailedSale(webhook: Parameters, now: Date): HostedEvent[] {
  const reference = referenceIn(webhook['X-reference']);
  if (reference === undefined) return [];
  return [
    { ...factsOf(webhook, now), means: 'declined', id: `NewSaleFailure:${webhook['transactionId'] ?? reference}` },
  ];
}

/** A webhook is a hint: an event says only what DataLink's answer confirms. */
export function readEvents(webhook: Parameters, status: SubscriptionStatus, now: Date): HostedEvent[] {
  const facts = factsOf(webhook, now);
  const { type, saleId } = facts;
  const rule = rules[type];
  const id = idOf(webhook);
  if (rule === undefined) return [{ ...facts, means: 'unknown', id }];
  if (!rule.isConfirmed(status))
    return [{ ...facts, means: 'unknown', id: `${id}:unconfirmed`, reason: 'DataLink does not say so' }];

  const end = endOf(status);
  const said = endOfDay(webhook['nextRenewalDate']);
  const until = said !== undefined && end !== undefined && said < end ? said : end;
  // Refunds are of the newest charge: whether it or the refund is named is not said.
  if (!['paid', 'resumed', 'canceled'].includes(rule.means)) return [{ ...facts, means: rule.means, id }];
  const event: HostedEvent = { ...facts, means: rule.means, until, id };
  const former = numberIn(webhook['originalSubscriptionId']);
  if (type !== 'UpgradeSuccess' || former === undefined || former === saleId) return [event];
  return [event, { type, means: 'ended', at: facts.at, reference: undefined, saleId: former, id: `${id}:replaced` }];
}

/**
 * DataLink's answer as events. It knows no amounts: the sale's own is left out, and what later renewals paid for counts
 * as time without an amount.
 */
export function eventsOf(saleId: string, status: SubscriptionStatus, now: Date): HostedEvent[] {
  const common = { reference: undefined, saleId, at: now, type: 'viewSubscriptionStatus' };
  const until = endOf(status);
  const day = status['nextBillingDate'] || status['expirationDate'] || '';
  const events: HostedEvent[] = [
    { ...common, type: 'NewSaleSuccess', means: 'paid', until, id: `NewSaleSuccess:${saleId}` },
    { ...common, means: 'paid', amount: 0, until, id: `status:${saleId}:${day.slice(0, 8)}` },
  ];
  const canceledOn = status['cancelDate'];
  if (canceledOn && status.subscriptionStatus !== '2')
    events.push({ ...common, means: 'canceled', until, id: `status:${saleId}:canceled:${canceledOn}` });
  if (status.subscriptionStatus === '0') events.push({ ...common, means: 'ended', id: `status:${saleId}:ended` });
  return events;
}

const endOf = (status: SubscriptionStatus) => endOfDay(status['nextBillingDate'] || status['expirationDate']);

function idOf({ eventType = '', subscriptionId = '', transactionId, timestamp = '' }: Parameters): string {
  if (eventType === 'NewSaleSuccess' || eventType === 'UpgradeSuccess') return `${eventType}:${subscriptionId}`;
  if (eventType === 'RenewalSuccess' && transactionId) return `${eventType}:${transactionId}`;
  return `${eventType}:${transactionId || subscriptionId}:${timestamp}`;
}

function factsOf(webhook: Parameters, now: Date) {
  const currency =
    currencyOf(webhook['billedCurrencyCode'] ?? webhook['currencyCode']) ??
    (webhook['billedCurrency'] ?? webhook['currency'])?.toLowerCase();
  const amount = (webhook['billedAmount'] ?? webhook['billedInitialPrice'] ?? webhook['amount'])?.replace(/^-/, '');
  const { cardType, last4 = '', country = '' } = webhook;
  return {
    type: webhook['eventType'] ?? '',
    reference: referenceIn(webhook['X-reference']),
    saleId: numberIn(webhook['subscriptionId']),
    at: momentOf(webhook['timestamp']) ?? now,
    amount: amount !== undefined && currency !== undefined ? fromDecimalText(amount, currency) : undefined,
    currency,
    transactionId: webhook['transactionId'] || undefined,
    reason: webhook['failureReason'] || webhook['reason'] || undefined,
    card: cardType && /^\d{4}$/.test(last4) ? { brand: cardType.toLowerCase(), last4 } : undefined,
    country: /^[A-Z]{2}$/.test(country) ? country : undefined,
  } satisfies Partial<HostedEvent>;
}

/** CCBill's times are those of Arizona, seven hours behind UTC the whole year. */
const behindMs = 7 * 3_600_000;

function momentOf(timestamp: string | undefined): Date | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(timestamp ?? '') ?? [];
  const moment = new Date(Date.parse(`${day}T${time}Z`) + behindMs);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}
