import { join } from 'node:path';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import pg from 'pg';
import type Stripe from 'stripe';
import { openBrowserSide } from './browser/browser-side.ts';
import { paymentMethodEndpoints } from './cards/endpoints.ts';
import { couponEndpoints } from './catalogue/coupons.ts';
import { priceEndpoints } from './catalogue/prices.ts';
import { productEndpoints } from './catalogue/products.ts';
import { promotionCodeEndpoints } from './catalogue/promotion-codes.ts';
import { isAnythingDue, letTimePass } from './clocks/bill.ts';
import { testClockEndpoints } from './clocks/endpoints.ts';
import { customerEndpoints } from './customers/endpoints.ts';
import { openDeliveries } from './events/deliveries.ts';
import { eventEndpoints } from './events/endpoints.ts';
import { type ApiOptions, createApi } from './http/api.ts';
import { forgetOldKeys } from './http/idempotency.ts';
import { invoiceEndpoints } from './invoices/endpoints.ts';
import { disputeEndpoints } from './payments/dispute-endpoints.ts';
import { paymentIntentEndpoints } from './payments/payment-intent-endpoints.ts';
import { refundEndpoints } from './payments/refunds.ts';
import { setupIntentEndpoints } from './payments/setup-intent-endpoints.ts';
import type { SandboxLog } from './sandbox-log.ts';
import { migrateSchema } from './store/migrate.ts';
import { readSandboxKeys } from './store/settings.ts';
import { type EventType, openWork } from './store/work.ts';
import { openWriteQueue } from './store/write-queue.ts';
import { subscriptionEndpoints } from './subscriptions/endpoints.ts';
import { scheduleEndpoints } from './subscriptions/schedules.ts';
import { taxEndpoints } from './tax/endpoints.ts';

export type StripeSandboxOptions = {
  /** The sandbox opens a few connections of its own, since a site that uses all of its pool may be waiting for it. */
  databaseUrl: string;
  /** Webhook URL for events; `sendEventsTo` may set it later. */
  webhookUrl?: string;
  /** Types of the posted events, as of a webhook endpoint at Stripe; default: all. */
  enabledEvents?: readonly EventType[];
  /** Origin whose pages load the script and show the invoices. */
  siteUrl: string;
  log: SandboxLog;
  /** The machine's clock; customers with a test clock use that one instead. */
  now?: () => Date;
  /** For tests: chooses, orders and repeats the due events to post. Dropped events are retried later. */
  planDeliveries?: (due: Stripe.Event[]) => Stripe.Event[];
};

export type StripeSandbox = {
  apiKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** Connection of the SDK: `new Stripe(apiKey, { ...connection })`. The server listens on loopback only. */
  connection: { host: string; port: number; protocol: 'http' };
  /** Handles `/stripe-sandbox`: the script, the calls of browsers, and the invoice pages. */
  browser: Hono;
  browserScript: { src: string; type: 'module' };
  sendEventsTo(url: string): void;
  /** Runs the billing due by the machine's clock, then posts the pending events. */
  tick(): Promise<void>;
  /** Resolves once no event is being posted. */
  settled(): Promise<void>;
  /** Retries failed deliveries at once. */
  retryDeliveries(): Promise<void>;
  close(): Promise<void>;
};

const endpoints = [
  ...paymentMethodEndpoints,
  ...customerEndpoints,
  ...productEndpoints,
  ...priceEndpoints,
  ...couponEndpoints,
  ...promotionCodeEndpoints,
  ...subscriptionEndpoints,
  ...scheduleEndpoints,
  ...invoiceEndpoints,
  ...paymentIntentEndpoints,
  ...setupIntentEndpoints,
  ...refundEndpoints,
  ...disputeEndpoints,
  ...taxEndpoints,
  ...testClockEndpoints,
  ...eventEndpoints,
];

const connections = 4;

/** Opens the sandbox's own schema in the database, and a loopback server for Stripe's SDK. */
export async function openStripeSandbox(options: StripeSandboxOptions): Promise<StripeSandbox> {
  const { siteUrl, log, now = () => new Date() } = options;
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: connections,
    application_name: 'sotto stripe sandbox',
    connectionTimeoutMillis: 5000,
    idle_in_transaction_session_timeout: 60_000,
  });
  pool.on('error', ({ message }) => log.warn({ message }, 'The payment sandbox lost an idle connection'));
  // A connection lost within a transaction fails its query; without a listener its event would end the process too.
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    const folder = join(import.meta.dirname, 'store', 'migrations');
    await migrateSchema(pool, { name: 'stripe_sandbox', folder, lock: 7_150_690 });
    const keys = await readSandboxKeys(pool);
    const writes = openWriteQueue(pool);
    let webhookUrl = options.webhookUrl;
    const deliveries = openDeliveries({
      pool,
      secret: keys.webhookSecret,
      url: () => webhookUrl,
      now,
      log,
      plan: options.planDeliveries ?? ((due) => due),
    });
    const deliverLater = () =>
      void deliveries.deliver().catch((error: unknown) => log.warn({ err: error }, 'Events could not be posted'));

    const enabled = options.enabledEvents === undefined ? undefined : new Set<string>(options.enabledEvents);
    const goesOut = (type: EventType) => enabled === undefined || enabled.has(type);

    const machineWork = (client: pg.Pool | pg.PoolClient) =>
      openWork({
        client,
        machineNow: now,
        request: { id: null, idempotency_key: null },
        hashKey: keys.hashKey,
        siteUrl,
        isBrowser: false,
        goesOut,
      });

    async function billDue(): Promise<void> {
      const until = Math.floor(now().getTime() / 1000);
      if (!(await isAnythingDue(machineWork(pool), null, until))) return;
      await writes.write(async (client) => ({
        result: await letTimePass(machineWork(client), null, until),
        holds: true,
      }));
      deliverLater();
    }

    const api: ApiOptions = {
      endpoints,
      forBrowsers: false,
      pool,
      writes,
      keys,
      now,
      siteUrl,
      goesOut,
      billDue,
      afterWrite: deliverLater,
      onError: (error, where) => log.warn({ err: error, ...where }, 'The payment sandbox failed'),
    };
    const server = createServer(getRequestListener(createApi(api).fetch));
    const connection = await listen(server);
    return {
      apiKey: keys.apiKey,
      publishableKey: keys.publishableKey,
      webhookSecret: keys.webhookSecret,
      connection,
      browser: openBrowserSide({ api: createApi({ ...api, forBrowsers: true }), pool }),
      browserScript: { src: '/stripe-sandbox/v3.js', type: 'module' },
      sendEventsTo(url) {
        webhookUrl = url;
        deliverLater();
      },
      async tick() {
        await billDue();
        await forgetOldKeys(pool, now());
        await deliveries.deliver();
      },
      settled: deliveries.settled,
      async retryDeliveries() {
        await deliveries.hasten();
        await deliveries.deliver();
      },
      async close() {
        await close(server);
        await deliveries.stop();
        await pool.end();
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function listen(server: Server): Promise<StripeSandbox['connection']> {
  const host = '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port: 0 }, resolve);
  });
  return { host, port: (server.address() as AddressInfo).port, protocol: 'http' };
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
