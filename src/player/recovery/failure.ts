import type { Clock } from '../clock.ts';
import { MEDIA_DECODE, MEDIA_NOT_SUPPORTED } from '../media/media-element.ts';

export type FailureCode = 'login-required' | 'subscription-required' | 'gone' | 'network' | 'decode';

export type FetchLike = (url: string, init: RequestInit) => Promise<Pick<Response, 'status' | 'type' | 'ok'>>;

/**
 * The file route's answer: why a file is unavailable, or that it is reachable. `denied` is a 403, which the route
 * itself never sends.
 */
export type Answer = Exclude<FailureCode, 'decode'> | 'denied' | 'reachable';

export const ANSWER_LIMIT_MS = 4000;

/**
 * Requests one byte from the file route, because a media error has no HTTP status. The route answers this range itself,
 * even where it redirects to storage. A redirect by an intermediary still proves access, and is not followed.
 */
export async function askFileRoute(url: string, fetch: FetchLike, clock: Clock): Promise<Answer> {
  const abort = new AbortController();
  const cancelLimit = clock.after(ANSWER_LIMIT_MS, () => abort.abort());
  try {
    const response = await fetch(url, {
      headers: { Range: 'bytes=0-0' },
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'manual',
      signal: abort.signal,
    });
    if (response.status === 401) return 'login-required';
    if (response.status === 402) return 'subscription-required';
    if (response.status === 403) return 'denied';
    // 416: the file is empty.
    if (response.status === 404 || response.status === 410 || response.status === 416) return 'gone';
    return response.ok || response.type === 'opaqueredirect' ? 'reachable' : 'network';
  } catch {
    return 'network';
  } finally {
    cancelLimit();
    // Servers without range support would send the whole file.
    abort.abort();
  }
}

/** Expired addresses and sessions get these answers. A missing subscription has its own answer. */
export function isRefusal(answer: Answer): boolean {
  return answer === 'login-required' || answer === 'denied' || answer === 'gone';
}

/** A 403 comes from an intermediary (a proxy, the storage) and may be temporary, so it counts as a network failure. */
export function failureOf(answer: Exclude<Answer, 'reachable'>): FailureCode {
  return answer === 'denied' ? 'network' : answer;
}

/** Result of `work`, or false when it rejects or takes longer than `ANSWER_LIMIT_MS`. */
export function withinLimit(work: Promise<boolean>, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const cancelLimit = clock.after(ANSWER_LIMIT_MS, () => resolve(false));
    work.then(resolve, () => resolve(false)).finally(cancelLimit);
  });
}

/**
 * Meaning of a media error. Browsers also report "not supported" when the connection breaks while loading, so a
 * reachable file counts as undecodable only after one retry.
 */
export function classify(mediaErrorCode: number, answer: Answer, attempts: number): FailureCode {
  if (mediaErrorCode === MEDIA_DECODE) return 'decode';
  if (answer !== 'reachable') return failureOf(answer);
  return mediaErrorCode === MEDIA_NOT_SUPPORTED && attempts > 0 ? 'decode' : 'network';
}
