import { decimalsOf } from '#formats/currency-decimals.ts';
import { formatDecimal } from '#formats/decimals.ts';

/** Typed amounts such as `12`, `12.5` and `12,50` in the smallest unit; undefined for what is no amount of the currency. */
export function amountOf(text: string, currency: string): number | undefined {
  const [, whole = '', , part = ''] = /^(\d{1,10})([.,](\d{1,3}))?$/.exec(text.trim()) ?? [];
  const decimals = decimalsOf(currency);
  return whole === '' || part.length > decimals ? undefined : Number(whole + part.padEnd(decimals, '0'));
}

/** `1250` of EUR as `12.50`, for a field; with the decimal sign of the language. */
export function toTyped(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return formatDecimal(amount / 10 ** decimals, decimals);
}
