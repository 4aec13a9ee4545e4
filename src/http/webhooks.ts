import { Hono } from 'hono';
import type { Site } from '#domain/site.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { errorResponse } from './errors.ts';
import type { Failures } from './errors.ts';
import { limitBody } from './limit-body.ts';

export const paymentWebhookPath = '/webhooks/payments';

/** More than any Stripe event; an invoice may have many lines. */
const mostBytes = 1024 * 1024;

/**
 * Webhook of the payment provider. Anyone can post here, so the signature of the exact bytes is checked first. Every
 * failure answers an error, and the provider then sends the event again.
 * @param options `most` limits the events processed at once, to keep the database free for listeners
 */
export function webhookRoutes(options: { site: Pick<Site, 'membership'>; failures: Failures; most: number }): Hono {
  const { site, failures } = options;
  const app = new Hono();
  const settling = createConcurrencyLimit({ most: options.most, patience: 8000 });

  app.post(paymentWebhookPath, limitBody(mostBytes), async (context) => {
    try {
      const event = site.membership.readEvent(await context.req.text(), (name) => context.req.header(name));
      if (event === undefined) return errorResponse('request/invalid', 'The signature does not fit.');
      const status = await settling(() => site.membership.receiveEvent(event));
      return context.json({ received: true, status });
    } catch (error) {
      return failures.respond(error, 'An event of the payment provider failed');
    }
  });
  app.all(paymentWebhookPath, () => errorResponse('request/method-not-allowed', undefined, { allow: 'POST' }));
  return app;
}
