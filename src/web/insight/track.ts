import type { ContentSource, EventName, EventProperties, InsightEvent } from '#domain/insight/forms.ts';
import { apiFetch } from '../api.ts';

type EventDetails<Name extends EventName> = {
  source?: ContentSource;
  /** Id of the audio, voice, category or playlist it is about. */
  subjectId?: string;
  /** Those of the event's line in the table (`domain/insight/forms.ts`), and no others. */
  properties?: EventProperties<Name>;
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
export function track<const Name extends EventName>(name: Name, details: EventDetails<Name> = {}): void {
  if (typeof document === 'undefined' || isUnwanted()) return;
  waiting.push({ name, ...details } as InsightEvent);
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
export function isUnwanted(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === '1' || globalPrivacyControl === true;
}
