import { afterAll } from 'vitest';
import { createSession, createUser } from '../factories.ts';
import { type StripeHarness, stripeHarness, withSiteSettled } from './payment-harness.ts';
import { startTestSite } from '../site.ts';

/** The API over HTTP with the payment sandbox, and listeners who call it. */
export async function startPayingApi() {
  let harness: StripeHarness | undefined;
  const started = await startTestSite(
    {},
    {
      async openPayments(database) {
        harness = await stripeHarness(database.url);
        return harness.provider;
      },
    },
  );
  if (harness === undefined) throw new Error('the sandbox is not open');
  const sandbox = withSiteSettled(harness.sandbox, started.eventsSettled);
  afterAll(() => sandbox.close());
  const { url, site, db } = started;
  await site.membership.checkPlans();
  sandbox.sendEventsTo(`${url}/webhooks/payments`);

  async function call(method: string, path: string, { token, body }: { token?: string; body?: unknown } = {}) {
    const response = await fetch(`${url}/v1/api${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // oxlint-disable-next-line typescript/no-explicit-any -- each test knows its answer
    return { status: response.status, body: (await response.json()) as any };
  }

  let count = 0;
  /** A user with a session, created without hashing a password, which is slow. */
  async function register() {
    const email = `member-${(count += 1)}@example.org`;
    const { id } = await createUser(db, { email });
    return { id, email, token: (await createSession(db, id)).token };
  }

  const subscribe = (token: string, body: object) => call('POST', '/stripe/create-subscription', { token, body });
  return { ...started, ...harness, sandbox, call, register, subscribe };
}
