import { languageFacts } from '#i18n';
import { formatMoney } from './numbers.ts';

export type Money = { amount: number; currency: string };

/** `$2.00, €2.00, and ¥300`; with `or` for a disjunction. */
export function formatMoneys(sums: Money[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  const texts = sums.map(({ amount, currency }) => formatMoney(amount, currency));
  return new Intl.ListFormat(languageFacts().intl, { type }).format(texts);
}
