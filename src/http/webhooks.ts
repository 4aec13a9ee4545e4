import { Hono } from 'hono';
import type { Site } from '#domain/site.ts';
import { createCrowdLimit } from './crowd-limit.ts';
import { errorResponse } from './errors.ts';
import type { Failures } from './errors.ts';
import { limitBody } from './limit-body.ts';

export const paymentWebhookPath = '/webhooks/payments';

/** More than any event of Stripe's; an invoice may have many lines. */
const mostBytes = 1024 * 1024;

/**
 * What the payment provider tells. Anyone can post here, so nothing is believed before the signature of the very bytes
 * that came is checked. Whatever goes wrong is answered with a failure: the provider then sends it again.
 * @param options `most` events are settled at once, so that a flood of them leaves the database to listeners
 */
export function webhookRoutes(options: { site: Pick<Site, 'membership'>; failures: Failures; most: number }): Hono {
  const { site, failures } = options;
  const app = new Hono();
  const settling = createCrowdLimit({ most: options.most, patience: 8000 });

  app.post(paymentWebhookPath, limitBody(mostBytes), async (context) => {
    try {
      const event = site.membership.readEvent(await context.req.text(), (name) => context.req.header(name));
      if (event === undefined) return errorResponse('request/invalid', 'The signature does not fit.');
      const status = await settling(() => site.membership.receiveEvent(event));
      return context.json({ received: true, status });
    } catch (error) {
      return failures.answer(error, 'An event of the payment provider failed');
    }
  });
  app.all(paymentWebhookPath, () => errorResponse('request/method-not-allowed', undefined, { allow: 'POST' }));
  return app;
}
