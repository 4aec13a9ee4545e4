import type { Count } from '#domain/kernel/rules.ts';
import { countOf, formatCount } from '#domain/kernel/rules.ts';

export { formatCount, countOf as formatCountOf };

/** `102,884`, or `10,000+` */
export function formatCapped({ count, isMore }: Count): string {
  return `${formatCount(count)}${isMore ? '+' : ''}`;
}

/** `1 audio`, or `over 10,000 audios` */
export function formatCappedOf({ count, isMore }: Count, one: string): string {
  return `${isMore ? 'over ' : ''}${countOf(count, one)}`;
}

/** Times and numbers as text (spec §9). One locale, and dates in UTC, so that server and browser write the same. */

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

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

/** `2 Nov 2026`, the day in UTC. @param iso ISO 8601 */
export function formatDate(iso: string): string {
  const date = new Date(iso);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** For `formatAgo`, in whole minutes, so that a page that changed in nothing else has the same bytes for a minute. */
export function currentMinute(): number {
  return Math.floor(Date.now() / 60_000) * 60_000;
}

/**
 * `just now`, `20 min ago`, `2 hr ago`, `yesterday`, `4 days ago`, and the date from a week on.
 * @param now the server’s time, so that server and browser render the same
 */
export function formatAgo(iso: string, now: number): string {
  const seconds = (now - Date.parse(iso)) / 1000;
  if (seconds < 60) return 'just now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} hr ago`;
  const days = Math.floor(seconds / 86_400);
  if (days === 1) return 'yesterday';
  return days < 7 ? `${countOf(days, 'day')} ago` : formatDate(iso);
}

/** `Maren Holt, Idris Vale, Wren Ashby and 1 more`. @param total number of names, when `names` is incomplete */
export function formatNames(names: string[], total: number = names.length, shown = 3): string {
  const listed = names.slice(0, shown);
  const more = Math.max(total, names.length) - listed.length;
  if (more > 0) return `${listed.join(', ')} and ${formatCount(more)} more`;
  if (listed.length < 2) return listed.join('');
  return `${listed.slice(0, -1).join(', ')} and ${listed.at(-1)}`;
}

function split(seconds: number): { hours: number; minutes: number; rest: number } {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  return { hours: Math.floor(whole / 3600), minutes: Math.floor((whole % 3600) / 60), rest: whole % 60 };
}
