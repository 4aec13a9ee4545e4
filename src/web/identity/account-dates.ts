import { formatDate } from '../format.ts';

const months = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayMs = 24 * 60 * 60 * 1000;

/** `March 2026`, in UTC. */
export function formatMonth(date: Date): string {
  return months.format(date);
}

/** `today`, `yesterday`, then the date, in UTC. No times: the site records a session’s use only once an hour. */
export function formatLastUse(iso: string, now: Date = new Date()): string {
  const days = dayOf(now) - dayOf(new Date(iso));
  if (days <= 0) return 'today';
  return days === 1 ? 'yesterday' : `on ${formatDate(iso)}`;
}

function dayOf(date: Date): number {
  return Math.floor(date.getTime() / dayMs);
}
