import { formatDate } from '../format.ts';

/** `22 Nov 2026`, in UTC. */
export function formatDayOf(date: Date): string {
  return formatDate(date.toISOString());
}

/** `21:06`, in UTC. */
export function formatClock(date: Date): string {
  return date.toISOString().slice(11, 16);
}
