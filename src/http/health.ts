import { createHash, timingSafeEqual } from 'node:crypto';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import ipaddr from 'ipaddr.js';
import { chooseCoding, encodeOnceOnly } from './compression.ts';
import { type Failures, errorResponse } from './errors.ts';
import type { Metrics } from './metrics.ts';

/** Every proxied request has at least one of these. */
const proxyHeaders = ['x-forwarded-for', 'x-real-ip', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'via'];

export type HealthParts = {
  /** Rejects when the database is unreachable or unsuitable for the site. */
  checkReady: () => Promise<void>;
  /** Why a load balancer should send no requests to this process, although the database answers. */
  findObstacle?: (() => string | undefined) | undefined;
  /** Allowed besides this machine: direct connections from these networks, and requests with the token. */
  metricsReaders: { networks: string[]; token: string | undefined };
  failures: Failures;
  metrics: Metrics;
};

/** `/healthz`: the process answers. `/readyz`: it can serve, and so can the database. `/metrics`: for Prometheus. */
export function healthRoutes({ checkReady, findObstacle, metricsReaders, failures, metrics }: HealthParts): Hono {
  const app = new Hono();
  const mayRead = metricsAccess(metricsReaders);
  app.get('/healthz', () => plain('ok'));
  app.get('/readyz', async () => {
    const obstacle = findObstacle?.();
    if (obstacle !== undefined) return errorResponse('server/unavailable', obstacle);
    try {
      await checkReady();
      return plain('ready');
    } catch (error) {
      failures.report(error, 'The database cannot be asked whether it is ready');
      return errorResponse('server/unavailable');
    }
  });
  app.get('/metrics', async (context) => {
    if (!mayRead(context)) return errorResponse('request/not-found');
    const body = new TextEncoder().encode(await metrics.text());
    const coding = chooseCoding(context.req.header('accept-encoding'), body.byteLength);
    return new Response(coding === undefined ? body : await encodeOnceOnly(body, coding), {
      headers: {
        'content-type': metrics.contentType,
        'cache-control': 'no-store',
        vary: 'Accept-Encoding',
        ...(coding !== undefined && { 'content-encoding': coding }),
      },
    });
  });
  return app;
}

function metricsAccess({ networks, token }: HealthParts['metricsReaders']): (context: Context) => boolean {
  const ranges = ['127.0.0.0/8', '::1/128', ...networks].map(parseNetwork);
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`);
  return (context) => {
    // Hashes have equal lengths, so the comparison takes the same time for every guess.
    const sentDigest = digest(context.req.header('authorization') ?? '');
    if (expected !== undefined && timingSafeEqual(sentDigest, expected)) return true;
    // Behind a proxy every request comes from the proxy, so refuse forwarded ones.
    if (proxyHeaders.some((name) => context.req.header(name) !== undefined)) return false;
    const remote = getConnInfo(context).remote.address?.replace(/%.*$/, '');
    if (remote === undefined) return false;
    const address = ipaddr.process(remote);
    return ranges.some((range) => address.kind() === range[0].kind() && address.match(range));
  };
}

function parseNetwork(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function plain(text: string): Response {
  return new Response(`${text}\n`, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}
