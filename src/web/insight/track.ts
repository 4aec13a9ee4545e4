import type { ContentSource, EventName, InsightEvent } from '#domain/insight/forms.ts';
import { apiFetch } from '../api.ts';

type EventDetails = {
  source?: ContentSource;
  /** Id of the audio, voice, category or playlist it is about. */
  subjectId?: string;
  /** At most eight, named in camelCase. */
  properties?: Record<string, string | number | boolean>;
};

const ADDRESS = '/v1/api/events';
/** What the route takes in one call. */
const BATCH_LIMIT = 50;
const FLUSH_AFTER_MS = 5000;

let waiting: InsightEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Says that something happened in the interface. Events carry no name, go to this site only, in batches, and are lost
 * without a word when the connection is. Nothing is sent where the browser asks not to be tracked.
 */
export function track(name: EventName, details: EventDetails = {}): void {
  if (typeof document === 'undefined' || isUnwanted()) return;
  waiting.push({ name, ...details });
  if (waiting.length >= BATCH_LIMIT) flush();
  else timer ??= setTimeout(() => flush(), FLUSH_AFTER_MS);
}

/** Before the page is hidden or left, which no timer may outlive. The answer ends it. */
export function flushOnLeave(): () => void {
  const onHidden = () => {
    if (document.visibilityState === 'hidden') flush(true);
  };
  const onLeave = () => flush(true);
  document.addEventListener('visibilitychange', onHidden);
  window.addEventListener('pagehide', onLeave);
  return () => {
    document.removeEventListener('visibilitychange', onHidden);
    window.removeEventListener('pagehide', onLeave);
  };
}

/** @param isLeaving the page may be gone before the call is made */
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

/** Do Not Track, or its successor, Global Privacy Control. */
function isUnwanted(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === '1' || globalPrivacyControl === true;
}
