import { formatDecimal } from '#formats/decimals.ts';

/** Typed amounts such as `12`, `12.5` and `12,50` in cents; undefined for anything else. */
export function centsOf(text: string): number | undefined {
  const [, whole = '', , part = ''] = /^(\d{1,10})([.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  return whole === '' ? undefined : Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

/** `1250` as `12.50`, for a field; with the decimal sign of the language. */
export function toTyped(cents: number): string {
  return formatDecimal(cents / 100, 2);
}
