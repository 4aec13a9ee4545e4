import { z } from '@hono/zod-openapi';
import { AnalyticsConsent, AnalyticsReport } from '#domain/analytics/forms.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { call, userCall } from './call.ts';

/** A browser sends one batch every 5 s, and one more on leaving. */
const batchesPerMinute = 60;

export const recordEvents = call({
  post: '/events',
  about: 'Interface events; stored anonymously unless the listener consented otherwise',
  details:
    'Nothing is kept where the browser says `Sec-GPC: 1` or `DNT: 1`. More than 60 batches a minute are dropped and counted.',
  input: AnalyticsReport,
  output: z.object({ recorded: z.number() }),
  status: 202,
  errors: ['request/too-many'],
  place: 'none',
  maxBytes: 64 * 1024,
  // A 400, like every other invalid report.
  tooLarge: 'request/invalid',
  async act({ site, viewer, input: { events }, context, parts: { metrics, rateLimit } }) {
    if (context.req.header('sec-gpc') === '1' || context.req.header('dnt') === '1') return { recorded: 0 };
    if (!rateLimit(context, { perMinute: batchesPerMinute })) {
      metrics.dropEvents(events.length, 'client');
      throw new DomainError('request/too-many');
    }
    if (!(await site.analytics.recordEvents(events, viewer))) {
      metrics.dropEvents(events.length, 'site');
      throw new DomainError('request/too-many');
    }
    return { recorded: events.length };
  },
});

export const findConsent = userCall({
  get: '/user/analytics-consent',
  about: 'Whether the events of this account may carry its id',
  output: AnalyticsConsent,
  act: async ({ site, viewer }) => ({ consent: await site.analytics.findConsent(viewer.id) }),
});

export const setConsent = userCall({
  put: '/user/analytics-consent',
  about: 'Gives or withdraws that consent; withdrawing anonymizes the stored events',
  input: AnalyticsConsent,
  output: AnalyticsConsent,
  limit: { kind: 'consent', perMinute: 20 },
  async act({ site, viewer, input: { consent } }) {
    await site.analytics.setConsent(viewer.id, consent);
    return { consent };
  },
});
