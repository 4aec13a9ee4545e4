import type { Logger } from 'pino';
import type { Config } from '#config';
import type { Plan } from '#domain/membership/payment-provider.ts';
import type { Period } from '#domain/membership/rules.ts';
import { openClient } from '#gateways/stripe/client.ts';
import { lookupKeys } from '#gateways/stripe/plans.ts';
import { openStripePayments } from '#gateways/stripe/stripe-payments.ts';
import { openStripeSandbox } from 'stripe-sandbox';
import { deleteObjects } from 'stripe-sandbox/delete-objects';

/** The sandbox with a clock that the demo sets. It sends the site no events of the past. */
export async function openDemoPayments(options: {
  config: Pick<Config, 'siteUrl'>;
  databaseUrl: string;
  log: Logger;
  siteName: () => string;
}) {
  const { config, databaseUrl, log, siteName } = options;
  let time = new Date();
  const sandbox = await openStripeSandbox({
    databaseUrl,
    siteUrl: config.siteUrl,
    log,
    now: () => time,
    enabledEvents: [],
  });
  const { apiKey, webhookSecret, connection } = sandbox;
  const provider = openStripePayments({ apiKey, webhookSecret, connection, siteName });
  const client = openClient(apiKey, connection);
  const prices = new Map<Period, string>();

  async function priceOf(period: Period): Promise<string> {
    const { data } = prices.has(period)
      ? { data: [] }
      : await client.prices.list({ lookup_keys: [lookupKeys[period]], active: true });
    for (const { id } of data) prices.set(period, id);
    const price = prices.get(period);
    if (price === undefined) throw new Error(`the sandbox has no price for each ${period}`);
    return price;
  }

  return {
    provider,
    deletePayments: deleteObjects,
    /** Sets the clock. Due charges are made with the next request. */
    goTo(to: Date): void {
      time = to;
    },
    async subscribe({
      userId,
      plan,
      trialDays,
      hasFailingCard,
      promoCodeId,
    }: {
      userId: string;
      plan: Plan;
      trialDays: number;
      hasFailingCard: boolean;
      promoCodeId: string | undefined;
    }) {
      const price = await priceOf(plan.period);
      const { id: customerId } = await client.customers.create({ metadata: { userId } });
      const { id: subscriptionId } = await client.subscriptions.create({
        customer: customerId,
        items: [{ price }],
        default_payment_method: hasFailingCard ? 'pm_card_chargeCustomerFail' : 'pm_card_visa',
        payment_settings: { save_default_payment_method: 'on_subscription' },
        ...(trialDays > 0 && { trial_period_days: trialDays }),
        ...(promoCodeId !== undefined && { discounts: [{ promotion_code: promoCodeId }] }),
      });
      return { customerId, subscriptionId };
    },
    /** @returns the id of the payment */
    async pay({ amount, currency }: { amount: number; currency: string }): Promise<string> {
      const { paymentId } = await provider.startPayment({
        amount,
        currency,
        description: `${siteName()} gift card`,
        customerId: undefined,
        key: `demo ${time.getTime()}`,
      });
      await client.paymentIntents.confirm(paymentId, {
        payment_method: 'pm_card_visa',
        return_url: `${config.siteUrl}/`,
      });
      return paymentId;
    },
    /** Makes the due charges. */
    settle: () => sandbox.tick(),
    close: () => sandbox.close(),
  };
}
