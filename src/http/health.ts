import { Hono } from 'hono';
import { getConnInfo } from '@hono/node-server/conninfo';
import { errorResponse } from './errors.ts';
import type { Failures } from './errors.ts';
import type { Metrics } from './metrics.ts';

/** Every proxied request has at least one of these. */
const proxyHeaders = ['x-forwarded-for', 'x-real-ip', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'via'];

export type HealthParts = {
  /** Rejects when the database is unreachable or unsuitable for the site. */
  checkReady: () => Promise<void>;
  failures: Failures;
  metrics: Metrics;
};

/** `/healthz`: the process answers. `/readyz`: the database answers too. `/metrics`: for Prometheus on this machine. */
export function healthRoutes({ checkReady, failures, metrics }: HealthParts): Hono {
  const app = new Hono();
  app.get('/healthz', () => plain('ok'));
  app.get('/readyz', async () => {
    try {
      await checkReady();
      return plain('ready');
    } catch (error) {
      failures.report(error, 'The database cannot be asked whether it is ready');
      return errorResponse('server/unavailable');
    }
  });
  app.get('/metrics', async (context) => {
    // Behind a proxy every request comes from loopback, so refuse forwarded ones too.
    const forwarded = proxyHeaders.some((name) => context.req.header(name) !== undefined);
    const address = getConnInfo(context).remote.address ?? '';
    if (forwarded || !/^(127\.|::1$|::ffff:127\.)/.test(address)) return errorResponse('request/not-found');
    return new Response(await metrics.text(), {
      headers: { 'content-type': metrics.contentType, 'cache-control': 'no-store' },
    });
  });
  return app;
}

function plain(text: string): Response {
  return new Response(`${text}\n`, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}
