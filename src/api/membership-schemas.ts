import { z } from '@hono/zod-openapi';
import { giftCardMonths, periods } from '#domain/membership/rules.ts';

/** Amounts in responses: whole cents, with their currency. */

export const Cents = z.number().int().openapi({ description: 'Whole cents', example: 799 });
export const Currency = z.string().openapi({ example: 'usd' });
export const Period = z.enum(periods);
export const Time = z.iso.datetime();

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
    endsAt: Time.nullable(),
  })
  .openapi('Discount');

export const PreviewResponse = z
  .object({
    period: Period,
    amount: Cents,
    currency: Currency,
    trialEndsAt: Time.nullable(),
    dueToday: Cents,
    firstCharge: z.object({ amount: Cents, at: Time }),
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
    trialEndsAt: Time.nullable(),
    renewsAt: Time.nullable(),
    endsAt: Time.nullable(),
    graceEndsAt: Time.nullable().describe('A charge failed; usable until then'),
    openAmount: Cents.nullable().describe('The charge that failed'),
    isTrial: z.boolean(),
    freeBy: z.enum(['trial', 'gift']).nullable().describe('Whose the free time is, while there is some'),
    nextPeriod: Period.nullable().describe('Planned for the end of the period'),
    discount: DiscountResponse.nullable(),
    giftUntil: Time.nullable(),
    isSubscribed: z.boolean(),
    card: z
      .object({ brand: z.string(), last4: z.string(), expMonth: z.number(), expYear: z.number() })
      .nullable()
      .describe('As the provider shows it; null also where it was not asked'),
    nextCharge: z.object({ amount: Cents, currency: Currency, at: Time }).nullable(),
  })
  .openapi('Subscription');

export const ActionResponse = z
  .object({ kind: z.enum(['setup', 'payment']), clientSecret: z.string() })
  .nullable()
  .openapi('PaymentAction', { description: 'What the bank asks of the customer, by the provider’s own script' });

export const PeriodPreviewResponse = z
  .object({
    when: z.enum(['now', 'period-end']),
    at: Time,
    dueToday: Cents,
    credit: Cents.describe('Given back for time that was paid and is not used'),
    currency: Currency,
    amount: Cents,
    nextAmount: Cents.describe('Of the next charge, with the discount that is running'),
    nextChargeAt: Time,
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
    createdAt: Time,
    paidAt: Time.nullable(),
    period: z.object({ start: Time, end: Time }),
  })
  .openapi('Invoice');

export const InvoiceDetailResponse = InvoiceResponse.extend({
  subtotal: Cents,
  discount: Cents,
  credit: Cents,
  amountDue: Cents,
  amountPaid: Cents,
  lines: z.array(z.object({ description: z.string(), amount: Cents, start: Time, end: Time })),
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
    deliverAt: Time,
    createdAt: Time,
  })
  .openapi('GiftCard');

/** Dates as JSON strings, at any depth. */
export type JsonOf<T> = T extends Date
  ? string
  : T extends (infer Item)[]
    ? JsonOf<Item>[]
    : T extends object
      ? { [Key in keyof T]: JsonOf<T[Key]> }
      : T;

/** Converts like `JSON.stringify`; for answers whose type has times as strings. */
export function toJson<T>(value: T): JsonOf<T> {
  if (value instanceof Date) return value.toISOString() as JsonOf<T>;
  if (Array.isArray(value)) return value.map(toJson) as JsonOf<T>;
  if (typeof value !== 'object' || value === null) return value as JsonOf<T>;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toJson(one)])) as JsonOf<T>;
}
