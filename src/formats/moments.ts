import { i18n, languageFacts } from '#i18n';
import { type Instant, formatDate, writeDate } from './times.ts';
import { addDays, clockAt, dayAt, inZone } from './zones.ts';

/** Clocks, weekdays and days of a reader, for Studio and Admin. Zone undefined: not known yet, UTC. */
type Zone = string | undefined;

/** `2 Nov` */
export function formatShortDate(at: Instant): string {
  return writeDate(languageFacts().shortDate, languageFacts().shortMonths, at);
}

/** `November` */
export function formatMonthName(at: Instant): string {
  return languageFacts().monthNames[new Date(at).getUTCMonth()] ?? '';
}

/** `Monday` */
export function formatWeekday(at: Instant, zone: Zone): string {
  return languageFacts().weekdays[inZone(at, zone).getUTCDay()] ?? '';
}

/** `21:06`. A clock that is not the reader’s says so: `21:06 UTC` */
export function formatClock(at: Instant, zone: Zone): string {
  return zone === undefined ? `${clockAt(at, 'UTC')} UTC` : clockAt(at, zone);
}

/** `2 Nov 2026, 22:00` */
export function formatDateTime(at: Instant, zone: Zone): string {
  return withClock(formatDate(inZone(at, zone)), at, zone);
}

/** `Tue 24 Nov, 22:00` */
export function formatWeekdayTime(at: Instant, zone: Zone): string {
  const local = inZone(at, zone);
  const weekday = languageFacts().shortWeekdays[local.getUTCDay()] ?? '';
  const date = formatShortDate(local);
  const day = i18n._(/*i18n*/ { id: 'moment.weekday', message: '{weekday} {date}', values: { weekday, date } });
  return withClock(day, at, zone);
}

/** `Today, 20:31`, `Yesterday`, `19 Nov`, and with the year in another one. */
export function formatMoment(at: Instant, now: Instant, zone: Zone): string {
  const [day, today] = [dayAt(at, zone), dayAt(now, zone)];
  if (day === today) return withClock(i18n._(/*i18n*/ { id: 'moment.today', message: 'Today' }), at, zone);
  if (day === addDays(today, -1)) return i18n._(/*i18n*/ { id: 'moment.yesterday', message: 'Yesterday' });
  return (day.slice(0, 4) === today.slice(0, 4) ? formatShortDate : formatDate)(day);
}

function withClock(day: string, at: Instant, zone: Zone): string {
  const clock = formatClock(at, zone);
  return i18n._(/*i18n*/ { id: 'moment.clock', message: '{day}, {clock}', values: { day, clock } });
}

/** `25 Oct to 21 Nov 2026`, with both years where they differ. @param from a day, such as `2026-10-25` */
export function formatDateRange(from: string, to: string): string {
  if (from === to) return formatDate(to);
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  return i18n._(
    /*i18n*/ {
      id: 'moment.range',
      message: '{first} to {last}',
      values: { first: (isOneYear ? formatShortDate : formatDate)(from), last: formatDate(to) },
    },
  );
}
