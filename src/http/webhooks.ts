import { setTimeout as wait } from 'node:timers/promises';
import { type Context, type Handler, Hono } from 'hono';
import type { Logger } from 'pino';
import { type ProviderName, providerNames } from '#domain/membership/capabilities.ts';
import type { PaymentEvent } from '#domain/membership/payment-provider.ts';
import type { Site } from '#domain/site.ts';
import { createConcurrencyLimit } from './limits/concurrency-limit.ts';
import { type Failures, errorResponse } from './errors.ts';
import { limitBody } from './limits/limit-body.ts';

export const paymentWebhookPath = '/webhooks/payments';

/** Address at which a provider tells what happened. */
export function webhookPathOf(name: ProviderName): string {
  return name === 'stripe' ? paymentWebhookPath : `${paymentWebhookPath}/${name}`;
}

/** More than any Stripe event; an invoice may have many lines. */
const maxBytes = 1024 * 1024;

/** Delay of processing during a burst. */
const maxWaitMs = 300;

export type PaymentEventIntake = ReturnType<typeof openPaymentEventIntake>;

/**
 * Stores events and settles them at once in this process, because a page may wait for them. A job settles failed
 * events, and those of dead processes (`src/jobs/site-jobs.ts`).
 * @param options `max` limits the customers settled at once, to keep the database free for listeners
 */
export function openPaymentEventIntake(options: {
  membership: Pick<Site['membership'], 'storeEvent' | 'settleEvent'>;
  log: Pick<Logger, 'warn'>;
  max: number;
}) {
  const { membership, log, max } = options;
  // Nobody waits for it, so a longer queue is left to the job.
  const limit = createConcurrencyLimit({ max, patience: 60_000 });
  let storing = 0;
  /** Customers whose events are being settled, with events that arrived meanwhile. */
  const running = new Map<string, Set<string>>();
  const works = new Set<Promise<void>>();

  async function settleAll(subject: string, waiting: Set<string>): Promise<void> {
    running.set(subject, waiting);
    try {
      while (waiting.size > 0) {
        const ids = [...waiting];
        waiting.clear();
        await limit(async () => {
          await whileStoring();
          // The first run also settles the others, if they were stored by then.
          for (const id of ids) await membership.settleEvent(id);
        });
      }
    } catch (error) {
      log.warn({ err: error }, 'An event of the payment provider failed; a job tries it again');
    } finally {
      running.delete(subject);
    }
  }

  /** Events of a burst are answered before the first is settled. */
  async function whileStoring(): Promise<void> {
    for (let waited = 0; storing > 0 && waited < maxWaitMs; waited += 10) await wait(10);
  }

  async function store(event: PaymentEvent): Promise<{ isSettled: boolean }> {
    storing += 1;
    try {
      return await membership.storeEvent(event);
    } finally {
      storing -= 1;
    }
  }

  return {
    /** Resolves when the event is stored; it is processed in the background. */
    async take(event: PaymentEvent): Promise<void> {
      const { isSettled } = await store(event);
      if (isSettled) return;
      const subject = event.customerId ?? event.paymentId ?? event.id;
      const waiting = running.get(subject);
      if (waiting !== undefined) {
        waiting.add(event.id);
        return;
      }
      const work = settleAll(subject, new Set([event.id])).finally(() => works.delete(work));
      works.add(work);
    },
    /** Resolves when this process handles no events. */
    async settled(): Promise<void> {
      while (works.size > 0) await Promise.all(works);
    },
  };
}

/**
 * Webhook of the payment provider. Anyone can post here, so the signature of the exact bytes is checked first. The
 * answer is sent as soon as the event is stored; a failure before that answers an error, and the provider sends again.
 */
export function webhookRoutes(options: {
  site: { membership: Pick<Site['membership'], 'readEvents' | 'receivedBy'> };
  intake: PaymentEventIntake;
  failures: Failures;
  /** The sender, as trusted proxies tell it. */
  addressOf?: (context: Context) => string | undefined;
}): Hono {
  const { site, intake, failures } = options;
  const app = new Hono();

  for (const name of providerNames) {
    const path = webhookPathOf(name);
    const take: Handler = async (context) => {
      try {
        const events = await site.membership.readEvents(name, {
          method: context.req.method,
          query: new URL(context.req.url).search.slice(1),
          body: await context.req.text(),
          header: (header) => context.req.header(header),
          address: options.addressOf?.(context),
        });
        if (events === undefined) return errorResponse('request/invalid', 'The signature does not fit.');
        for (const event of events) await intake.take(event);
        const body = site.membership.receivedBy(name);
        return context.body(body, 200, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/plain' });
      } catch (error) {
        return failures.respond(error, 'An event of the payment provider failed');
      }
    };
    app.post(path, limitBody(maxBytes), take);
    if (name === 'stripe') {
      app.all(path, () => errorResponse('request/method-not-allowed', undefined, { allow: 'POST' }));
      continue;
    }
    app.get(path, take);
    app.all(path, () => errorResponse('request/method-not-allowed', undefined, { allow: 'GET, POST' }));
  }
  return app;
}
