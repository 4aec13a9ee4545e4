import type { Instant } from '#formats/times.ts';
import { addDays, browserTimeZone, dayAt, readLocal } from '#formats/zones.ts';

/** Days in the format of a date field, in the browser’s time zone. */

const timeOfDelivery = '09:00';

/** `2027-02-14` @param now the day from which to count */
export function dayAfter(days: number, now: Instant = Date.now(), zone = browserTimeZone()): string {
  return addDays(dayAt(now, zone), days);
}

/** Delivery time in the morning of that day, ISO 8601; undefined for no day. */
export function deliveryAt(day: string, zone = browserTimeZone()): string | undefined {
  const read = readLocal(day, timeOfDelivery, zone);
  return read.ok ? read.at.toISOString() : undefined;
}
