import type { Viewer } from '#domain/kernel/viewer.ts';
import type { Allowance } from './rate-limit.ts';

/** Continuous typing sends five requests a second. */
const perMinute = 600;

/** Search budget per user, or per address for visitors; API calls, pages and page data count together. */
export function searchBudget(viewer: Viewer): Allowance {
  return { perMinute, kind: 'search', account: viewer.kind === 'user' ? viewer.id : undefined };
}
