import type { ContentSource, EventName, EventProperties, AnalyticsEvent } from '#domain/analytics/forms.ts';
import { apiFetch } from '../api.ts';

type EventDetails<Name extends EventName> = {
  source?: ContentSource;
  /** Id of the event’s audio, voice, category or playlist. */
  subjectId?: string;
  /** Only the properties that the table allows for this event (`domain/analytics/forms.ts`). */
  properties?: EventProperties<Name>;
};

const ADDRESS = '/v1/api/events';
/** Most events that the route accepts in one call. */
const BATCH_LIMIT = 50;
const FLUSH_AFTER_MS = 5000;

let waiting: AnalyticsEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Records a usage event. Events go to this site only, in batches, without a user’s name, and are dropped silently when
 * offline. Nothing is sent when the browser sends Do Not Track or Global Privacy Control.
 */
export function logEvent<const Name extends EventName>(name: Name, details: EventDetails<Name> = {}): void {
  if (typeof document === 'undefined' || isUnwanted()) return;
  // Events do not say which playlist it was.
  waiting.push({ name, ...details, source: details.source?.split(':')[0] } as AnalyticsEvent);
  if (waiting.length >= BATCH_LIMIT) flush();
  else timer ??= setTimeout(() => flush(), FLUSH_AFTER_MS);
}

/**
 * Sends pending events when the page is hidden or left, because timers may not fire after that.
 * @returns removes the listeners
 */
export function flushOnLeave(): () => void {
  const stop = new AbortController();
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && flush(true), stop);
  window.addEventListener('pagehide', () => flush(true), stop);
  return () => stop.abort();
}

/** @param isLeaving the page may close before the call is made */
function flush(isLeaving = false): void {
  clearTimeout(timer);
  timer = undefined;
  const events = waiting;
  waiting = [];
  if (events.length === 0) return;
  apiFetch(ADDRESS, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ events }),
    keepalive: isLeaving,
  }).catch(() => undefined);
}

/** Do Not Track or its successor, Global Privacy Control. */
export function isUnwanted(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === '1' || globalPrivacyControl === true;
}
