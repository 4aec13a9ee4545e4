/** Milliseconds for a call, or the data of a page. Larger than the site's own limits for payments and mails. */
export const callLimitMs = 20_000;
/** Milliseconds for a file that the site makes for this request, such as an export. */
export const fileLimitMs = 120_000;
/** Milliseconds for a log-out, which should not keep anyone waiting. */
export const logOutLimitMs = 5000;

export type TimedInit = RequestInit & { limitMs?: number };

/**
 * `fetch` that rejects when the answer, with its body, takes longer than `limitMs` (browser-limits.ts). Sends
 * synchronously.
 */
export function timedFetch(input: RequestInfo | URL, { limitMs, ...init }: TimedInit = {}): Promise<Response> {
  // A slow uplink needs a second for each 20 KB.
  const sent = `${init.body ?? ''}`.length / 20;
  // oxlint-disable-next-line no-restricted-globals -- with a limit
  return fetch(input, { ...init, signal: limited(init.signal, limitMs ?? callLimitMs + sent).signal });
}

/**
 * A signal that aborts with another one, or after the limit. Safari has `AbortSignal.any` from 17.4 on.
 * @property lift removes the limit and leaves only the other signal
 */
export function limited(other: AbortSignal | null | undefined, limitMs: number) {
  const either = new AbortController();
  const end = () => either.abort();
  if (other?.aborted) end();
  other?.addEventListener('abort', end, { signal: either.signal });
  const timer = setTimeout(end, limitMs);
  return { signal: either.signal, lift: () => clearTimeout(timer) };
}
