import { i18n } from '#i18n';
import { type Instant, formatDate } from './times.ts';

const dayMs = 86_400_000;

/** `today`, `yesterday`, then the date, in UTC. No times: the site records a session’s use only once an hour. */
export function formatLastUse(at: Instant, now: Instant = Date.now()): string {
  const days = dayOf(now) - dayOf(at);
  if (days <= 0) return i18n._(/*i18n*/ { id: 'last-use.today', message: 'today' });
  if (days === 1) return i18n._(/*i18n*/ { id: 'last-use.yesterday', message: 'yesterday' });
  return i18n._(/*i18n*/ { id: 'last-use.date', message: 'on {date}', values: { date: formatDate(at) } });
}

function dayOf(at: Instant): number {
  return Math.floor(new Date(at).getTime() / dayMs);
}
