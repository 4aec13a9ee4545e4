import type { Clock } from './clock.ts';
import { MEDIA_DECODE, MEDIA_NOT_SUPPORTED } from './media-element.ts';

export type FailureCode = 'login-required' | 'subscription-required' | 'gone' | 'network' | 'decode';

export type FetchLike = (url: string, init: RequestInit) => Promise<Pick<Response, 'status' | 'type' | 'ok'>>;

/** What the file route says of a file: why it cannot be had, or that it can. `denied` is a 403, which it never says itself. */
export type Answer = Exclude<FailureCode, 'decode'> | 'denied' | 'reachable';

const ANSWER_LIMIT_MS = 10_000;

/**
 * Asks the file route for one byte, because a media error tells no status. A redirect is not followed: it goes to
 * storage, and that it was given says that this listener may have the file.
 */
export async function ask(url: string, fetch: FetchLike, clock: Clock): Promise<Answer> {
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
    // 416: a file without a single byte.
    if (response.status === 404 || response.status === 410 || response.status === 416) return 'gone';
    return response.ok || response.type === 'opaqueredirect' ? 'reachable' : 'network';
  } catch {
    return 'network';
  } finally {
    cancelLimit();
    // A server without ranges would go on sending the whole file.
    abort.abort();
  }
}

/** An address or a session that has expired is refused like this; a subscription that is missing is another matter. */
export function isRefusal(answer: Answer): boolean {
  return answer === 'login-required' || answer === 'denied' || answer === 'gone';
}

/** A 403 comes from something in between (a proxy, a storage), which may think better of it. */
export function failureOf(answer: Exclude<Answer, 'reachable'>): FailureCode {
  return answer === 'denied' ? 'network' : answer;
}

/** What `work` answers, or false when it rejects or takes longer than the file route may. */
export function withinLimit(work: Promise<boolean>, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const cancelLimit = clock.after(ANSWER_LIMIT_MS, () => resolve(false));
    work.then(resolve, () => resolve(false)).finally(cancelLimit);
  });
}

/**
 * What a media error means. "Not supported" is also what browsers say when the connection broke while loading, so a
 * reachable file counts as undecodable only once it was tried again.
 */
export function classify(mediaErrorCode: number, answer: Answer, attempts: number): FailureCode {
  if (mediaErrorCode === MEDIA_DECODE) return 'decode';
  if (answer !== 'reachable') return failureOf(answer);
  return mediaErrorCode === MEDIA_NOT_SUPPORTED && attempts > 0 ? 'decode' : 'network';
}
