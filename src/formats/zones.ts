import type { Instant } from './times.ts';

/** Clocks and calendars of time zones. A zone is an IANA name, such as `Europe/Vienna`. */

const dayMs = 86_400_000;
/** A client can write each name in many cases. */
const maxFormats = 1000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The parts are numbers, because the texts of engines differ: `5 Sept` or `5 Sep`. @throws RangeError for an unknown zone */
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format !== undefined) return format;
  const numeric = 'numeric';
  format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  if (formats.size >= maxFormats) formats.clear();
  formats.set(zone, format);
  return format;
}

/** The clock of the zone at an instant, as if it were UTC, in milliseconds and without fractions of a second. */
function clockOf(at: number, zone: string): number {
  if (zone === 'UTC') return at;
  let format: Intl.DateTimeFormat;
  try {
    format = formatOf(zone);
  } catch {
    // A zone that this engine does not know, or no longer.
    return at;
  }
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of format.formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  // Some engines write midnight as 24.
  return Date.UTC(year, month - 1, day, hour % 24, minute, second);
}

/** The zone's clock and calendar as the UTC fields of a date. @param zone undefined: UTC */
export function inZone(at: Instant, zone: string | undefined): Date {
  return new Date(clockOf(new Date(at).getTime(), zone ?? 'UTC'));
}

/** `2026-11-02`, as fields for days hold it. */
export function dayAt(at: Instant, zone: string | undefined): string {
  return inZone(at, zone).toISOString().slice(0, 10);
}

/** `21:04`, as fields for times hold it. */
export function clockAt(at: Instant, zone: string): string {
  return inZone(at, zone).toISOString().slice(11, 16);
}

/** @param day `2026-11-02`. @param by may be negative */
export function addDays(day: string, by: number): string {
  return new Date(Date.parse(day) + by * dayMs).toISOString().slice(0, 10);
}

/**
 * `skipped`: clocks go forward past this time on that day. `isRepeated`: clocks go back, and it is the first of two
 * instants.
 */
export type LocalReading = { ok: true; at: Date; isRepeated: boolean } | { ok: false; reason: 'invalid' | 'skipped' };

/** The instant at which the clocks of the zone show this. @param day `2026-11-02`. @param clock `21:04` */
export function readLocal(day: string, clock: string, zone: string): LocalReading {
  const shown =
    /^\d{4}-\d\d-\d\d$/.test(day) && /^\d\d:\d\d$/.test(clock) ? Date.parse(`${day}T${clock}Z`) : Number.NaN;
  // JavaScript turns 31 February into 3 March.
  if (Number.isNaN(shown) || dayAt(shown, 'UTC') !== day) return { ok: false, reason: 'invalid' };
  const offsets = [shown - dayMs, shown + dayMs].map((at) => clockOf(at, zone) - at);
  const [first, second] = [...new Set(offsets.map((offset) => shown - offset))]
    .filter((at) => clockOf(at, zone) === shown)
    .toSorted((one, other) => one - other);
  if (first === undefined) return { ok: false, reason: 'skipped' };
  return { ok: true, at: new Date(first), isRepeated: second !== undefined };
}

/** The first instant of a day; some clocks go forward at midnight. @param day `2026-11-02` */
export function startOfDay(day: string, zone: string): Date {
  for (const clock of ['00:00', '00:30', '01:00']) {
    const reading = readLocal(day, clock, zone);
    if (reading.ok) return reading.at;
  }
  return new Date(`${day}T00:00:00Z`);
}

/** Whether this engine knows the zone. */
export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The zone of this browser; UTC when it hides or does not know it. */
export function browserTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone !== undefined && isTimeZone(timeZone) ? timeZone : 'UTC';
}
