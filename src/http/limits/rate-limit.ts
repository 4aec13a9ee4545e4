import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import { networkOf, widerNetworkOf } from '#domain/identity/networks.ts';

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

/** The client's network in the form of `networkOf`, for counting. */
export function clientAddress(context: Context, trustProxy: number): string {
  const chain = (context.req.header('x-forwarded-for') ?? '').split(',').map((part) => part.trim());
  const forwarded = trustProxy > 0 ? chain.at(-trustProxy) : undefined;
  return networkOf(forwarded || (getConnInfo(context).remote.address ?? 'unknown'));
}
