import { allCurrencies } from '#formats/currency-decimals.ts';
import type { Capabilities } from '#domain/membership/capabilities.ts';
import type { PaymentProvider } from '#domain/membership/payment-provider.ts';
import { openAdoptions } from './adoptions.ts';
import { openCards } from './cards.ts';
import { type StripeConnection, asking, finding, openClient, unlessRefused } from './client.ts';
import { readEvents } from './events.ts';
import { openFacts } from './facts.ts';
import { openPayments } from './payments.ts';
import { openPrices } from './plans.ts';
import { openPromoCodes } from './promo-codes.ts';
import { openSubscriptions } from './subscriptions.ts';
import { openTestClock } from './test-clock.ts';
import { openTotals } from './totals.ts';

/** No real money moves with this key. */
export function isTestKey(apiKey: string): boolean {
  return /^(sk|rk)_test_/.test(apiKey);
}

export const stripeCapabilities: Capabilities = {
  form: 'card',
  trial: true,
  periodChange: true,
  promo: 'provider',
  refund: 'partial',
  cancel: 'api',
  resume: true,
  movesCharge: true,
  cardOnFile: true,
  prepaid: false,
  sellsInOwnName: false,
  taxService: 'Stripe Tax',
  // Stripe counts these in units that differ from ISO 4217, which the amounts here follow.
  currencies: allCurrencies.filter((code) => !['isk', 'mga', 'ugx'].includes(code)),
  oneCurrency: true,
  shortestPeriodDays: 1,
};

/** Stripe or the sandbox: the official SDK sends the same requests to both. */
export function openStripePayments(options: {
  apiKey: string;
  webhookSecret: string;
  /** Connection to the sandbox; absent for Stripe itself. */
  connection?: StripeConnection | undefined;
  /** Operators change it while the site runs. */
  siteName: () => string;
}): PaymentProvider {
  const { apiKey, webhookSecret, connection, siteName } = options;
  const client = openClient(apiKey, connection);
  const isTest = isTestKey(apiKey);
  const prices = openPrices({ client, isTest, productName: siteName });
  const facts = openFacts({ client, prices });
  return {
    name: 'stripe',
    capabilities: stripeCapabilities,
    checkPlans: prices.checkPlans,
    preparePlans: prices.preparePlans,
    async createCustomer({ userId, email }) {
      return (await asking(() => client.customers.create({ metadata: { userId }, email }))).id;
    },
    async changeEmail(customerId, email) {
      // Refused: deleted, or an address that Stripe does not take.
      await asking(() => unlessRefused(client.customers.update(customerId, { email: email ?? '' })));
    },
    async deleteCustomer(customerId) {
      await finding(() => client.customers.del(customerId));
    },
    isTaxReady: async () => (await asking(() => client.tax.settings.retrieve())).status === 'active',
    readCustomer: facts.readCustomer,
    adoptions: openAdoptions({ client, prices }),
    ...openCards({ client, facts }),
    ...openSubscriptions({ client, prices, facts }),
    ...openPromoCodes({ client }),
    ...openPayments({ client, siteName }),
    ...openTotals({ client, prices }),
    readEvents: readEvents(client, webhookSecret),
    received: JSON.stringify({ received: true }),
    ...(isTest ? { testClock: openTestClock({ client }) } : {}),
  };
}
