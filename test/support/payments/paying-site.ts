import type { Locator, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { writeCustomer } from '#domain/membership/customers.ts';
import { paymentWebhookPath } from '#http/webhooks.ts';
import { testCards } from 'stripe-sandbox/test-cards';
import { type Member, newPerson } from '../accounts.ts';
import { createUser } from '../factories.ts';
import { type StripeHarness, stripeHarness, withSiteSettled } from './payment-harness.ts';
import { startWholeSite } from '../whole-site.ts';

export type PayingSite = Awaited<ReturnType<typeof startPayingSite>>;

/** The whole site with the payment sandbox, which sends signed events over HTTP like Stripe. */
export async function startPayingSite(settings: Record<string, string> = {}) {
  let harness: StripeHarness | undefined;
  const opened = () => {
    if (harness === undefined) throw new Error('The sandbox is not open');
    return harness;
  };
  const whole = await startWholeSite(settings, {
    async openPayments({ url }) {
      harness = await stripeHarness(url);
      afterAll(() => harness?.sandbox.close());
      return harness.provider;
    },
    paymentPage() {
      const { publishableKey, browserScript, browser } = opened().sandbox;
      return {
        browser: { form: 'card', provider: 'stripe', publishableKey, scriptSrc: browserScript.src, isSandbox: true },
        testCards: testCards.map(({ number, outcome }) => ({ number, outcome })),
        routes: browser,
      };
    },
  });
  const { sandbox: opener, provider, stripe, newCard } = opened();
  const sandbox = withSiteSettled(opener, whole.eventsSettled);
  await whole.site.membership.checkPlans();
  sandbox.sendEventsTo(`${whole.url}${paymentWebhookPath}`);
  return { ...whole, sandbox, provider, stripe, newCard };
}

/** Gives a user their own test clock at the provider from that day. @returns advances it by a number of days */
export async function ownTime(
  { provider, db, sandbox }: Pick<PayingSite, 'provider' | 'db' | 'sandbox'>,
  { id, email }: Pick<Member, 'id' | 'email'>,
  startsAt: Date,
): Promise<(days: number) => Promise<void>> {
  const { testClock } = provider;
  if (testClock === undefined) throw new Error('Its time cannot be moved');
  const customerId = await testClock.createCustomer({ userId: id, email, startsAt });
  await writeCustomer(db, id, customerId);
  return async (days) => {
    await testClock.advance(customerId, new Date(startsAt.getTime() + days * 24 * 60 * 60 * 1000));
    await sandbox.settled();
  };
}

/** A user without a password, because hashing is slow. */
export async function memberOf({ db }: Pick<PayingSite, 'db'>): Promise<Member> {
  const person = newPerson();
  const { id } = await createUser(db, { username: person.username, email: person.email });
  return { ...person, id };
}

/** Subscribes by a call, for tests of later steps. */
export async function subscribed(
  { site, newCard, sandbox }: Pick<PayingSite, 'site' | 'newCard' | 'sandbox'>,
  { id }: Pick<Member, 'id'>,
  {
    period = 'month',
    card = 'good',
  }: { period?: 'month' | 'year'; card?: Parameters<StripeHarness['newCard']>[0] } = {},
): Promise<void> {
  const order = { paymentMethodId: await newCard(card), period, promoCode: undefined, withoutTrial: true };
  const outcome = await site.membership.createSubscription(id, order);
  if (!outcome.ok) throw new Error(outcome.reason);
  await sandbox.settled();
}

const names = {
  number: 'Credit or debit card number',
  expiry: 'Credit or debit card expiration date',
  cvc: 'Credit or debit card CVC/CVV',
};

export function cardField(within: Page | Locator, name: keyof typeof names): Locator {
  return within.getByRole('textbox', { name: names[name], exact: true });
}

/** Replaces the card in the fields. */
export async function typeCard(within: Page | Locator, number: string, expiry = '12/40', cvc = '123'): Promise<void> {
  // Cleared first: the provider's fields report only changes between complete and incomplete.
  await cardField(within, 'number').fill('');
  await cardField(within, 'number').fill(number);
  await cardField(within, 'expiry').fill(expiry);
  await cardField(within, 'cvc').fill(cvc);
}

export function bankOf(page: Page): Locator {
  return page.getByRole('dialog', { name: '3D Secure 2 Test Page' });
}
