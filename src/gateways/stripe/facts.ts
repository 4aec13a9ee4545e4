import type Stripe from 'stripe';
import type { CustomerFacts, InvoiceFacts, SubscriptionFacts } from '#domain/membership/payment-provider.ts';
import type { ChargedTax, SubscriptionStatus } from '#domain/membership/tables.ts';
import type { Action, Discount, Invoice } from '#domain/membership/shapes.ts';
import type { Period } from '#domain/membership/rules.ts';
import { asking, dateOf, finding, idOf, maybeDateOf } from './client.ts';
import { amountOffIn } from './coupons.ts';
import { promoCodeOf } from './move-discount.ts';
import type { Prices } from './plans.ts';

/** Expanded with a subscription, so that one request is enough. */
const parts = [
  'latest_invoice.confirmation_secret',
  'pending_setup_intent',
  'schedule',
  'discounts.source.coupon',
  'discounts.promotion_code',
  'default_payment_method',
];

/** Metadata: the key of the last move of the next charge. */
export const movedBy = 'moved_by';

/** Marks subscriptions that were cancelled before their confirmation; they are not reported to anyone. */
export const abandoned = { abandoned: 'true' } as const;

export type Facts = ReturnType<typeof openFacts>;

export function openFacts({ client, prices }: { client: Stripe; prices: Prices }) {
  async function readSubscription(subscriptionId: string): Promise<Stripe.Subscription> {
    return asking(() => client.subscriptions.retrieve(subscriptionId, { expand: parts }));
  }

  /** @returns undefined for a subscription to another product, or one that was never confirmed */
  async function toFacts(subscription: Stripe.Subscription): Promise<SubscriptionFacts | undefined> {
    const [item] = subscription.items.data;
    const period = await prices.periodOfSubscription(subscription);
    if (item === undefined || period === undefined || neverWas(subscription)) return undefined;
    const periodEndsAt = dateOf(item.current_period_end);
    const { currency } = subscription;
    return {
      id: subscription.id,
      status: statusOf(subscription),
      plan: { period, amount: await prices.amountOf(item.price, currency), currency },
      cardId: idOf(subscription.default_payment_method),
      cardExpires: lastMonthOf(subscription.default_payment_method),
      startedAt: dateOf(subscription.start_date),
      trialEndsAt: maybeDateOf(subscription.trial_end),
      periodEndsAt,
      endsAt: maybeDateOf(subscription.ended_at) ?? plannedEnd(subscription, periodEndsAt),
      nextPeriod: await nextPeriodOf(subscription, period),
      discount: await discountOf(client, subscription),
      action: await actionOf(subscription),
      movedBy: subscription.metadata[movedBy],
    };
  }

  /** The period of a schedule's next phase, when it has another price. */
  async function nextPeriodOf({ schedule }: Stripe.Subscription, period: Period): Promise<Period | undefined> {
    if (schedule === null || typeof schedule === 'string') return undefined;
    if (schedule.status !== 'active' && schedule.status !== 'not_started') return undefined;
    const now = schedule.current_phase?.start_date ?? 0;
    const next = schedule.phases.find(({ start_date }) => start_date > now);
    const price = idOf(next?.items[0]?.price);
    const after = price === undefined ? undefined : await prices.periodOfId(price);
    return after === period ? undefined : after;
  }

  /** The step that the user has to complete in the provider's script. */
  async function actionOf(subscription: Stripe.Subscription): Promise<Action | undefined> {
    const setup = waitingSetup(subscription);
    if (setup !== undefined)
      return setup.status === 'requires_payment_method' || setup.client_secret === null
        ? undefined
        : { kind: 'setup', clientSecret: setup.client_secret };
    const mayWait =
      subscription.status === 'incomplete' ||
      subscription.status === 'past_due' ||
      subscription.pending_update !== null;
    const invoice = subscription.latest_invoice;
    if (!mayWait || invoice === null || typeof invoice === 'string' || invoice.status !== 'open') return undefined;
    return actionOfInvoice(invoice);
  }

  async function actionOfInvoice({ confirmation_secret }: Stripe.Invoice): Promise<Action | undefined> {
    const clientSecret = confirmation_secret?.client_secret;
    const intent = await intentOf(clientSecret);
    if (clientSecret === undefined || intent === undefined) return undefined;
    const isWaiting = intent.status === 'requires_action' || intent.status === 'requires_confirmation';
    return isWaiting ? { kind: 'payment', clientSecret } : undefined;
  }

  /** A client secret begins with the id of its intent. */
  async function intentOf(clientSecret: string | undefined): Promise<Stripe.PaymentIntent | undefined> {
    const id = /^(pi_\w+?)_secret_/.exec(clientSecret ?? '')?.[1];
    return id === undefined ? undefined : asking(() => client.paymentIntents.retrieve(id));
  }

  /** Asked only of disputed charges. */
  async function lostOf(charges: Stripe.Charge[]): Promise<Stripe.Dispute[]> {
    const intents = charges.flatMap((one) => (one.disputed ? (idOf(one.payment_intent) ?? []) : []));
    const pages = await Promise.all(
      intents.map((payment_intent) => asking(() => client.disputes.list({ payment_intent, limit: 100 }))),
    );
    return pages.flatMap(({ data }) => data).filter(({ status }) => status === 'lost');
  }

  const rates = new Map<string, Promise<Stripe.TaxRate>>();

  /** Rates never change. */
  function findRate(id: string): Promise<Stripe.TaxRate> {
    const found = rates.get(id) ?? asking(() => client.taxRates.retrieve(id));
    rates.set(id, found);
    found.catch(() => rates.delete(id));
    return found;
  }

  /** @returns null where Stripe was not asked for tax, or could not say it */
  async function taxesOf({ automatic_tax, total_taxes }: Stripe.Invoice): Promise<ChargedTax[] | null> {
    if (!automatic_tax.enabled || automatic_tax.status !== 'complete') return null;
    return Promise.all(
      (total_taxes ?? []).map(async ({ amount, tax_rate_details }) => {
        const rate = tax_rate_details && (await findRate(tax_rate_details.tax_rate));
        const { country = null, state = null, percentage = 0, display_name: name = '' } = rate ?? {};
        return { country, state, percentage, name, amount };
      }),
    );
  }

  return {
    readSubscription,
    toFacts,
    actionOfInvoice,
    intentOf,

    async readCustomer(customerId: string): Promise<CustomerFacts | undefined> {
      const expand = parts.map((part) => `data.${part}`);
      const answers = await finding(() =>
        Promise.all([
          client.customers.retrieve(customerId),
          client.subscriptions.list({ customer: customerId, status: 'all', limit: 100, expand }),
          client.invoices.list({
            customer: customerId,
            limit: 24,
            expand: ['data.discounts.source.coupon', 'data.payments'],
          }),
          client.charges.list({ customer: customerId, limit: 100 }),
        ]),
      );
      if (answers === undefined) return undefined;
      const [customer, subscriptions, invoices, charges] = answers;
      // Stripe still lists subscriptions of a deleted customer.
      if (customer.deleted) return undefined;
      const facts = await Promise.all(subscriptions.data.map(toFacts));
      const taken = takenBackOf(charges.data, await lostOf(charges.data));
      const taxes = await Promise.all(invoices.data.map(taxesOf));
      return {
        subscriptions: facts.filter((one) => one !== undefined),
        invoices: invoices.data.flatMap(
          (invoice, index) => toInvoiceFacts(invoice, { ...taken, taxes: taxes[index] ?? null }) ?? [],
        ),
        givenUpId: subscriptions.data.find(neverWas)?.id,
      };
    },
  };
}

function lastMonthOf(method: Stripe.Subscription['default_payment_method']): string | undefined {
  const card = method === null || typeof method === 'string' ? undefined : method.card;
  return card && `${card.exp_year}-${String(card.exp_month).padStart(2, '0')}`;
}

function neverWas({ status, metadata }: Stripe.Subscription): boolean {
  return status === 'incomplete_expired' || (status === 'canceled' && metadata.abandoned === abandoned.abandoned);
}

/** The bank has not confirmed the card yet, although Stripe reports a trial. */
function waitingSetup({ pending_setup_intent: setup, status }: Stripe.Subscription): Stripe.SetupIntent | undefined {
  if (setup === null || typeof setup === 'string' || status === 'active' || status === 'canceled') return undefined;
  return setup.status === 'succeeded' || setup.status === 'canceled' ? undefined : setup;
}

function statusOf(subscription: Stripe.Subscription): SubscriptionStatus {
  const { status } = subscription;
  if (status === 'canceled') return 'ended';
  if (status === 'incomplete' || waitingSetup(subscription) !== undefined) return 'confirming';
  if (status === 'trialing') return 'trialing';
  return status === 'active' ? 'active' : 'past-due';
}

function plannedEnd(subscription: Stripe.Subscription, periodEndsAt: Date): Date | undefined {
  return maybeDateOf(subscription.cancel_at) ?? (subscription.cancel_at_period_end ? periodEndsAt : undefined);
}

const durations = { once: 'once', repeating: 'months', forever: 'forever' } as const;

export function durationOf({ duration }: Stripe.Coupon): Discount['duration'] {
  return durations[duration as keyof typeof durations] ?? 'once';
}

async function discountOf(client: Stripe, { discounts, currency }: Stripe.Subscription): Promise<Discount | undefined> {
  const discount = discounts.find((one) => typeof one !== 'string');
  const coupon = discount?.source.coupon;
  if (discount === undefined || coupon === undefined || coupon === null || typeof coupon === 'string') return undefined;
  return {
    code: promoCodeOf(discount).code ?? null,
    percentOff: coupon.percent_off,
    amountOff: await amountOffIn(client, coupon, currency),
    duration: durationOf(coupon),
    endsAt: maybeDateOf(discount.end)?.toISOString() ?? null,
  };
}

function isInvoiceStatus(status: string | null): status is Invoice['status'] {
  return status === 'open' || status === 'paid' || status === 'void' || status === 'uncollectible';
}

/** Includes exhausted codes. */
function promoCodesOf({ discounts, total_discount_amounts }: Stripe.Invoice): string[] {
  const used = new Set((total_discount_amounts ?? []).flatMap((one) => (one.amount > 0 ? idOf(one.discount) : [])));
  return discounts.flatMap((one) => (typeof one !== 'string' && used.has(one.id) ? (promoCodeOf(one).id ?? []) : []));
}

type Read = TakenBack & { taxes: ChargedTax[] | null };

/** By payment intent: what was disputed, cents that were refunded, and what paid. */
type TakenBack = {
  disputed: ReadonlySet<string>;
  refunded: ReadonlyMap<string, number>;
  /** Cents of disputes that were lost. */
  chargedBack: ReadonlyMap<string, number>;
  /** The country of each intent's card. Its digits are never stored (decision 012). */
  paidBy: ReadonlyMap<string, InvoiceFacts['paidBy']>;
};

function takenBackOf(charges: Stripe.Charge[], lost: Stripe.Dispute[]): TakenBack {
  const refunded = new Map<string, number>();
  const chargedBack = new Map<string, number>();
  for (const { payment_intent, amount } of lost) {
    const intent = idOf(payment_intent);
    if (intent !== undefined) chargedBack.set(intent, (chargedBack.get(intent) ?? 0) + amount);
  }
  for (const { payment_intent, amount_refunded } of charges) {
    const intent = idOf(payment_intent);
    if (intent !== undefined) refunded.set(intent, (refunded.get(intent) ?? 0) + amount_refunded);
  }
  return {
    disputed: new Set(charges.flatMap((one) => (one.disputed ? (idOf(one.payment_intent) ?? []) : []))),
    refunded,
    chargedBack,
    paidBy: new Map(
      charges.flatMap((charge) => {
        const intent = idOf(charge.payment_intent);
        return charge.paid && intent !== undefined ? [[intent, paidByOf(charge)] as const] : [];
      }),
    ),
  };
}

function paidByOf({ payment_method_details, billing_details }: Stripe.Charge): InvoiceFacts['paidBy'] {
  const country = payment_method_details?.card?.country ?? billing_details?.address?.country;
  return country ? { country } : undefined;
}

/** @returns undefined for a draft */
function toInvoiceFacts(
  invoice: Stripe.Invoice,
  { disputed, refunded, chargedBack, paidBy, taxes }: Read,
): InvoiceFacts | undefined {
  const { status, lines } = invoice;
  const intents = (invoice.payments?.data ?? []).flatMap(({ payment }) => idOf(payment.payment_intent) ?? []);
  if (!isInvoiceStatus(status)) return undefined;
  const spans = lines.data.filter(({ amount }) => amount >= 0).map(({ period }) => period);
  const span = spans.toSorted((one, other) => other.end - one.end)[0] ?? {
    start: invoice.period_start,
    end: invoice.period_end,
  };
  return {
    id: invoice.id,
    subscriptionId: idOf(invoice.parent?.subscription_details?.subscription),
    number: invoice.number,
    status,
    currency: invoice.currency,
    subtotal: invoice.subtotal,
    discount: (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0),
    credit: (invoice.ending_balance ?? invoice.starting_balance) - invoice.starting_balance,
    total: invoice.total,
    amountDue: invoice.amount_due,
    amountPaid: invoice.amount_paid,
    periodStart: dateOf(span.start),
    periodEnd: dateOf(span.end),
    createdAt: dateOf(invoice.created),
    paidAt: status === 'paid' ? dateOf(invoice.status_transitions.paid_at ?? invoice.created) : null,
    paymentId: intents[0] ?? null,
    paidBy: paidBy.get(intents[0] ?? ''),
    taxes,
    hasFailed: status === 'open' && invoice.attempt_count > 0,
    promoCodeIds: promoCodesOf(invoice),
    refunded: intents.reduce((sum, intent) => sum + (refunded.get(intent) ?? 0), 0),
    isDisputed: intents.some((intent) => disputed.has(intent)),
    chargedBack: intents.reduce((sum, intent) => sum + (chargedBack.get(intent) ?? 0), 0),
    lines: lines.data.map(({ description, amount, period }) => ({
      description: description ?? '',
      amount,
      start: dateOf(period.start).toISOString(),
      end: dateOf(period.end).toISOString(),
    })),
  };
}
