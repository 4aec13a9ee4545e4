import { t } from '@lingui/core/macro';
import { type Amounts, moneysOf } from '#domain/earnings/rules.ts';
import { formatMoneys } from '#formats/money-list.ts';

/** `$12.50 and ¥300`; without a known pool, a word. */
export function amountsText(amounts: Amounts): string {
  const moneys = moneysOf(amounts);
  const shown = moneys.filter(({ amount }) => amount !== 0);
  if (moneys.length === 0) return t`Not known yet`;
  return formatMoneys(shown.length === 0 ? moneys.slice(0, 1) : shown);
}
