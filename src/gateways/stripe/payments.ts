import type Stripe from 'stripe';
import type { SinglePayments } from '#domain/membership/payment-provider.ts';
import { asking, cardsOnly, finding, idOf, isRefused, unlessRefused } from './client.ts';
import { statementDescriptor } from './plans.ts';

/** Marks payments of this site that have no customer. */
export const singlePayment = { sotto: 'single-payment' } as const;

const isKept = ({ status }: Stripe.Refund) => status !== 'failed' && status !== 'canceled';

export function openPayments({ client, siteName }: { client: Stripe; siteName: () => string }): SinglePayments {
  /** A won dispute leaves the charge disputed. */
  async function takenBack(charge: Stripe.Charge | undefined, payment_intent: string) {
    if (charge?.refunded === true) return 'refunded';
    if (charge?.disputed !== true) return 'paid';
    const { data } = await asking(() => client.disputes.list({ payment_intent, limit: 100 }));
    return data.some(({ status }) => status === 'lost') ? 'refunded' : 'disputed';
  }

  return {
    async startPayment({ amount, currency, description, customerId, key }) {
      const intent = await asking(() =>
        client.paymentIntents.create(
          {
            amount,
            currency,
            description,
            metadata: singlePayment,
            automatic_payment_methods: cardsOnly,
            statement_descriptor_suffix: statementDescriptor(siteName()).slice(0, 18),
            customer: customerId,
          },
          { idempotencyKey: key },
        ),
      );
      if (intent.client_secret === null) throw new Error('the payment has no client secret');
      return { paymentId: intent.id, clientSecret: intent.client_secret };
    },

    async findPayment(paymentId) {
      const intent = await finding(() => client.paymentIntents.retrieve(paymentId, { expand: ['latest_charge'] }));
      if (intent === undefined) return undefined;
      const charge = intent.latest_charge;
      const paid = charge !== null && typeof charge !== 'string' ? charge : undefined;
      const isPaid = intent.status === 'succeeded';
      return {
        status: isPaid ? await takenBack(paid, paymentId) : 'waiting',
        customerId: idOf(intent.customer),
        amount: intent.amount_received,
        refunded: paid?.amount_refunded ?? 0,
      };
    },

    async cancelPayment(paymentId) {
      const left = await finding(() =>
        client.paymentIntents.cancel(paymentId).catch((error: unknown) => {
          if (isRefused(error) && error.code === 'payment_intent_unexpected_state')
            return client.paymentIntents.retrieve(paymentId);
          throw error;
        }),
      );
      return left?.status !== 'succeeded' && left?.status !== 'processing';
    },

    async refundPayment(paymentId) {
      const { data } = await asking(() => client.refunds.list({ payment_intent: paymentId, limit: 100 }));
      // Without an amount, Stripe refunds what is left.
      await asking(() =>
        client.refunds
          .create({ payment_intent: paymentId }, { idempotencyKey: `refund ${paymentId} ${data.length}` })
          .catch((error: unknown) => {
            if (isRefused(error) && /^charge_(already_refunded|disputed)$/.test(error.code ?? '')) return;
            throw error;
          }),
      );
    },

    async refundInvoice({ invoiceId, amount, key }) {
      const invoice = await asking(() => client.invoices.retrieve(invoiceId, { expand: ['payments'] }));
      const paid = invoice.payments?.data.find(({ status }) => status === 'paid');
      const intent = idOf(paid?.payment.payment_intent);
      if (intent === undefined) return { ok: false };
      const list = async () => {
        const { data } = await asking(() => client.refunds.list({ payment_intent: intent, limit: 100 }));
        return data.filter(isKept);
      };
      const sumOf = (refunds: Stripe.Refund[]) => refunds.reduce((sum, refund) => sum + refund.amount, 0);
      const before = await list();
      // Stripe forgets idempotency keys after a day; the metadata stay.
      if (before.some(({ metadata }) => metadata?.key === key)) return { ok: true, refunded: sumOf(before) };
      const order = { payment_intent: intent, amount, metadata: { key } };
      const made = await asking(() => unlessRefused(client.refunds.create(order, { idempotencyKey: `refund ${key}` })));
      return made !== undefined && isKept(made) ? { ok: true, refunded: sumOf(await list()) } : { ok: false };
    },
  };
}
