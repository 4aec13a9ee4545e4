import { type SQL, sql } from 'drizzle-orm';
import { addDays, dayAt, startOfDay } from '#formats/zones.ts';
import { workingDays } from './rules.ts';

/** Zone of the site, and days that are no working days beside weekends. */
export type Calendar = { zone: string; holidays: readonly string[] };

function isWorkingDay(day: string, { holidays }: Calendar): boolean {
  const weekday = new Date(day).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !holidays.includes(day);
}

/** The last day for a decision: the day of receipt does not count. @returns such as `2026-12-08` */
function dueDay(received: Date, calendar: Calendar): string {
  let day = dayAt(received, calendar.zone);
  for (let left = workingDays; left > 0;) {
    day = addDays(day, 1);
    if (isWorkingDay(day, calendar)) left -= 1;
  }
  return day;
}

/** The end of the last day for a decision, by the clocks of the zone. */
export function dueAt(received: Date, calendar: Calendar): Date {
  return startOfDay(addDays(dueDay(received, calendar), 1), calendar.zone);
}

/** The same in SQL, of a notice `n` that no job has dated yet. */
export function dueSql({ zone, holidays }: Calendar): SQL {
  const day = sql`(n.created_at at time zone ${zone})::date`;
  return sql`coalesce(n.due_at, (
    select (day + 1)::timestamp at time zone ${zone} from generate_series(1, ${workingDays * 3} + ${holidays.length}::int) step,
      lateral (select ${day} + step as day) of_step
    where extract(isodow from day) < 6 and day <> all(${sql.param([...holidays])}::date[])
    order by day offset ${workingDays - 1} limit 1))`;
}

export type Clock = {
  /** The last day, such as `2026-12-08`. */
  day: string;
  /** Working days left, today included; 0 when it is overdue. */
  left: number;
  /** Days since the last one; 0 before. */
  over: number;
};

export function clockOf({ createdAt, dueAt: due }: { createdAt: Date; dueAt: Date }, now: Date, calendar: Calendar) {
  const [today, received] = [dayAt(now, calendar.zone), dayAt(createdAt, calendar.zone)];
  const day = dayAt(due.getTime() - 1, calendar.zone);
  let left = 0;
  for (let one = today > received ? today : addDays(received, 1); one <= day; one = addDays(one, 1))
    if (isWorkingDay(one, calendar)) left += 1;
  const over = now < due ? 0 : Math.max(1, Math.round((Date.parse(today) - Date.parse(day)) / 86_400_000));
  return { day, left: Math.min(workingDays, left), over } satisfies Clock;
}

/** Working days between two times, for the median: those that begin after the first and not after the second. */
export function workingDaysBetween(from: Date, to: Date, calendar: Calendar): number {
  let days = 0;
  const last = dayAt(to, calendar.zone);
  for (let day = addDays(dayAt(from, calendar.zone), 1); day <= last; day = addDays(day, 1))
    if (isWorkingDay(day, calendar)) days += 1;
  return days;
}
