import type Stripe from 'stripe';
import type { CardBehaviour } from '../cards/test-cards.ts';

/** Objects that stand by themselves; items and lines stand in the object they belong to. */
export type Document =
  | Stripe.Customer
  | Stripe.CustomerBalanceTransaction
  | Stripe.PaymentMethod
  | Stripe.PaymentIntent
  | Stripe.SetupIntent
  | Stripe.Charge
  | Stripe.Refund
  | Stripe.Dispute
  | Stripe.Product
  | Stripe.Price
  | Stripe.Coupon
  | Stripe.PromotionCode
  | Stripe.Discount
  | Stripe.Subscription
  | Stripe.SubscriptionSchedule
  | Stripe.Invoice
  | Stripe.InvoiceItem
  | Stripe.InvoicePayment
  | Stripe.TestHelpers.TestClock
  | Stripe.Event;

export type Kind = Document['object'];
export type DocumentOf<K extends Kind> = Extract<Document, { object: K }>;

type HiddenByKind = {
  payment_method: {
    behaviour: CardBehaviour;
    /** The bank was asked once, so that charges without the customer go through. */
    setUp: boolean;
  };
  payment_intent: { invoice?: string; authenticated?: boolean };
  subscription: {
    /** End of the trial that was warned of. */
    trialEndSaidFor?: number;
    /** End of the period whose renewal was announced. */
    upcomingSaidFor?: number;
    /** What has to be paid before the change that waits counts. */
    pendingInvoice?: string | undefined;
  };
  invoice: {
    paymentIntent?: string;
    /** Tries after the first one. */
    retries: number;
    pageSecret: string;
  };
};

export type HiddenOf<K extends Kind> = K extends keyof HiddenByKind ? HiddenByKind[K] : Record<string, never>;

/** Decimals travel as strings; the SDK makes its `Decimal` of them. */
export function decimal(value: number): Stripe.Decimal {
  return String(value) as unknown as Stripe.Decimal;
}
