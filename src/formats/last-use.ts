import { type Instant, formatDate } from './times.ts';

const dayMs = 86_400_000;

/** `today`, `yesterday`, then the date, in UTC. No times: the site records a session’s use only once an hour. */
export function formatLastUse(at: Instant, now: Instant = Date.now()): string {
  const days = dayOf(now) - dayOf(at);
  if (days <= 0) return 'today';
  return days === 1 ? 'yesterday' : `on ${formatDate(at)}`;
}

function dayOf(at: Instant): number {
  return Math.floor(new Date(at).getTime() / dayMs);
}
