import { formatClock, formatDateTime, formatMoment, formatWeekdayTime } from '#formats/moments.ts';
import { type Instant, formatDate } from '#formats/times.ts';
import { browserTimeZone, inZone } from '#formats/zones.ts';
import { keepCookie } from '../identity/preference-cookie.ts';
import { useRootData } from '../root-data.ts';
import { useClientValue } from '../ui/use-client-value.ts';

/** With it the server writes the next page in this zone, so that no time changes while the page is hydrated. */
export function storeTimeZone(): void {
  keepCookie('sotto_zone', browserTimeZone());
}

/**
 * The time zone of this browser. While the page is hydrated, the one in the browser's cookie, with which the server
 * wrote the page; undefined without the cookie.
 */
export function useTimeZone(): string | undefined {
  const known = useRootData()?.timeZone;
  return useClientValue<string | undefined>(browserTimeZone, known);
}

/** `moment` needs the server's time in milliseconds as `now`, so that server and browser write the same. */
type LocalTimeProps =
  | { at: Instant; style: 'date' | 'clock' | 'full' | 'weekday'; now?: undefined }
  | { at: Instant; style: 'moment'; now: number };

/**
 * A time in the reader's own zone. `moment`: `Today, 20:31`, `Yesterday`, `19 Nov`; `date`: `2 Nov 2026`; `full`:
 * `2 Nov 2026, 22:00`; `weekday`: `Mon 2 Nov, 22:00`; `clock`: `21:04`. Clocks say UTC while the zone is not known.
 */
export function LocalTime(props: LocalTimeProps) {
  return <time dateTime={new Date(props.at).toISOString()}>{textOf(props, useTimeZone())}</time>;
}

function textOf({ at, style, now }: LocalTimeProps, zone: string | undefined): string {
  switch (style) {
    case 'date':
      return formatDate(inZone(at, zone));
    case 'clock':
      return formatClock(at, zone);
    case 'full':
      return formatDateTime(at, zone);
    case 'weekday':
      return formatWeekdayTime(at, zone);
    case 'moment':
      return formatMoment(at, now, zone);
  }
}
