import type { HostedOrder } from '#domain/membership/hosted/hosted-provider.ts';
import { toDecimalText } from '#formats/currency-decimals.ts';
import { hexHash } from '../hosted/proofs.ts';

/** Numbers of ISO 4217. */
export const currencyCodes = { usd: '840', eur: '978', gbp: '826', cad: '124', aud: '036', jpy: '392' } as const;

const currencies = new Map(Object.entries(currencyCodes).map(([currency, code]) => [code as string, currency]));
export const currencyOf = (code: string | undefined) => currencies.get(code?.padStart(3, '0') ?? '');

export type Prices = {
  initialPrice: string;
  initialPeriod: string;
  recurringPrice?: string;
  recurringPeriod?: string;
  numRebills?: string;
  currencyCode: string;
};

/** As often as it goes. */
const withoutEnd = '99';
/** A single payment has to have a period, which unlocks nothing. */
const singleDays = 30;
/** Periods are days. */
const periodDays = { month: 30, year: 365 };

export function pricesOf({ kind, period, amount, currency, first }: HostedOrder): Prices {
  const currencyCode = (currencyCodes as Record<string, string>)[currency];
  if (currencyCode === undefined) throw new Error(`CCBill does not take ${currency}`);
  const days = kind === 'single' ? singleDays : periodDays[period];
  const initial = {
    initialPrice: toDecimalText(first?.amount ?? amount, currency),
    initialPeriod: String(first?.days ?? days),
  };
  if (kind !== 'subscription') return { ...initial, currencyCode };
  return {
    ...initial,
    recurringPrice: toDecimalText(amount, currency),
    recurringPeriod: String(days),
    numRebills: withoutEnd,
    currencyCode,
  };
}

/** MD5 is what CCBill takes; it protects the prices and nothing else. */
export function digestOf(prices: Prices, salt: string): string {
  const { initialPrice, initialPeriod, recurringPrice, recurringPeriod, numRebills, currencyCode } = prices;
  const parts = [initialPrice, initialPeriod, recurringPrice, recurringPeriod, numRebills, currencyCode, salt];
  return hexHash('md5', parts.filter((part) => part !== undefined).join(''));
}
