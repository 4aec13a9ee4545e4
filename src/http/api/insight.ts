import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { InsightReport } from '#domain/insight/forms.ts';
import type { Site } from '#domain/site.ts';
import { errorResponse } from '../errors.ts';
import { limitBody } from '../limit-body.ts';
import type { RateLimit } from '../rate-limit.ts';
import { refuseInvalid } from './invalid.ts';
import { ErrorAnswer, failures, json } from './schemas.ts';

export function insightRoutes({ insight }: Site, rateLimit: RateLimit) {
  const app = new OpenAPIHono({ defaultHook: refuseInvalid });
  app.use('/events', limitBody(64 * 1024));
  app.use('/events', async (context, next) => {
    if (context.req.method === 'POST' && !rateLimit(context, { perMinute: 60 }))
      return errorResponse('request/too-many', undefined, { 'retry-after': '60' });
    return next();
  });
  return app.openapi(
    createRoute({
      method: 'post',
      path: '/events',
      tags: ['Insight'],
      summary: 'What happened in the interface; kept without a name',
      request: { body: { required: true, content: { 'application/json': { schema: InsightReport } } } },
      responses: {
        202: json(z.object({ recorded: z.number() }), 'Taken'),
        413: json(ErrorAnswer, 'Too large'),
        415: json(ErrorAnswer, 'Not JSON'),
        429: json(ErrorAnswer, 'Too many'),
        400: failures[400],
      },
    }),
    async (context) => {
      const { events } = context.req.valid('json');
      await insight.recordEvents(events);
      return context.json({ recorded: events.length }, 202);
    },
  );
}
