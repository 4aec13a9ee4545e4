type TimedInit = Omit<RequestInit, 'signal'> & { limitMs: number };

/**
 * The server's only `fetch`, for small answers, which it reads whole: a peer that accepts the connection and stays
 * silent holds nothing for longer than `limitMs` (docs/time-limits.md).
 * @throws with the code ETIMEDOUT
 */
export async function timedFetch(url: string | URL, { limitMs, ...init }: TimedInit): Promise<Response> {
  const limit = new AbortController();
  const late = () => limit.abort(Object.assign(new Error('No answer in time'), { code: 'ETIMEDOUT' }));
  // Cleared, unlike that of `AbortSignal.timeout`, which creates an exception for each request.
  const timer = setTimeout(late, limitMs);
  try {
    // oxlint-disable-next-line no-restricted-globals -- with a limit
    const answer = await fetch(url, { ...init, signal: limit.signal });
    const body = await answer.arrayBuffer();
    return new Response(body.byteLength === 0 ? null : body, answer);
  } finally {
    clearTimeout(timer);
  }
}
