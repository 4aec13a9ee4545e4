import { toHex } from '#formats/hex.ts';
import { hc } from 'hono/client';
import type { Api } from '#api/calls.ts';

type Send = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/** The typed client, whose code the first view does not need. */
export function openClient(send: Send) {
  return hc<Api>('/v1/api', { fetch: withKeys(send) });
}

const maxUnanswered = 50;
/** Later it is a new act, although it says the same. */
const sameActMs = 10 * 60_000;

/**
 * Sends an `Idempotency-Key` with each call that changes something. A call without an answer keeps its key, so that the
 * same call, sent again, is the same act for the site.
 */
export function withKeys(send: Send): Send {
  const unanswered = new Map<string, { key: string; at: number }>();
  return async (input, init = {}) => {
    if ((init.method ?? 'GET') === 'GET') return send(input, init);
    const act = [init.method, String(input), typeof init.body === 'string' ? init.body : ''].join('\n');
    const before = unanswered.get(act);
    const sent =
      before !== undefined && Date.now() - before.at < sameActMs ? before : { key: newKey(), at: Date.now() };
    unanswered.set(act, sent);
    const headers = new Headers(init.headers);
    headers.set('idempotency-key', sent.key);
    const response = await send(input, { ...init, headers });
    // After these statuses the site may not have done it, or may have: a repeat finds out.
    if (response.status < 500) unanswered.delete(act);
    for (const oldest of unanswered.keys()) if (unanswered.size > maxUnanswered) unanswered.delete(oldest);
    return response;
  };
}

/** `crypto.randomUUID` exists only on https and loopback. */
function newKey(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}
