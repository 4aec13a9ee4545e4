import { createHash } from 'node:crypto';

/** Numbers of ISO 4217 that CCBill takes. */
export const currencyCodes: Record<string, string> = {
  '840': 'USD',
  '978': 'EUR',
  '826': 'GBP',
  '124': 'CAD',
  '036': 'AUD',
  '392': 'JPY',
};

/** MD5 of the prices and periods run together, then the currency and the salt; written apart from the site's code. */
export function digestOfForm(parameters: Record<string, string>, salt: string): string {
  const names = ['initialPrice', 'initialPeriod'];
  if (parameters['recurringPrice'] !== undefined) names.push('recurringPrice', 'recurringPeriod', 'numRebills');
  const text = [...names, 'currencyCode'].map((name) => parameters[name] ?? '').join('');
  return createHash('md5').update(`${text}${salt}`).digest('hex');
}
