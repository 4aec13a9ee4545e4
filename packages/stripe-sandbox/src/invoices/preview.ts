import type Stripe from 'stripe';
import { z } from 'zod';
import { periodOf } from '../clocks/due.ts';
import { DiscountsInput } from '../catalogue/discounts.ts';
import { invalid } from '../http/failure.ts';
import { flag, integer, text } from '../http/parameters.ts';
import { newId, newIdOf, optionalIdOf } from '../store/ids.ts';
import { rehearse } from '../store/rehearse.ts';
import type { Work } from '../store/work.ts';
import {
  AutomaticTax,
  type SubscriptionCreate,
  ProrationBehavior,
  startSubscription,
} from '../subscriptions/create.ts';
import { ItemUpdate } from '../subscriptions/items.ts';
import { renewSubscription } from '../subscriptions/renew.ts';
import { SubscriptionUpdate, changeSubscription } from '../subscriptions/update.ts';

const details = z.strictObject({
  billing_cycle_anchor: z.enum(['now', 'unchanged']).optional(),
  cancel_at_period_end: flag.optional(),
  items: z.array(ItemUpdate).optional(),
  proration_behavior: ProrationBehavior.optional(),
  proration_date: integer.optional(),
  trial_end: z.union([z.literal('now'), integer]).optional(),
});

export const PreviewCreate = z.strictObject({
  automatic_tax: AutomaticTax.optional(),
  currency: z.string().optional(),
  customer: text.optional(),
  discounts: DiscountsInput.optional(),
  preview_mode: z.literal('next').optional(),
  subscription: text.optional(),
  subscription_details: details.optional(),
});
export type PreviewCreate = z.output<typeof PreviewCreate>;

/** Applies the previewed change and returns the invoice; the endpoint is a rehearsal, so it is rolled back. */
export async function previewInvoice(work: Work, input: PreviewCreate): Promise<Stripe.Invoice> {
  const invoice =
    input.subscription === undefined
      ? await previewStart(work, input)
      : await previewChange(work, input.subscription, input);
  if (invoice === undefined) throw invalid('No upcoming invoices for customer', undefined, 'invoice_upcoming_none');
  return asPreview(invoice);
}

async function previewStart(work: Work, input: PreviewCreate): Promise<Stripe.Invoice> {
  const { items = [], trial_end, proration_behavior } = input.subscription_details ?? {};
  const { invoice } = await startSubscription(work, {
    automatic_tax: input.automatic_tax,
    customer: input.customer ?? (await someCustomer(work)),
    discounts: input.discounts,
    items: items.map(({ price, quantity }, index) => {
      if (price === undefined)
        throw invalid(
          `Missing required param: subscription_details[items][${index}][price].`,
          'subscription_details[items]',
          'parameter_missing',
        );
      return { price, quantity };
    }),
    payment_behavior: 'allow_incomplete',
    proration_behavior: proration_behavior ?? 'create_prorations',
    trial_end,
  } satisfies SubscriptionCreate);
  return invoice;
}

/** A temporary customer, for prices shown before there is an account. */
async function someCustomer(work: Work): Promise<string> {
  const customer: Stripe.Customer = {
    id: newIdOf('customer'),
    object: 'customer',
    balance: 0,
    created: await work.now(null),
    default_source: null,
    description: null,
    email: null,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: {},
    shipping: null,
  };
  await work.store.insert<'customer'>(customer);
  return customer.id;
}

async function previewChange(work: Work, id: string, input: PreviewCreate): Promise<Stripe.Invoice | undefined> {
  const before = await work.store.get('subscription', id, 'subscription');
  if (before.ended_at !== null) return undefined;
  const { invoice } = await changeSubscription(work, id, {
    ...SubscriptionUpdate.parse({}),
    ...input.subscription_details,
    automatic_tax: input.automatic_tax,
    proration_behavior: input.subscription_details?.proration_behavior ?? 'create_prorations',
    discounts: input.discounts,
  });
  if (invoice !== undefined) return invoice;
  const subscription = await work.store.get('subscription', id);
  work.setNow(optionalIdOf(subscription.test_clock), periodOf(subscription).end);
  return renewSubscription(work, id);
}

function asPreview(invoice: Stripe.Invoice): Stripe.Invoice {
  const id = newId('upcoming_in');
  return {
    ...invoice,
    id,
    automatically_finalizes_at: null,
    billing_reason: 'upcoming',
    lines: {
      ...invoice.lines,
      data: invoice.lines.data.map((line) => ({ ...line, invoice: id })),
      url: `/v1/invoices/upcoming/lines`,
    },
    next_payment_attempt: invoice.created,
  };
}

/** The upcoming renewal invoice, for the event that announces it. */
export async function upcomingInvoice(
  work: Work,
  subscription: Stripe.Subscription,
): Promise<Stripe.Invoice | undefined> {
  const clock = optionalIdOf(subscription.test_clock);
  const invoice = await rehearse(work, clock, () => {
    work.setNow(clock, periodOf(subscription).end);
    return renewSubscription(work, subscription.id);
  });
  return invoice === undefined ? undefined : asPreview(invoice);
}
