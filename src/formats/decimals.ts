import { i18n, languageFacts } from '#i18n';
import { formatCount } from './numbers.ts';

/** `6.4`, with the decimal sign of the language. */
export function formatDecimal(value: number, digits = 1): string {
  return value.toFixed(digits).replace('.', languageFacts().decimal);
}

/** `64%` */
export function formatPercent(percent: number, digits = 0): string {
  const number = digits === 0 ? formatCount(Math.round(percent)) : formatDecimal(percent, digits);
  return i18n._(/*i18n*/ { id: 'percent', message: '{number}%', values: { number } });
}
