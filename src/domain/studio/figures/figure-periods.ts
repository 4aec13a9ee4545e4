import { z } from 'zod';
import { figurePeriods } from '../rules.ts';

/** Whole days in UTC, both included. */
export type Period = {
  /** `2026-11-23`. */
  from: string;
  to: string;
  days: number;
  /** One of the offered periods; undefined for chosen dates. */
  offered: (typeof figurePeriods)[number] | undefined;
};

const dayMs = 86_400_000;
const maxDays = 366;
/** Long before the site; PostgreSQL has no year 0, which comparing with earlier days would reach. */
const earliestDay = '2000-01-01';

const Day = z.iso.date();
const FigureQuery = z.object({
  days: z.coerce
    .number()
    .pipe(z.literal([...figurePeriods]))
    .optional()
    .catch(undefined),
  from: Day.optional().catch(undefined),
  to: Day.optional().catch(undefined),
});
export type FigureQuery = { days?: string | null; from?: string | null; to?: string | null };

/**
 * The period of an address; default: 28 days. Offered periods end yesterday, the last complete day, so that they can be
 * compared with the days before; chosen dates may include today. Swapped, future or too distant dates are corrected, so
 * that every address shows something.
 */
export function periodOf(query: FigureQuery, now: Date): Period {
  const today = dayOf(now);
  const { days, from, to } = FigureQuery.parse({
    days: query.days ?? undefined,
    from: query.from || undefined,
    to: query.to || undefined,
  });
  if (days === undefined && (from !== undefined || to !== undefined)) {
    const [first, last] = [from ?? to ?? today, to ?? today].toSorted() as [string, string];
    const end = last > today ? today : last < earliestDay ? earliestDay : last;
    const begin = [first > end ? end : first, addDays(end, 1 - maxDays), earliestDay].toSorted()[2] ?? end;
    return { from: begin, to: end, days: daysBetween(begin, end), offered: undefined };
  }
  const offered = days ?? 28;
  return { from: addDays(today, -offered), to: addDays(today, -1), days: offered, offered };
}

/** The same number of days before it. */
export function periodBefore({ from, days }: Period): Period {
  return { from: addDays(from, -days), to: addDays(from, -1), days, offered: undefined };
}

export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

export function addDays(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) + days * dayMs));
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
}

export function listDays({ from, days }: Period): string[] {
  return Array.from({ length: days }, (_, index) => addDays(from, index));
}
