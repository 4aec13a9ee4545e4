import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import { networkOf, widerNetworkOf } from '#domain/identity/networks.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';

export type Allowance = {
  perMinute: number;
  /** Calls of a kind are counted together; default: this call, in all versions of the API. */
  kind?: string;
  /** Counts the calls of one user; default: of the client's network. */
  account?: string | undefined;
};

/** @returns false when the minute's budget is used up */
export type RateLimit = (context: Context, allowance: Allowance) => boolean;

/** A /48 holds 65,536 household networks; it gets the budget of this many. */
const widerNetworkShare = 8;

/**
 * In-memory rate limit for cheap calls; log-in and account calls are counted in the database instead.
 * @param options `max` limits the counters: beyond it, the one used longest ago starts anew; `trustProxy` is the number
 *   of proxies that append to X-Forwarded-For, and earlier entries are the client's own claim
 */
export function createRateLimit(options: { trustProxy: number; max?: number; now?: () => number }): RateLimit {
  const { trustProxy, max = 50_000, now = Date.now } = options;
  const windows = new LRUCache<string, { minute: number; calls: number }>({ max });

  function count(key: string): number {
    const minute = Math.floor(now() / 60_000);
    let window = windows.get(key);
    if (window?.minute !== minute) windows.set(key, (window = { minute, calls: 0 }));
    return (window.calls += 1);
  }

  return (context, { perMinute, kind = context.req.path.replace(/^\/v\d+\//, '/'), account }) => {
    if (account !== undefined) return count(`${kind} ${account}`) <= perMinute;
    const client = clientAddress(context, trustProxy);
    if (count(`${kind} ${client}`) > perMinute) return false;
    const wider = widerNetworkOf(client);
    return wider === undefined || count(`${kind} ${wider}`) <= perMinute * widerNetworkShare;
  };
}

/**
 * Search budget per user, or per address for visitors; API calls, pages and page data count together. Continuous typing
 * sends five requests a second.
 */
export function searchBudget(viewer: Viewer): Allowance {
  return { perMinute: 600, kind: 'search', account: viewer.kind === 'user' ? viewer.id : undefined };
}

/** The client's network in the form of `networkOf`, for counting. */
export function clientAddress(context: Context, trustProxy: number): string {
  const chain = (context.req.header('x-forwarded-for') ?? '').split(',').map((part) => part.trim());
  const forwarded = trustProxy > 0 ? chain.at(-trustProxy) : undefined;
  // Undefined when the app is called without a server, as `app.request()` does.
  const bindings = context.env as Partial<HttpBindings> | undefined;
  return networkOf(forwarded || (bindings?.incoming?.socket.remoteAddress ?? 'unknown'));
}
