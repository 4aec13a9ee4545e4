import type { Locale } from './numbers.ts';
import { type Instant, formatDate, formatShortDate } from './times.ts';
import { addDays, clockAt, dayAt, inZone } from './zones.ts';

/** Clocks, weekdays and days of a reader, for Studio and Admin. Zone undefined: not known yet, UTC. */
type Zone = string | undefined;

const weekdays: Record<Locale, string[]> = {
  en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
};

/** `Monday` */
export function formatWeekday(at: Instant, zone: Zone, locale: Locale = 'en'): string {
  return weekdays[locale][inZone(at, zone).getUTCDay()] ?? '';
}

/** `21:06`. A clock that is not the reader’s says so: `21:06 UTC` */
export function formatClock(at: Instant, zone: Zone): string {
  return zone === undefined ? `${clockAt(at, 'UTC')} UTC` : clockAt(at, zone);
}

/** `2 Nov 2026, 22:00` */
export function formatDateTime(at: Instant, zone: Zone, locale: Locale = 'en'): string {
  return `${formatDate(inZone(at, zone), locale)}, ${formatClock(at, zone)}`;
}

/** `Tue 24 Nov, 22:00` */
export function formatWeekdayTime(at: Instant, zone: Zone, locale: Locale = 'en'): string {
  const weekday = formatWeekday(at, zone, locale).slice(0, 3);
  return `${weekday} ${formatShortDate(inZone(at, zone), locale)}, ${formatClock(at, zone)}`;
}

/** `Today, 20:31`, `Yesterday`, `19 Nov`, and with the year in another one. */
export function formatMoment(at: Instant, now: Instant, zone: Zone, locale: Locale = 'en'): string {
  const [day, today] = [dayAt(at, zone), dayAt(now, zone)];
  if (day === today) return `Today, ${formatClock(at, zone)}`;
  if (day === addDays(today, -1)) return 'Yesterday';
  return (day.slice(0, 4) === today.slice(0, 4) ? formatShortDate : formatDate)(day, locale);
}

/** `25 Oct to 21 Nov 2026`, with both years where they differ. @param from a day, such as `2026-10-25` */
export function formatDateRange(from: string, to: string, locale: Locale = 'en'): string {
  if (from === to) return formatDate(to, locale);
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  return `${(isOneYear ? formatShortDate : formatDate)(from, locale)} to ${formatDate(to, locale)}`;
}
