import { i18n, languageFacts } from '#i18n';

/** ISO 8601, milliseconds since 1970, or a date. */
export type Instant = Date | string | number;

/**
 * Days in UTC as text: the site knows no listener’s zone, and visitors share pages. `formatDate(inZone(at, zone))` is the
 * day in a zone.
 */
export function writeDate(pattern: string, months: string[], at: Instant): string {
  const date = new Date(at);
  return pattern
    .replace('%d', `${date.getUTCDate()}`)
    .replace('%m', `${months[date.getUTCMonth()]}`)
    .replace('%y', `${date.getUTCFullYear()}`);
}

/** `2 Nov 2026` */
export function formatDate(at: Instant): string {
  return writeDate(languageFacts().date, languageFacts().shortMonths, at);
}

/** `March 2026`. @param at an instant, or a month such as `2026-03` */
export function formatMonth(at: Instant): string {
  return writeDate(languageFacts().month, languageFacts().monthNames, at);
}

/** `14 March 2027` */
export function formatDay(at: Instant): string {
  return writeDate(languageFacts().day, languageFacts().months, at);
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
  const minutes = Math.floor((now - new Date(at).getTime()) / 60_000);
  if (minutes < 1) return i18n._(/*i18n*/ { id: 'ago.now', message: 'just now' });
  if (minutes < 60) return i18n._(/*i18n*/ { id: 'ago.minutes', message: '{minutes} min ago', values: { minutes } });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return i18n._(/*i18n*/ { id: 'ago.hours', message: '{hours} hr ago', values: { hours } });
  const days = Math.floor(hours / 24);
  if (days === 1) return i18n._(/*i18n*/ { id: 'ago.yesterday', message: 'yesterday' });
  if (days > 6) return formatDate(at);
  return i18n._(/*i18n*/ { id: 'ago.days', message: '{days} days ago', values: { days } });
}

/** The hour on the clock of this browser. */
export function browserHour(): number {
  return new Date().getHours();
}
