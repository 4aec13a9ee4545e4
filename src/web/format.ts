/** What spec §9 says of times and numbers. One locale, and dates in UTC, so that server and browser write the same. */

const counts = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `12:16`, and `1:10:18` from one hour. @param seconds a part of a second does not count */
export function formatTime(seconds: number): string {
  const { hours, minutes, rest } = split(seconds);
  const tail = String(rest).padStart(2, '0');
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, '0')}:${tail}`;
}

/** `5 min 56 sec`, `31 hr 20 min`: the two largest parts, without the empty one. */
export function formatDuration(seconds: number): string {
  const { hours, minutes, rest } = split(seconds);
  if (hours > 0) return minutes === 0 ? `${formatCount(hours)} hr` : `${formatCount(hours)} hr ${minutes} min`;
  if (minutes > 0) return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} sec`;
  return `${rest} sec`;
}

/** ISO 8601, as structured data has it: `PT5M56S`. */
export function formatIsoDuration(seconds: number): string {
  const { hours, minutes, rest } = split(seconds);
  return `PT${hours === 0 ? '' : `${hours}H`}${minutes === 0 ? '' : `${minutes}M`}${rest}S`;
}

/** `102,884` */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** `1 audio`, `1,204 audios`. @param noun in the singular; takes an s */
export function formatCountOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `2 Nov 2026`, the day in UTC. @param iso ISO 8601 */
export function formatDate(iso: string): string {
  const date = new Date(iso);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/**
 * `just now`, `20 min ago`, `2 hr ago`, `yesterday`, `4 days ago`, and the day itself from a week on.
 * @param now as the server had it, so that the browser writes the same
 */
export function formatAgo(iso: string, now: number): string {
  const seconds = (now - Date.parse(iso)) / 1000;
  if (seconds < 60) return 'just now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} hr ago`;
  const days = Math.floor(seconds / 86_400);
  if (days === 1) return 'yesterday';
  return days < 7 ? `${days} days ago` : formatDate(iso);
}

/** `Maren Holt, Idris Vale, Wren Ashby and 1 more`. @param total how many there are, when not all names are known */
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
