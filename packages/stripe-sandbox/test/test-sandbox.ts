import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { afterAll } from 'vitest';
import { type StripeSandbox, type StripeSandboxOptions, openStripeSandbox } from '../src/stripe-sandbox.ts';
import { createTestDatabase } from './test-database.ts';

export type TestSandbox = {
  sandbox: StripeSandbox;
  /** The official SDK, over HTTP. */
  stripe: Stripe;
  /** Received events in order of arrival; the SDK has verified each signature. */
  events: Stripe.Event[];
  /** Status codes for the next deliveries instead of 200. */
  answers: number[];
  logged: string[];
  pool: Awaited<ReturnType<typeof createTestDatabase>>['pool'];
  databaseUrl: string;
};

/** A sandbox with its own database, a site that receives its webhooks, and the SDK. */
export async function createTestSandbox(options: Partial<StripeSandboxOptions> = {}): Promise<TestSandbox> {
  const { url: databaseUrl, pool } = await createTestDatabase();
  const events: Stripe.Event[] = [];
  const answers: number[] = [];
  const logged: string[] = [];
  const log = (facts: object, message: string) => void logged.push(`${message} ${JSON.stringify(facts)}`);
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const status = answers.shift() ?? 200;
    const signature = String(request.headers['stripe-signature']);
    if (status === 200)
      events.push(stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, sandbox.webhookSecret));
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  const { port } = receiver.address() as AddressInfo;
  const sandbox = await openStripeSandbox({
    databaseUrl,
    siteUrl: 'https://sotto.example',
    webhookUrl: `http://127.0.0.1:${port}/webhook`,
    log: { info: log, warn: log },
    ...options,
  });
  const stripe = new Stripe(sandbox.apiKey, { ...sandbox.connection, telemetry: false, maxNetworkRetries: 2 });
  afterAll(async () => {
    await sandbox.close();
    receiver.closeAllConnections();
    await new Promise((resolve) => {
      receiver.close(resolve);
    });
  });
  return { sandbox, stripe, events, answers, logged, pool, databaseUrl };
}

export const day = 86_400;
/** 15 January 2027, 12:00 UTC: start of the test clocks. */
export const start = Date.UTC(2027, 0, 15, 12) / 1000;

export async function createPlans(stripe: Stripe) {
  const product = await stripe.products.create({ name: 'Sotto' });
  const price = (interval: 'month' | 'year', unit_amount: number) =>
    stripe.prices.create({ product: product.id, currency: 'usd', unit_amount, recurring: { interval } });
  return { product, month: await price('month', 799), year: await price('year', 5988) };
}

/** A customer with an own test clock; the default card can be charged. */
export async function createTestCustomer(stripe: Stripe, { card = '4242424242424242' }: { card?: string } = {}) {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start });
  const customer = await stripe.customers.create({ email: 'ada@example.org', test_clock: clock.id });
  const method = await attachCard(stripe, customer.id, card);
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
  return {
    customer: customer.id,
    method: method.id,
    clock: clock.id,
    /** Advances the clock to this many days after the start. */
    until: (days: number) =>
      stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + Math.round(days * day) }),
  };
}

export function createCard(stripe: Stripe, number: string): Promise<Stripe.PaymentMethod> {
  const cvc = number.startsWith('37') ? '1234' : '123';
  return stripe.paymentMethods.create({ type: 'card', card: { number, exp_month: 12, exp_year: 2040, cvc } });
}

export async function attachCard(stripe: Stripe, customer: string, number: string): Promise<Stripe.PaymentMethod> {
  const method = await createCard(stripe, number);
  return stripe.paymentMethods.attach(method.id, { customer });
}

/** Answers the bank's dialog as the customer. */
export async function answerBank(stripe: Stripe, source: string, outcome: 'complete' | 'fail'): Promise<void> {
  await stripe.rawRequest('POST', '/v1/3ds2/authenticate', { source, outcome });
}

/** The error that a call rejects with. */
export async function failureOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Stripe.errors.StripeError)) throw new Error('The call did not fail as Stripe fails');
  return error;
}
