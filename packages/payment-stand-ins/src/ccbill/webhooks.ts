import type { Credentials } from '../credentials.ts';
import { type Happening, type Sale, dayOf } from '../sales/sale.ts';

const arizonaMs = 7 * 3_600_000;
/** `2027-01-15 05:00:00` in Arizona's time. */
const timeOf = (at: number) => new Date(at - arizonaMs).toISOString().slice(0, 19).replace('T', ' ');
const dateOf = (at: number | undefined) => (at === undefined ? '' : dayOf(at - arizonaMs));

const card = { paymentType: 'CREDIT', cardType: 'VISA', last4: '1111', bin: '400000', expDate: '1240' };

/** Fields as CCBill's pages list them, without the buyer's name and address. */
export function contentOf(
  sale: Sale,
  { kind, at, charge, until, retryAt }: Happening,
  { clientAccnum, clientSubacc, flexId }: Credentials['ccbill'],
): Record<string, string> | undefined {
  const common = { clientAccnum, clientSubacc, timestamp: timeOf(at) };
  const own = { ...common, subscriptionId: sale.id };
  const code = sale.passed['currencyCode'] ?? '';
  const passed = Object.fromEntries(Object.entries(sale.passed).map(([name, value]) => [`X-${name}`, value]));
  const initial = sale.first ?? {
    price: sale.price,
    days: sale.period && 'days' in sale.period ? sale.period.days : 0,
  };
  const prices = {
    flexId,
    billedInitialPrice: initial.price,
    billedRecurringPrice: sale.kind === 'recurring' ? sale.price : '0.00',
    billedCurrencyCode: code,
    billedCurrency: sale.currency,
    subscriptionInitialPrice: initial.price,
    subscriptionCurrencyCode: code,
    initialPeriod: String(initial.days),
    rebills: sale.kind === 'recurring' ? '99' : '0',
    country: 'NL',
    ...card,
    ...passed,
  };
  const returned = {
    ...own,
    transactionId: charge?.id ?? '',
    amount: charge?.price ?? '',
    currency: sale.currency,
    currencyCode: code,
    ...card,
  };
  switch (kind) {
    case 'sold':
      return {
        eventType: 'NewSaleSuccess',
        ...own,
        ...prices,
        transactionId: charge?.id ?? '',
        nextRenewalDate: dateOf(until),
      };
    case 'declined':
      return {
        eventType: 'NewSaleFailure',
        ...common,
        ...prices,
        transactionId: `0${at}`,
        failureReason: 'Invalid Input.',
        failureCode: 'BE-140',
      };
    case 'renewed':
      return {
        eventType: 'RenewalSuccess',
        ...own,
        ...card,
        transactionId: charge?.id ?? '',
        billedAmount: charge?.price ?? '',
        billedCurrency: sale.currency,
        billedCurrencyCode: code,
        renewalDate: dateOf(at),
        nextRenewalDate: dateOf(until),
      };
    case 'renewal-failed':
      return {
        eventType: 'RenewalFailure',
        ...own,
        ...card,
        transactionId: `0${at}`,
        failureReason: 'Insufficient funds.',
        failureCode: 'BE-116',
        renewalDate: dateOf(at),
        nextRetryDate: dateOf(retryAt),
      };
    case 'canceled':
      return { eventType: 'Cancellation', ...own, reason: 'Consumer request', source: 'cws' };
    case 'uncanceled':
      return {
        eventType: 'UserReactivation',
        ...own,
        transactionId: `0${at}`,
        price: '',
        nextRenewalDate: dateOf(until),
      };
    case 'extended':
      return { eventType: 'BillingDateChange', ...own, nextRenewalDate: dateOf(until) };
    case 'expired':
      return { eventType: 'Expiration', ...own };
    case 'refunded':
      return { eventType: 'Refund', ...returned, reason: 'Customer Refunded' };
    case 'charged-back':
      return { eventType: 'Chargeback', ...returned, reason: 'Fraudulent transaction' };
    default:
      return undefined;
  }
}
