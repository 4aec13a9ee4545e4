import { i18n } from '#i18n';

/** Lengths of time as text (spec §9). */

/** `12:16`, and `1:10:18` from one hour on, in every language. @param seconds fractions are dropped */
export function formatTime(seconds: number): string {
  const { hours, minutes, rest } = split(seconds);
  const tail = String(rest).padStart(2, '0');
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, '0')}:${tail}`;
}

/** `5 min 56 sec`, `1 hr 1 min 1 sec`, without the parts that are 0. */
export function formatDuration(seconds: number): string {
  const { hours, minutes, rest } = split(seconds);
  const parts: string[] = [];
  if (hours > 0)
    parts.push(i18n._(/*i18n*/ { id: 'duration.hours', message: '{hours, plural, other {# hr}}', values: { hours } }));
  if (minutes > 0)
    parts.push(i18n._(/*i18n*/ { id: 'duration.minutes', message: '{minutes} min', values: { minutes } }));
  if (rest > 0 || parts.length === 0)
    parts.push(i18n._(/*i18n*/ { id: 'duration.seconds', message: '{rest} sec', values: { rest } }));
  return parts.reduce((longer, shorter) =>
    i18n._(/*i18n*/ { id: 'duration.and', message: '{longer} {shorter}', values: { longer, shorter } }),
  );
}

/** ISO 8601 for structured data: `PT5M56S`. */
export function formatIsoDuration(seconds: number): string {
  const { hours, minutes, rest } = split(seconds);
  return `PT${hours === 0 ? '' : `${hours}H`}${minutes === 0 ? '' : `${minutes}M`}${rest}S`;
}

function split(seconds: number): { hours: number; minutes: number; rest: number } {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  return { hours: Math.floor(whole / 3600), minutes: Math.floor((whole % 3600) / 60), rest: whole % 60 };
}
