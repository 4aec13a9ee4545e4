import { z } from '@hono/zod-openapi';
import { giftCardMonths, periods } from '#domain/membership/rules.ts';
import { Instant } from '#domain/kernel/shapes.ts';

/** Amounts in responses: whole cents, with their currency. */

export const Cents = z.number().int().openapi({ description: 'Whole cents', example: 799 });
export const Currency = z.string().openapi({ example: 'usd' });
export const Period = z.enum(periods);

/** The generator uses only the first of several literals. */
export const GiftCardMonths = z.literal(giftCardMonths).openapi({ type: 'integer', enum: [...giftCardMonths] });

export const OfferResponse = z
  .object({
    trialDays: z.number(),
    graceDays: z.number(),
    currency: Currency,
    plans: z.array(z.object({ period: Period, amount: Cents, perMonth: Cents })),
    giftCards: z.array(z.object({ months: GiftCardMonths, amount: Cents })),
    testCards: z
      .array(z.object({ number: z.string(), outcome: z.string() }))
      .describe('Of a sandbox; empty where cards are real'),
    payments: z
      .object({
        provider: z.literal('stripe'),
        publishableKey: z.string(),
        scriptSrc: z.string().nullable(),
        isSandbox: z.boolean(),
      })
      .describe('What the provider’s script in the browser is opened with'),
  })
  .openapi('Offer');

export const DiscountResponse = z
  .object({
    code: z.string().nullable(),
    percentOff: z.number().nullable(),
    amountOff: Cents.nullable(),
    duration: z.enum(['once', 'months', 'forever']),
    endsAt: z.iso.datetime().nullable(),
  })
  .openapi('Discount');

export const PreviewResponse = z
  .object({
    period: Period,
    amount: Cents,
    currency: Currency,
    trialEndsAt: Instant.nullable(),
    dueToday: Cents,
    firstCharge: z.object({ amount: Cents, at: Instant }),
    thenAmount: Cents.describe('Of each charge once the discount is over'),
    discount: DiscountResponse.nullable(),
    discountedCharges: z.number().nullable().describe('How many charges the discount lowers; null: all of them'),
  })
  .openapi('SubscriptionPreview');

export const SubscriptionResponse = z
  .object({
    state: z.enum(['none', 'confirming', 'trialing', 'active', 'past-due', 'ending', 'ended']),
    period: Period.nullable(),
    amount: Cents.nullable(),
    currency: Currency.nullable(),
    trialEndsAt: Instant.nullable(),
    renewsAt: Instant.nullable(),
    endsAt: Instant.nullable(),
    graceEndsAt: Instant.nullable().describe('A charge failed; usable until then'),
    openAmount: Cents.nullable().describe('The charge that failed'),
    isTrial: z.boolean(),
    freeBy: z.enum(['trial', 'gift']).nullable().describe('Whose the free time is, while there is some'),
    nextPeriod: Period.nullable().describe('Planned for the end of the period'),
    discount: DiscountResponse.nullable(),
    giftUntil: Instant.nullable(),
    isSubscribed: z.boolean(),
    card: z
      .object({ brand: z.string(), last4: z.string(), expMonth: z.number(), expYear: z.number() })
      .nullable()
      .describe('As the provider shows it; null also where it was not asked'),
    nextCharge: z.object({ amount: Cents, currency: Currency, at: Instant }).nullable(),
  })
  .openapi('Subscription');

export const ActionResponse = z
  .object({ kind: z.enum(['setup', 'payment']), clientSecret: z.string() })
  .nullable()
  .openapi('PaymentAction', { description: 'What the bank asks of the customer, by the provider’s own script' });

export const PeriodPreviewResponse = z
  .object({
    when: z.enum(['now', 'period-end']),
    at: Instant,
    dueToday: Cents,
    credit: Cents.describe('Given back for time that was paid and is not used'),
    currency: Currency,
    amount: Cents,
    nextAmount: Cents.describe('Of the next charge, with the discount that is running'),
    nextChargeAt: Instant,
  })
  .openapi('PeriodPreview');

export const InvoiceResponse = z
  .object({
    id: z.uuid(),
    number: z.string().nullable(),
    status: z.enum(['open', 'paid', 'void', 'uncollectible']),
    amount: Cents,
    refunded: Cents,
    currency: Currency,
    createdAt: Instant,
    paidAt: Instant.nullable(),
    period: z.object({ start: Instant, end: Instant }),
  })
  .openapi('Invoice');

export const InvoiceDetailResponse = InvoiceResponse.extend({
  subtotal: Cents,
  discount: Cents,
  credit: Cents,
  amountDue: Cents,
  amountPaid: Cents,
  lines: z.array(z.object({ description: z.string(), amount: Cents, start: z.iso.datetime(), end: z.iso.datetime() })),
  billedTo: z.string().nullable(),
  seller: z.string(),
}).openapi('InvoiceDetail');

export const GiftCardResponse = z
  .object({
    id: z.uuid(),
    months: z.number(),
    amount: Cents,
    currency: Currency,
    state: z.enum(['awaiting-payment', 'paid', 'sent', 'redeemed', 'refunded']),
    recipientEmail: z.string().nullable(),
    senderName: z.string().nullable(),
    message: z.string().nullable(),
    deliverAt: Instant,
    createdAt: Instant,
  })
  .openapi('GiftCard');
