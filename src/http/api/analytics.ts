import { OpenAPIHono } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import * as contract from './analytics-contract.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';

/** A browser sends one batch every 5 s, and one more on leaving. */
const batchesPerMinute = 60;

/** Interface events, and the user's consent to link them to the account. */
export function analyticsRoutes({ site: { analytics }, metrics }: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.recordEvents, async (context) => {
      const { events } = context.req.valid('json');
      if (context.req.header('sec-gpc') === '1' || context.req.header('dnt') === '1')
        return context.json({ recorded: 0 }, 202);
      if (!context.get('rateLimit')(context, { perMinute: batchesPerMinute })) {
        metrics.dropEvents(events.length, 'client');
        throw new DomainError('request/too-many');
      }
      if (!(await analytics.recordEvents(events, context.get('viewer')))) {
        metrics.dropEvents(events.length, 'site');
        throw new DomainError('request/too-many');
      }
      return context.json({ recorded: events.length }, 202);
    })
    .openapi(contract.findConsent, async (context) =>
      context.json({ consent: await analytics.findConsent(context.get('loggedIn').viewer.id) }, 200),
    )
    .openapi(contract.setConsent, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { consent } = context.req.valid('json');
      await analytics.setConsent(viewer.id, consent);
      return context.json({ consent }, 200);
    });
}
