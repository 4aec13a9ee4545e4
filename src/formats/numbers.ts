import { languageFacts } from '#i18n';
import { grouped } from './grouping.ts';

/** Numbers as text, in the language of the request or page; commands have none, and are in English. */

/** `isMore`: counting stopped here, and there are more. */
export type Count = { count: number; isMore: boolean };

/** `102,884` */
export function formatCount(count: number): string {
  return grouped(count, languageFacts().numbers);
}

/** `1 audio`, `1,204 audios`, `0 replies`, in English alone. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `102,884`, or `10,000+` */
export function formatCapped({ count, isMore }: Count): string {
  return `${formatCount(count)}${isMore ? '+' : ''}`;
}

/** `1 audio`, or `over 10,000 audios`, in English alone. */
export function cappedCountOf({ count, isMore }: Count, one: string, many?: string): string {
  return `${isMore ? 'over ' : ''}${countOf(count, one, many)}`;
}

/** `$4.99`, `¥800`. @param amount in the smallest unit. @param currency ISO 4217, upper or lower case */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(languageFacts().intl, { style: 'currency', currency });
  const written = format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
  // Arabic has a mark that turns the amount around where it stands apart; isolated, it keeps its order in sentences too.
  return written.includes('\u200f') ? `\u2068${written.replace('\u200f', '')}\u2069` : written;
}
