import { t } from '@lingui/core/macro';
import { formatDate } from '#formats/times.ts';
import { clockAt, dayAt, readLocal } from '#formats/zones.ts';

/** `New York` @param zone IANA name */
export function placeOf(zone: string): string {
  return zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone;
}

/** A typed time, or the reason why it is none. `note` is a remark on the time. */
type ScheduledTime = { at: Date; note?: string } | { at?: undefined; fault: string };

/**
 * Reads a typed day and time in the reader's zone.
 * @param stored the time that was scheduled before, ISO 8601. Fields that still show it mean it: an hour that clocks
 *   repeat has two instants.
 */
export function readScheduledTime(
  { day, clock: typed }: { day: string; clock: string },
  zone: string,
  stored: string | null = null,
): ScheduledTime {
  // Some browsers add seconds.
  const clock = typed.slice(0, 5);
  if (stored !== null && dayAt(stored, zone) === day && clockAt(stored, zone) === clock)
    return { at: new Date(stored) };
  const read = readLocal(day, clock, zone);
  if (read.ok)
    return { at: read.at, ...(read.isRepeated && { note: t`Clocks go back: this is the first ${clock} of that day` }) };
  if (read.reason === 'invalid') return { fault: t`Choose a day and a time` };
  const place = placeOf(zone);
  const date = formatDate(day);
  return { fault: t`Clocks in ${place} go forward and skip ${clock} on ${date}. Choose another time.` };
}
