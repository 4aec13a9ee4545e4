import { type Locale, countOf } from './numbers.ts';

/** ISO 8601, milliseconds since 1970, or a date. */
export type Instant = Date | string | number;

/**
 * Days in UTC as text: the site knows no listener’s zone, and visitors share pages. `formatDate(inZone(at, zone))` is the
 * day in a zone. The names are our own, because those of engines differ (`Sept`, `Sep`), and server and browser must
 * write the same.
 */
const months: Record<Locale, string[]> = {
  en: 'January February March April May June July August September October November December'.split(' '),
};

/** `November` */
export function formatMonthName(at: Instant, locale: Locale = 'en'): string {
  return months[locale][new Date(at).getUTCMonth()] ?? '';
}

/** `2 Nov` */
export function formatShortDate(at: Instant, locale: Locale = 'en'): string {
  return `${new Date(at).getUTCDate()} ${formatMonthName(at, locale).slice(0, 3)}`;
}

/** `2 Nov 2026` */
export function formatDate(at: Instant, locale: Locale = 'en'): string {
  return `${formatShortDate(at, locale)} ${new Date(at).getUTCFullYear()}`;
}

/** `March 2026`. @param at an instant, or a month such as `2026-03` */
export function formatMonth(at: Instant, locale: Locale = 'en'): string {
  return `${formatMonthName(at, locale)} ${new Date(at).getUTCFullYear()}`;
}

/** `14 March 2027` */
export function formatDay(at: Instant, locale: Locale = 'en'): string {
  return `${new Date(at).getUTCDate()} ${formatMonth(at, locale)}`;
}

/** For `formatAgo`, in whole minutes, so that a page that changed in nothing else has the same bytes for a minute. */
export function currentMinute(): number {
  return Math.floor(Date.now() / 60_000) * 60_000;
}

/**
 * `just now`, `20 min ago`, `2 hr ago`, `yesterday`, `4 days ago`, and the date from a week on.
 * @param now the server’s time, so that server and browser render the same
 */
export function formatAgo(at: Instant, now: number): string {
  const seconds = (now - new Date(at).getTime()) / 1000;
  if (seconds < 60) return 'just now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} hr ago`;
  const days = Math.floor(seconds / 86_400);
  if (days === 1) return 'yesterday';
  return days < 7 ? `${countOf(days, 'day')} ago` : formatDate(at);
}

/** The hour on the clock of this browser. */
export function browserHour(): number {
  return new Date().getHours();
}
