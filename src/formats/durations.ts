import { formatCount } from './numbers.ts';

/** Lengths of time as text (spec §9). */

/** `12:16`, and `1:10:18` from one hour on. @param seconds fractions are dropped */
export function formatTime(seconds: number): string {
  const { hours, minutes, rest } = split(seconds);
  const tail = String(rest).padStart(2, '0');
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, '0')}:${tail}`;
}

/** `5 min 56 sec`, `1 hr 1 min 1 sec`, without the parts that are 0. */
export function formatDuration(seconds: number): string {
  const { hours, minutes, rest } = split(seconds);
  const parts = [hours > 0 && `${formatCount(hours)} hr`, minutes > 0 && `${minutes} min`, rest > 0 && `${rest} sec`];
  return parts.filter(Boolean).join(' ') || '0 sec';
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
