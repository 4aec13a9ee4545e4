import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { afterAll } from 'vitest';
import type { StripeSandbox, StripeSandboxOptions } from '../../src/stripe-sandbox/stripe-sandbox.ts';
import { openStripeSandbox } from '../../src/stripe-sandbox/stripe-sandbox.ts';
import { createTestDatabase } from './database.ts';

export type TestSandbox = {
  sandbox: StripeSandbox;
  /** The official SDK, over HTTP. */
  stripe: Stripe;
  /** What arrived, in the order of its arrival; the SDK has verified the signature of each. */
  events: Stripe.Event[];
  /** What was answered to the next deliveries instead of 200. */
  answers: number[];
  logged: string[];
  pool: Awaited<ReturnType<typeof createTestDatabase>>['pool'];
  databaseUrl: string;
};

/** A sandbox in a database of its own, a site that takes its webhooks, and the SDK that talks to it. */
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
