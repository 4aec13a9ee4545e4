import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/**
 * @param allowance `of`: what is counted together, such as one user's calls of a kind; unless told, this call by this
 *   client
 * @returns false when the minute is used up
 */
export type RateLimit = (context: Context, allowance: { perMinute: number; of?: string }) => boolean;

/**
 * A brake in this process for calls that cost little; log-in and what guards accounts counts in the database instead.
 * @param trustProxy how many proxies append to X-Forwarded-For; what stands before them is the client's own claim
 */
export function createRateLimit({ trustProxy, now = Date.now }: { trustProxy: number; now?: () => number }): RateLimit {
  let minute = 0;
  let used = new Map<string, number>();
  return (context, { perMinute, of }) => {
    const current = Math.floor(now() / 60_000);
    if (current !== minute || used.size > 50_000) {
      minute = current;
      used = new Map();
    }
    // A call is the same under each version of the API.
    const key = of ?? `${context.req.path.replace(/^\/v\d+\//, '/')} ${clientAddress(context, trustProxy)}`;
    const count = (used.get(key) ?? 0) + 1;
    used.set(key, count);
    return count <= perMinute;
  };
}

export function clientAddress(context: Context, trustProxy: number): string {
  const chain = (context.req.header('x-forwarded-for') ?? '').split(',').map((part) => part.trim());
  const forwarded = trustProxy > 0 ? chain.at(-trustProxy) : undefined;
  return forwarded || (getConnInfo(context).remote.address ?? 'unknown');
}
