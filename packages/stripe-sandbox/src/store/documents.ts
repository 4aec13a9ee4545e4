import type Stripe from 'stripe';
import type { CardBehaviour } from '../cards/test-cards.ts';

/** Objects stored on their own; items and lines are stored inside their parent. */
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
  /** The network's address, for tax. */
  customer: { taxAddress?: string | undefined };
  price: { currencyOptions?: Record<string, { unit_amount: number; tax_behavior?: Stripe.Price.TaxBehavior }> };
  coupon: { currencyOptions?: Record<string, { amount_off: number }> };
  payment_method: {
    behaviour: CardBehaviour;
    /** Set up with 3-D Secure, so that charges without the customer succeed. */
    setUp: boolean;
  };
  payment_intent: { invoice?: string; authenticated?: boolean };
  subscription: {
    /** End of the trial whose warning was sent. */
    trialEndSaidFor?: number;
    /** End of the period whose renewal was announced. */
    upcomingSaidFor?: number;
    /** Invoice that must be paid before the pending change applies. */
    pendingInvoice?: string | undefined;
  };
  invoice: {
    paymentIntent?: string;
    /** Retries after the first attempt. */
    retries: number;
    pageSecret: string;
  };
};

export type HiddenOf<K extends Kind> = K extends keyof HiddenByKind ? HiddenByKind[K] : Record<string, never>;

/** Decimals are sent as strings; the SDK parses them into `Decimal`. */
export function decimal(value: number): Stripe.Decimal {
  return String(value) as unknown as Stripe.Decimal;
}
