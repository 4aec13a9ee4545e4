import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import pg from 'pg';
import { migrateSchema } from 'stripe-sandbox/own-schema';
import { createApp } from './app.ts';
import { openBtcpayStandIn } from './btcpay/btcpay.ts';
import { openCcbillStandIn } from './ccbill/ccbill.ts';
import { type Credentials, readCredentials } from './credentials.ts';
import { type Engine, openEngine } from './engine.ts';
import { openDeliveries } from './postbacks/deliveries.ts';
import { type Disorder, readDisorder, writeDisorder } from './postbacks/disorder.ts';
import type { StandIn } from './provider.ts';
import type { Provider, Sale } from './sales/sale.ts';
import type { StandInsLog } from './stand-ins-log.ts';
import { openStore } from './store/store.ts';
import { openVerotelStandIn } from './verotel/verotel.ts';

export { type Disorder, noDisorder } from './postbacks/disorder.ts';
export type { Provider, Sale } from './sales/sale.ts';

export type PaymentStandInsOptions = {
  databaseUrl: string;
  /** The site, for links back to it. */
  siteUrl: string;
  log: StandInsLog;
  /** Addresses of postbacks; `sendPostbacksTo` may set them later. */
  postbackUrls?: Partial<Record<Provider, string>>;
  /** CCBill's own setting of pages to which buyers come back; `%%reference%%` is what the form was given. */
  ccbillUrls?: { approved: string; denied: string };
  /** The site serves `browser`, so that buyers stay on its origin. Otherwise they go to the stand-ins' own port. */
  isMounted?: boolean;
  /** The machine's clock. Each sale may be ahead of it. */
  now?: () => Date;
};

export type PaymentStandIns = {
  credentials: Credentials;
  /** All paths of the three providers, on loopback, for the site's server. */
  url: string;
  /** The same for browsers. */
  publicUrl: string;
  /** Handles `/payment-stand-ins`. */
  browser: Hono;
  sendPostbacksTo(urls: Partial<Record<Provider, string>>): void;
  /** Changes what goes wrong; kept until it is changed again. */
  setDisorder(change: Partial<Disorder>): Promise<void>;
  /** Acts without a page. What they cause is sent before they resolve. */
  sales: {
    find(provider: Provider, reference: string): Promise<Sale | undefined>;
    pay(id: string): Promise<Sale>;
    decline(id: string): Promise<Sale>;
    cancel(id: string): Promise<Sale>;
    uncancel(id: string): Promise<Sale>;
    extend(id: string, days: number): Promise<Sale>;
    /** Default: the newest charge, whole. */
    refund(id: string, part?: { price?: string; chargeId?: string }): Promise<Sale>;
    chargeBack(id: string, part?: { chargeId?: string }): Promise<Sale>;
    /** Declines its card from now on, or takes it again. */
    failCard(id: string, fails: boolean): Promise<Sale>;
    /** Moves the sale's own time. */
    advance(id: string, by: { days?: number; minutes?: number }): Promise<Sale>;
  };
  /** Charges and ends what is due by the machine's clock, then sends due postbacks. */
  tick(): Promise<void>;
  /** Resolves once no postback is being sent. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

const connections = 4;
const mountPath = '/payment-stand-ins';
/** A buyer's page waits no longer for its postback. */
const pageWaitMs = 3000;
const dayMs = 86_400_000;

/** Opens the stand-ins' own schema in the database, and a loopback server with the paths of all three providers. */
export async function openPaymentStandIns(options: PaymentStandInsOptions): Promise<PaymentStandIns> {
  const { siteUrl, log, now = () => new Date(), isMounted = false } = options;
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: connections,
    application_name: 'sotto payment stand-ins',
    connectionTimeoutMillis: 5000,
    idle_in_transaction_session_timeout: 60_000,
  });
  pool.on('error', ({ message }) =>
    log.warn({ message }, 'The stand-ins of payment providers lost an idle connection'),
  );
  // A connection lost within a transaction fails its query; without a listener its event would end the process too.
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    const folder = join(import.meta.dirname, 'store', 'migrations');
    await migrateSchema(pool, { name: 'payment_stand_ins', folder, lock: 7_150_692 });
    const credentials = await readCredentials(pool);
    let disorder = await readDisorder(pool);
    let postbackUrls = options.postbackUrls ?? {};

    const standIns: Record<Provider, StandIn> = {
      verotel: openVerotelStandIn(credentials.verotel),
      ccbill: openCcbillStandIn({
        account: credentials.ccbill,
        approvedUrl: options.ccbillUrls?.approved ?? `${siteUrl}/subscribe/return?reference=%%reference%%`,
        deniedUrl: options.ccbillUrls?.denied ?? `${siteUrl}/subscribe?reference=%%reference%%`,
      }),
      btcpay: openBtcpayStandIn(credentials.btcpay),
    };
    const store = openStore({
      pool,
      now,
      contentOf: (sale, happening) => standIns[sale.provider].contentOf(sale, happening),
      lateMs: () => disorder.lateMs,
    });
    const engine = openEngine({ store, now, off: () => disorder.off });

    async function setDisorder(change: Partial<Disorder>): Promise<void> {
      disorder = { ...disorder, ...change };
      await writeDisorder(pool, disorder);
    }

    const deliveries = openDeliveries({
      pool,
      url: (provider) => postbackUrls[provider],
      messageOf: (provider, content, wrongly) => standIns[provider].messageOf(content, wrongly),
      disorder: () => disorder,
      async loseOne() {
        const isLost = disorder.lose > 0;
        if (isLost) await setDisorder({ lose: disorder.lose - 1 });
        return isLost;
      },
      now,
      log,
    });

    async function afterAct(): Promise<void> {
      if (!disorder.reversed) await deliveries.deliver();
    }
    const then = async (sale: Promise<Sale>) => {
      const changed = await sale;
      await afterAct();
      return changed;
    };

    let publicUrl = `${siteUrl}${mountPath}`;
    const app = {
      engine,
      standIns,
      siteUrl,
      publicUrl: () => publicUrl,
      isOff: (provider: Provider) => disorder.off.includes(provider),
      async afterAct() {
        if (!disorder.returnFirst) await Promise.race([afterAct(), setTimeout(pageWaitMs, undefined, { ref: false })]);
      },
      deliverLater: () =>
        void afterAct().catch((error: unknown) => log.warn({ err: error }, 'Postbacks were not sent')),
      log,
    };
    const server = createServer(getRequestListener(createApp({ ...app, prefix: '' }).fetch));
    const url = await listen(server);
    if (!isMounted) publicUrl = url;

    return {
      credentials,
      url,
      publicUrl,
      browser: createApp({ ...app, prefix: mountPath }),
      sendPostbacksTo(urls) {
        postbackUrls = { ...postbackUrls, ...urls };
      },
      setDisorder,
      sales: salesOf(engine, then),
      async tick() {
        await engine.billDue();
        await deliveries.deliver();
      },
      settled: deliveries.settled,
      async close() {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        server.closeAllConnections();
        await closed;
        await deliveries.stop();
        await pool.end();
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

function salesOf(engine: Engine, then: (sale: Promise<Sale>) => Promise<Sale>): PaymentStandIns['sales'] {
  return {
    find: engine.findByReference,
    pay: (id) => then(engine.pay(id)),
    decline: (id) => then(engine.decline(id)),
    cancel: (id) => then(engine.cancel(id)),
    uncancel: (id) => then(engine.uncancel(id)),
    extend: (id, days) => then(engine.extend(id, days)),
    refund: (id, part = {}) => then(engine.giveBack(id, { kind: 'refunded', ...part })),
    chargeBack: (id, part = {}) => then(engine.giveBack(id, { kind: 'charged-back', ...part })),
    failCard: engine.failCard,
    advance: (id, { days = 0, minutes = 0 }) => then(engine.advance(id, days * dayMs + minutes * 60_000)),
  };
}

async function listen(server: Server): Promise<string> {
  const host = '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port: 0 }, resolve);
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}
