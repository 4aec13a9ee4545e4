import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** The visitor's time zone; UTC until the page is hydrated, because the site does not know it. */
export function useTimeZone(): string {
  return useSyncExternalStore(
    never,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => 'UTC',
  );
}

type Style = 'moment' | 'day' | 'clock';

/**
 * A time in the visitor's own zone. `moment`: `Today, 20:31`, `Yesterday`, `19 Nov`; `day`: `2 Nov 2026, 22:00`; `clock`:
 * `21:04`.
 * @param now the server's time in milliseconds, so that server and browser write the same
 */
export function LocalTime({ iso, now, style = 'moment' }: { iso: string; now: number; style?: Style }) {
  const timeZone = useTimeZone();
  return <time dateTime={iso}>{formatLocal(iso, { now, style, timeZone })}</time>;
}

export function formatLocal(
  iso: string,
  { now, style, timeZone }: { now: number; style: Style; timeZone: string },
): string {
  const date = new Date(iso);
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(date);
  const clock = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  if (style === 'clock') return clock;
  const withYear = format({ day: 'numeric', month: 'short', year: 'numeric' });
  if (style === 'day') return `${withYear}, ${clock}`;
  const dayOf = (time: number) =>
    new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone }).format(new Date(time));
  if (dayOf(date.getTime()) === dayOf(now)) return `Today, ${clock}`;
  if (dayOf(date.getTime()) === dayOf(now - 86_400_000)) return 'Yesterday';
  const isThisYear = dayOf(date.getTime()).slice(0, 4) === dayOf(now).slice(0, 4);
  return isThisYear ? format({ day: 'numeric', month: 'short' }) : withYear;
}
