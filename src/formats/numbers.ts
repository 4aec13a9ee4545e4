/** Numbers as text. */

/** Languages of the texts. Functions take it last; those that join English words take none. */
export type Locale = 'en';

/** `isMore`: counting stopped here, and there are more. */
export type Count = { count: number; isMore: boolean };

const tags: Record<Locale, string> = { en: 'en-US' };
const counts: Record<Locale, Intl.NumberFormat> = { en: new Intl.NumberFormat(tags.en, { maximumFractionDigits: 0 }) };

/** `102,884` */
export function formatCount(count: number, locale: Locale = 'en'): string {
  return counts[locale].format(count);
}

/** `1 audio`, `1,204 audios`, `0 replies`: use it for every count with a noun. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `102,884`, or `10,000+` */
export function formatCapped({ count, isMore }: Count, locale: Locale = 'en'): string {
  return `${formatCount(count, locale)}${isMore ? '+' : ''}`;
}

/** `1 audio`, or `over 10,000 audios` */
export function cappedCountOf({ count, isMore }: Count, one: string, many?: string): string {
  return `${isMore ? 'over ' : ''}${countOf(count, one, many)}`;
}

/** Cents as `$4.99`. @param currency ISO 4217, upper or lower case */
export function formatMoney(cents: number, currency: string, locale: Locale = 'en'): string {
  return new Intl.NumberFormat(tags[locale], { style: 'currency', currency }).format(cents / 100);
}

/** Currencies with no minor unit, or with three decimals, would be charged wrongly. */
export function hasCents(currency: string): boolean {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits === 2;
  } catch {
    return false;
  }
}
