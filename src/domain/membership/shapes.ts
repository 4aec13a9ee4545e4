import { z } from 'zod';
import { Instant } from '../kernel/shapes.ts';
import { providerNames } from './capabilities.ts';
import { PromoCodeField } from './forms.ts';
import { pauseMonths } from './keeping/rules.ts';
import { giftCardMonths, periods } from './rules.ts';
import { TaxDocument } from './tax/shapes.ts';

/** A membership as its owner sees it, in pages and in the API. Amounts: the smallest unit of their currency. */

export const Cents = z
  .number()
  .int()
  .meta({ description: 'In the smallest unit of the currency, such as cents', example: 799 });
export const Currency = z.string().meta({ example: 'usd' });
export const PeriodShape = z.enum(periods);
/** The generator uses only the first of several literals. */
export const GiftCardMonthsShape = z.literal(giftCardMonths).meta({ type: 'integer', enum: [...giftCardMonths] });

/** Public prices and terms. */
const PricesInCurrency = z.object({
  currency: Currency,
  plans: z.array(z.object({ period: PeriodShape, amount: Cents, perMonth: Cents })),
  giftCards: z.array(z.object({ months: GiftCardMonthsShape, amount: Cents })),
});
export const Offer = z.object({
  trialDays: z.number(),
  graceDays: z.number(),
  ...PricesInCurrency.shape,
  currencies: z.array(PricesInCurrency).describe('Prices in further currencies that can be chosen'),
});
export type Offer = z.output<typeof Offer>;

/** A test card of a sandbox: its number and its effect. */
export const TestCard = z.object({ number: z.string(), outcome: z.string() });
export type TestCard = z.output<typeof TestCard>;

/** `scriptSrc`: a script of this site that defines the provider's elements; null loads the provider's own. */
export const CardPaymentSettings = z.object({
  form: z.literal('card'),
  provider: z.literal('stripe'),
  publishableKey: z.string(),
  scriptSrc: z.string().nullable(),
  isSandbox: z.boolean(),
});
export type CardPaymentSettings = z.output<typeof CardPaymentSettings>;

const RedirectPaymentSettings = z.object({
  form: z.literal('redirect'),
  provider: z.enum(providerNames).exclude(['stripe']),
  title: z.string().meta({ example: 'Verotel' }),
  statementName: z.string().nullable().describe('What the bank statement shows, as far as it is known'),
  sellsInOwnName: z.boolean(),
  isPrepaid: z.boolean(),
  isStandIn: z.boolean().describe('No money moves'),
});
export type RedirectPaymentSettings = z.output<typeof RedirectPaymentSettings>;

export const BrowserPaymentSettings = z.discriminatedUnion('form', [CardPaymentSettings, RedirectPaymentSettings]);
export type BrowserPaymentSettings = z.output<typeof BrowserPaymentSettings>;

/** Either `percentOff` or `amountOff` is set. `endsAt`: null when it never expires or ends with its use. */
export const Discount = z.object({
  code: z.string().nullable(),
  percentOff: z.number().nullable(),
  amountOff: Cents.nullable(),
  duration: z.enum(['once', 'months', 'forever']),
  endsAt: z.iso.datetime().nullable(),
});
export type Discount = z.output<typeof Discount>;

/** Price of a subscription that starts now. `amount`: without any discount. */
export const Preview = z.object({
  period: PeriodShape,
  amount: Cents,
  currency: Currency,
  trialEndsAt: Instant.nullable(),
  dueToday: Cents,
  firstCharge: z.object({ amount: Cents, at: Instant }),
  thenAmount: Cents.describe('Of each charge once the discount is over'),
  discount: Discount.nullable(),
  discountedCharges: z.number().nullable().describe('How many charges the discount lowers; null: all of them'),
});
export type Preview = z.output<typeof Preview>;

/** Absent: the customer's own, or that of the site. */
export const ChosenCurrency = z
  .string()
  .regex(/^[a-z]{3}$/, 'must be a currency, such as usd')
  .optional()
  .describe('One of the offer; the first subscription decides it where the provider knows one per customer');

/** Chosen for whoever asks. */
export const CurrencyChoice = z.object({
  currency: Currency,
  country: z.string().nullable().describe('Name of the country for which it was chosen; null: none has a currency'),
  isFixed: z.boolean().describe('An earlier subscription decided it'),
});
export type CurrencyChoice = z.output<typeof CurrencyChoice>;

const ShownCents = z.number().int().min(0).max(10_000_000).optional();

/** An order, as the subscriber agreed to it. Amounts that are absent are not checked. */
export const Order = z.object({
  paymentMethodId: z.string().min(1).max(200).describe('Id of the card from the provider’s script'),
  period: PeriodShape.default('year'),
  currency: ChosenCurrency,
  promoCode: PromoCodeField,
  withoutTrial: z.boolean().default(false).describe('The user has agreed to a charge without a free trial'),
  amount: ShownCents.describe(
    'Price of the plan that was shown, in cents; when it is another one now, 409 and no charge',
  ),
  firstCharge: ShownCents.describe('First charge that was shown, with the promo code; like `amount`'),
  thenAmount: ShownCents.describe('Charge after the discount that was shown; like `amount`'),
});
export type Order = z.output<typeof Order>;

/** How an order on a provider's page stands. */
export const CheckoutState = z.object({
  reference: z.string(),
  state: z.enum(['open', 'waiting', 'declined', 'closed', 'paid']),
  title: z.string().describe('The provider').meta({ example: 'Verotel' }),
  reason: z.string().nullable().describe('The provider’s word for a declined payment'),
  confirmations: z.number().nullable().describe('Of a payment on a chain that is not certain yet'),
  paidAmount: Cents.nullable(),
  currency: Currency,
  period: PeriodShape,
  returnTo: z.string().nullable(),
  createdAt: Instant,
});
export type CheckoutState = z.output<typeof CheckoutState>;

/** An order that is paid on the provider's page; like `Order`, but for the card. */
export const CheckoutOrder = Order.omit({ paymentMethodId: true, withoutTrial: true }).extend({
  returnTo: z
    .string()
    .max(500)
    .regex(/^\/(?![/\\])/, 'must be a path of this site')
    .optional()
    .describe('Page of this site on which the subscriber goes on after paying'),
});
export type CheckoutOrder = z.output<typeof CheckoutOrder>;

/** `ending`: cancelled, usable until `endsAt`. `paused`: it goes on, but unlocks nothing now. `none`: no subscription was ever confirmed. */
const State = z.enum(['none', 'confirming', 'trialing', 'active', 'past-due', 'paused', 'ending', 'ended']);

export const subscriberActs = ['change-period', 'change-card', 'add-promo-code', 'resume', 'cancel', 'pay'] as const;

/** `renewsAt`: the next charge. `isTrial`: in its free time, cancelled or not; a redeemed gift delays charges likewise. */
export const Subscription = z.object({
  state: State,
  period: PeriodShape.nullable(),
  amount: Cents.nullable(),
  currency: Currency.nullable(),
  trialEndsAt: Instant.nullable(),
  renewsAt: Instant.nullable(),
  endsAt: Instant.nullable(),
  graceEndsAt: Instant.nullable().describe('A charge failed; usable until then'),
  openAmount: Cents.nullable().describe('The charge that failed'),
  isTrial: z.boolean(),
  freeBy: z.enum(['trial', 'gift']).nullable().describe('Whose the free time is, while there is some'),
  nextPeriod: PeriodShape.nullable().describe('Planned for the end of the period'),
  discount: Discount.nullable(),
  giftUntil: Instant.nullable(),
  pause: z
    .object({
      months: z.number(),
      from: Instant,
      until: Instant,
      isWaiting: z.boolean().describe('The provider has not answered yet'),
    })
    .nullable()
    .describe('Agreed, or running; nothing is charged or unlocked in it'),
  pauseChoices: z
    .array(z.object({ months: z.number(), from: Instant, until: Instant }))
    .describe('Pauses that can be agreed now; empty: not offered'),
  stayOffer: z
    .object({
      percentOff: z.number(),
      months: z.number().describe('Months that it counts'),
      isOnce: z.boolean().describe('For the next charge alone'),
    })
    .nullable()
    .describe('Offered to whoever is about to cancel'),
  isSubscribed: z.boolean(),
  card: z
    .object({ brand: z.string(), last4: z.string(), expMonth: z.number().nullable(), expYear: z.number().nullable() })
    .nullable()
    .describe('As the provider shows it; null also where it was not asked'),
  nextCharge: z.object({ amount: Cents, currency: Currency, at: Instant }).nullable(),
  through: z
    .object({
      provider: z.enum(providerNames),
      title: z.string().meta({ example: 'Verotel' }),
      can: z.array(z.enum(subscriberActs)).describe('What the site can do there; the rest is not offered'),
      sellsInOwnName: z.boolean().describe('Receipts come from the provider'),
      accountUrl: z.url().nullable().describe('Where the card is changed and receipts are, if not on this site'),
      cancelUrl: z.url().nullable().describe('Where to cancel, if not on this site'),
    })
    .nullable()
    .describe('The provider that is paid; null without a subscription'),
});
export type Subscription = z.output<typeof Subscription>;

export const PauseEnd = z.object({
  chargesNow: z
    .boolean()
    .describe('Whether the end was shown to charge at once; when it is otherwise now, 409 and no effect'),
});

/** Months of a pause; the generator uses only the first of several literals. */
export const PauseForm = z.object({ months: z.literal(pauseMonths).meta({ type: 'integer', enum: [...pauseMonths] }) });

/** A step that the provider's script has to run in the browser: the bank's confirmation of a card or a payment. */
export const Action = z.object({ kind: z.enum(['setup', 'payment']), clientSecret: z.string() });
export type Action = z.output<typeof Action>;

export const PeriodPreview = z.object({
  when: z.enum(['now', 'period-end']),
  at: Instant,
  dueToday: Cents,
  credit: Cents.describe('Given back for time that was paid and is not used'),
  currency: Currency,
  amount: Cents,
  nextAmount: Cents.describe('Of the next charge, with the discount that is running'),
  nextChargeAt: Instant,
});
export type PeriodPreview = z.output<typeof PeriodPreview>;

export const Invoice = z.object({
  id: z.uuid(),
  number: z.string().nullable(),
  status: z.enum(['open', 'paid', 'void', 'uncollectible']),
  amount: Cents,
  refunded: Cents,
  currency: Currency,
  createdAt: Instant,
  paidAt: Instant.nullable(),
  period: z.object({ start: Instant, end: Instant }),
});
export type Invoice = z.output<typeof Invoice>;

/** `credit`: deducted from the customer's balance at the provider. */
export const InvoiceDetail = Invoice.extend({
  subtotal: Cents,
  discount: Cents,
  credit: Cents,
  amountDue: Cents,
  amountPaid: Cents,
  lines: z.array(z.object({ description: z.string(), amount: Cents, start: z.iso.datetime(), end: z.iso.datetime() })),
  billedTo: z.string().nullable(),
  seller: z.string(),
  soldBy: z.string().nullable().describe('The provider, where it sells in its own name and issues the invoice'),
  document: TaxDocument.nullable().describe(
    'As this site issued it; null: the provider issues invoices, or an older one',
  ),
  countryName: z.string().nullable().describe('The document’s country, in the language of the request'),
  creditNotes: z
    .array(z.object({ id: z.uuid(), number: z.string(), issuedAt: Instant, gross: Cents }))
    .describe('For what was refunded; read and printed like invoices, by their ids'),
});
export type InvoiceDetail = z.output<typeof InvoiceDetail>;

/** A document of this site, for its page. */
export type IssuedDocument = Pick<InvoiceDetail, 'currency' | 'countryName'> & { document: TaxDocument };

/** A gift card as its buyer sees it, without the code, which is only mailed. */
export const GiftCard = z.object({
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
});
export type GiftCard = z.output<typeof GiftCard>;

const difference = { atProvider: z.number(), here: z.number() };
const ofMonth = { ...difference, month: z.string().meta({ example: '2026-10' }), currency: z.string() };

/** A number at the provider and here: of paying subscriptions, or of cents in payments of a month (UTC). */
export const Total = z.discriminatedUnion('of', [
  z.object({ of: z.literal('paying'), ...difference }),
  z.object({ of: z.literal('paid'), ...ofMonth }),
  z.object({ of: z.literal('refunded'), ...ofMonth }),
]);
export type Total = z.output<typeof Total>;

/** A customer whose invoices differed, in cents. */
export const Correction = z.object({ customerId: z.string(), before: z.number(), after: z.number() });
export type Correction = z.output<typeof Correction>;

export const ReconciliationFailure = z.object({ customerId: z.string(), reason: z.string() });
export type ReconciliationFailure = z.output<typeof ReconciliationFailure>;
