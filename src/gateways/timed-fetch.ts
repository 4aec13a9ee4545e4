import { inTime } from './in-time.ts';

/**
 * The server's only `fetch`, for small answers, which it reads whole: a peer that accepts the connection and stays
 * silent holds nothing for longer than `limitMs` (call-limits.ts).
 * @throws with the code ETIMEDOUT
 */
export function timedFetch(
  url: string | URL,
  { limitMs, ...init }: Omit<RequestInit, 'signal'> & { limitMs: number },
): Promise<Response> {
  return inTime(limitMs, async (signal) => {
    // oxlint-disable-next-line no-restricted-globals -- with a limit
    const answer = await fetch(url, { ...init, signal });
    const body = await answer.arrayBuffer();
    return new Response(body.byteLength === 0 ? null : body, answer);
  });
}
