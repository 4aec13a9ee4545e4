import { isIP } from 'node:net';
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

/** Of whoever asks, for counting: without a port, and of IPv6 the network, since each household has 2^64 addresses in its own. */
export function clientAddress(context: Context, trustProxy: number): string {
  const chain = (context.req.header('x-forwarded-for') ?? '').split(',').map((part) => part.trim());
  const forwarded = trustProxy > 0 ? chain.at(-trustProxy) : undefined;
  return networkOf(forwarded || (getConnInfo(context).remote.address ?? 'unknown'));
}

/** `203.0.113.7:4711` → `203.0.113.7`, `[2001:db8::7]:4711` → `2001:db8:0:0::/64`; what is no address stays as it is. */
function networkOf(text: string): string {
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1');
  if (isIP(address) !== 6) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  // Written as WHATWG says, with an IPv4 address at the end in groups too; a zone is of this machine only.
  const written = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [left = [], right] = written.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = right === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...(right ?? [])];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
