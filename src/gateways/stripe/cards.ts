import type Stripe from 'stripe';
import type { Cards } from '#domain/membership/payment-provider.ts';
import type { Subscription } from '#domain/membership/shapes.ts';
import { asking, cardsOnly, charging, dateOf, finding, idOf, unlessRefused } from './client.ts';
import type { Facts } from './facts.ts';

const live: Stripe.Subscription.Status[] = ['trialing', 'active', 'past_due', 'unpaid', 'incomplete'];

export function openCards({ client, facts }: { client: Stripe; facts: Facts }): Cards {
  async function nextChargeOf(customerId: string, subscriptionId: string) {
    const preview = await client.invoices
      .createPreview({ customer: customerId, subscription: subscriptionId })
      // Stripe refuses a preview for an ending subscription, which has no next charge.
      .catch((error: { statusCode?: number }) => {
        if (error.statusCode === 400 || error.statusCode === 404) return undefined;
        throw error;
      });
    if (preview === undefined) return undefined;
    const { amount_due: amount, currency, next_payment_attempt, period_end, automatic_tax, total_taxes } = preview;
    const tax = automatic_tax.enabled ? (total_taxes ?? []).reduce((sum, one) => sum + one.amount, 0) : undefined;
    return { tax, nextCharge: { amount, currency, at: dateOf(next_payment_attempt ?? period_end) } };
  }

  return {
    async findCard(cardId) {
      if (!/^pm_\w{1,200}$/.test(cardId)) return undefined;
      const method = await finding(() => client.paymentMethods.retrieve(cardId));
      const fingerprint = method?.card?.fingerprint;
      if (method === undefined || fingerprint === null || fingerprint === undefined) return undefined;
      return { fingerprint, customerId: idOf(method.customer) };
    },

    async startCardSetup(customerId) {
      const setup = await asking(() =>
        client.setupIntents.create({
          customer: customerId,
          usage: 'off_session',
          automatic_payment_methods: cardsOnly,
        }),
      );
      if (setup.client_secret === null) throw new Error('the setup has no client secret');
      return { setupId: setup.id, clientSecret: setup.client_secret };
    },

    async finishCardSetup(customerId, setupId) {
      const unknown = { ok: false, reason: 'payment/unknown-method' } as const;
      if (!/^seti_\w{1,200}$/.test(setupId)) return unknown;
      const setup = await finding(() => client.setupIntents.retrieve(setupId, { expand: ['payment_method'] }));
      const card = setup?.payment_method;
      if (setup?.status !== 'succeeded' || idOf(setup.customer) !== customerId) return unknown;
      // The card was detached by a later change of card.
      if (card === null || typeof card !== 'object' || idOf(card.customer) !== customerId) return unknown;
      const cardId = card.id;
      await asking(async () => {
        await client.customers.update(customerId, { invoice_settings: { default_payment_method: cardId } });
        const { data } = await client.subscriptions.list({ customer: customerId, status: 'all', limit: 100 });
        for (const { id, status } of data)
          if (live.includes(status)) await client.subscriptions.update(id, { default_payment_method: cardId });
        const { data: cards } = await client.paymentMethods.list({ customer: customerId, type: 'card', limit: 100 });
        for (const { id } of cards) if (id !== cardId) await client.paymentMethods.detach(id);
      });
      return { ok: true };
    },

    async voidInvoice(invoiceId) {
      // Refused: paid or voided meanwhile.
      await asking(() => unlessRefused(client.invoices.voidInvoice(invoiceId)));
    },

    async payOpenInvoice(customerId) {
      const { data } = await asking(() => client.invoices.list({ customer: customerId, status: 'open', limit: 100 }));
      const oldest = data.at(-1);
      if (oldest === undefined) return { ok: true, action: undefined };
      const paid = await charging(() => client.invoices.pay(oldest.id, { off_session: false }));
      const invoice = await asking(() => client.invoices.retrieve(oldest.id, { expand: ['confirmation_secret'] }));
      if (invoice.status === 'paid') return { ok: true, action: undefined };
      const action = await facts.actionOfInvoice(invoice);
      if (action !== undefined) return { ok: true, action };
      return 'ok' in paid ? paid : { ok: false, reason: 'payment/card-declined' };
    },

    async readUpcoming(customerId, subscriptionId) {
      return asking(async () => {
        const [customer, subscription, next] = await Promise.all([
          client.customers.retrieve(customerId, { expand: ['invoice_settings.default_payment_method'] }),
          subscriptionId === undefined
            ? undefined
            : client.subscriptions.retrieve(subscriptionId, { expand: ['default_payment_method'] }),
          subscriptionId === undefined ? undefined : nextChargeOf(customerId, subscriptionId),
        ]);
        const fallback = customer.deleted ? null : customer.invoice_settings.default_payment_method;
        const card = cardOf(subscription?.default_payment_method ?? fallback);
        return { card, nextCharge: next?.nextCharge, tax: next?.tax };
      });
    },
  };
}

function cardOf(method: string | Stripe.PaymentMethod | null): NonNullable<Subscription['card']> | undefined {
  const card = method === null || typeof method === 'string' ? undefined : method.card;
  if (card === undefined) return undefined;
  return { brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year };
}
