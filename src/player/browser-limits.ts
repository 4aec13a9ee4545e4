import { type TimedInit, callLimitMs, fileLimitMs, limited, logOutLimitMs } from './timed-fetch.ts';
import { withResolvers } from './with-resolvers.ts';

/**
 * Milliseconds after which the browser gives up on a peer that accepts a connection and stays silent. Every request of
 * pages and of the service worker has one of these limits (docs/time-limits.md).
 */
export const browserLimits = {
  call: callLimitMs,
  file: fileLimitMs,
  logOut: logOutLimitMs,
  /** A page or its data while the device has a stored one to show. */
  storedPage: 4000,
  /** A document without a stored one, before the offline page replaces it; the browser's own limit is minutes. */
  document: 30_000,
  /** A built file, a picture, the beginning of a sound, a payment script, the browser's push service. */
  asset: 60_000,
  /** Silence within a download, which may take hours. */
  silence: 20_000,
  /** Silence within an upload: the site's own limit of a request. */
  upload: 60_000,
};

/** `timedFetch` for an answer whose body has its own limit: only the headers have to arrive in time. */
export async function timedHead(
  input: RequestInfo | URL,
  { limitMs = callLimitMs, signal, ...init }: TimedInit = {},
): Promise<Response> {
  const limit = limited(signal, limitMs);
  try {
    // oxlint-disable-next-line no-restricted-globals -- with a limit
    return await fetch(input, { ...init, signal: limit.signal });
  } finally {
    limit.lift();
  }
}

/** Rejects when `work` takes longer than the limit; does not abort it. */
export async function inTime<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  const late = withResolvers<never>();
  const timer = setTimeout(() => late.reject(new DOMException('No answer in time', 'TimeoutError')), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
