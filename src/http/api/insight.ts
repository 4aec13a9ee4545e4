import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { DomainError } from '#domain/errors.ts';
import { InsightConsent, InsightReport } from '#domain/insight/forms.ts';
import { limitBody } from '../limit-body.ts';
import type { ViewerEnv } from '../viewer.ts';
import { personal, requireLoggedIn } from '../viewer.ts';
import type { ApiParts } from './api.ts';
import { refuseInvalid } from './invalid.ts';
import { ErrorAnswer, failures, json } from './schemas.ts';

/** A browser sends one batch in 5 s, and one more when it leaves. */
const batchesPerMinute = 60;
const tooMany = () => new DomainError('request/too-many');

/** What happened in the interface, and whether it may be known of whom. */
export function insightRoutes({
  site: { insight },
  rateLimit,
  metrics,
}: Pick<ApiParts, 'site' | 'rateLimit' | 'metrics'>) {
  const app = new OpenAPIHono<ViewerEnv>({ defaultHook: refuseInvalid });
  // A report of that size is no report at all: the same 400 as for any other that cannot be read.
  app.use('/events', limitBody(64 * 1024, 'request/invalid'));
  app.use('/user/insight-consent', personal);
  return app
    .openapi(
      createRoute({
        method: 'post',
        path: '/events',
        tags: ['Insight'],
        summary: 'What happened in the interface; kept without a name unless its listener asked for that',
        description:
          'Nothing is kept where the browser says `Sec-GPC: 1` or `DNT: 1`. More than 60 batches a minute are dropped and counted.',
        request: { body: { required: true, content: { 'application/json': { schema: InsightReport } } } },
        responses: {
          202: json(z.object({ recorded: z.number() }), 'Taken'),
          415: json(ErrorAnswer, 'Not JSON'),
          429: json(ErrorAnswer, 'Too many: they are dropped'),
          400: failures[400],
        },
      }),
      async (context) => {
        const { events } = context.req.valid('json');
        if (context.req.header('sec-gpc') === '1' || context.req.header('dnt') === '1')
          return context.json({ recorded: 0 }, 202);
        if (!rateLimit(context, { perMinute: batchesPerMinute })) {
          metrics.dropEvents(events.length, 'client');
          throw tooMany();
        }
        if (!(await insight.recordEvents(events, context.get('viewer')))) {
          metrics.dropEvents(events.length, 'site');
          throw tooMany();
        }
        return context.json({ recorded: events.length }, 202);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/insight-consent',
        tags: ['Insight'],
        summary: 'Whether the events of this account may carry its id',
        responses: { 200: json(InsightConsent, 'Consent'), 401: json(ErrorAnswer, 'Log in first') },
      }),
      async (context) => context.json({ consent: await insight.findConsent(requireLoggedIn(context).viewer.id) }, 200),
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/user/insight-consent',
        tags: ['Insight'],
        summary: 'Gives that consent, or takes it back; then nothing says any more whose the events were',
        request: { body: { required: true, content: { 'application/json': { schema: InsightConsent } } } },
        responses: {
          200: json(InsightConsent, 'As it is now'),
          401: json(ErrorAnswer, 'Log in first'),
          429: json(ErrorAnswer, 'Too many'),
          400: failures[400],
        },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        if (!rateLimit(context, { perMinute: 20, of: `consent ${viewer.id}` })) throw tooMany();
        const { consent } = context.req.valid('json');
        await insight.setConsent(viewer.id, consent);
        return context.json({ consent }, 200);
      },
    );
}
