import { inZone } from '#formats/zones.ts';
import type { NewsPreferences } from './rules.ts';

/** Offsets of all time zones are multiples of it. */
const stepMs = 15 * 60_000;
const maxSteps = 9 * 24 * 4;

function timeAt(at: number, zone: string): { hour: number; weekday: number } {
  const local = inZone(at, zone);
  return { hour: local.getUTCHours(), weekday: local.getUTCDay() };
}

function isQuiet({ hour }: { hour: number }, quiet: NewsPreferences['quiet']): boolean {
  if (quiet === null) return false;
  const { from, until } = quiet;
  return from < until ? hour >= from && hour < until : hour >= from || hour < until;
}

/** Now, or the end of the current quiet hours. */
export function afterQuietHours(now: Date, preferences: NewsPreferences): Date {
  return afterQuiet(now.getTime(), preferences);
}

/** Now, or the hour of the next digest; never in quiet hours. Undefined when mails are off. */
export function nextMail(now: Date, preferences: NewsPreferences): Date | undefined {
  const { email, digestHour, digestWeekday, timeZone } = preferences;
  if (email === 'off') return undefined;
  if (email === 'at-once') return afterQuiet(now.getTime(), preferences);
  let before = timeAt(now.getTime(), timeZone);
  let at = Math.ceil((now.getTime() + 1) / stepMs) * stepMs;
  for (let step = 0; step < maxSteps; step += 1, at += stepMs) {
    const here = timeAt(at, timeZone);
    // When the clock skips the hour in spring, the next hour counts.
    const isReached =
      here.hour === digestHour
        ? before.hour !== digestHour
        : before.weekday === here.weekday && before.hour < digestHour && here.hour > digestHour;
    if (isReached && (email === 'daily' || here.weekday === digestWeekday)) break;
    before = here;
  }
  return afterQuiet(at, preferences);
}

function afterQuiet(at: number, { quiet, timeZone }: Pick<NewsPreferences, 'quiet' | 'timeZone'>): Date {
  if (!isQuiet(timeAt(at, timeZone), quiet)) return new Date(at);
  let next = Math.ceil((at + 1) / stepMs) * stepMs;
  for (let step = 0; step < maxSteps && isQuiet(timeAt(next, timeZone), quiet); step += 1) next += stepMs;
  return new Date(next);
}
