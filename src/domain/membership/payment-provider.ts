import type { ErrorCode } from '../errors.ts';
import type { Period } from './rules.ts';

/**
 * Who charges cards, in the site's own words. The rest of the site does not know which provider it is: a second one is a
 * file in `src/gateways/` that passes `payment-provider.test.ts`. Amounts are whole cents. Failures that are nobody's
 * fault (the provider cannot be reached) throw `DomainError('payment/unavailable')`; a refusal is an answer.
 */

export type Plan = { period: Period; amount: number; currency: string };

export const subscriptionStatuses = ['confirming', 'trialing', 'active', 'past-due', 'ended'] as const;
/**
 * `confirming`: the bank's own step (3-D Secure) is not done, so nothing may be heard yet, even where the provider calls
 * it a trial already. `past-due`: a charge failed, and is tried again.
 */
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** What the browser has to do with the provider's own script: the bank's step for a card to be kept, or for a payment. */
export type Action = { kind: 'setup' | 'payment'; clientSecret: string };

export type Discount = {
  code: string | null;
  /** One of the two is set. */
  percentOff: number | null;
  amountOff: number | null;
  duration: 'once' | 'months' | 'forever';
  /** ISO 8601; null where it has no end, or ends by being used. */
  endsAt: string | null;
};

export type SubscriptionFacts = {
  id: string;
  status: SubscriptionStatus;
  /** As it is charged to this customer: prices may have changed since. */
  plan: Plan;
  /** The card it is charged to. */
  cardId: string | undefined;
  startedAt: Date;
  trialEndsAt: Date | undefined;
  /** Of what is paid for, or of the trial: the next charge. */
  periodEndsAt: Date;
  /** When a cancelled one stops, or has stopped. */
  endsAt: Date | undefined;
  /** Planned for the end of the period. */
  nextPeriod: Period | undefined;
  discount: Discount | undefined;
  /** What the bank or the customer still has to do. */
  action: Action | undefined;
};

export type InvoiceStatus = 'open' | 'paid' | 'void' | 'uncollectible';
/** `start` and `end` are ISO 8601. */
export type InvoiceLine = { description: string; amount: number; start: string; end: string };

export type InvoiceFacts = {
  id: string;
  subscriptionId: string | undefined;
  number: string | undefined;
  status: InvoiceStatus;
  currency: string;
  subtotal: number;
  discount: number;
  /** Taken from what the provider owed the customer. */
  credit: number;
  total: number;
  amountDue: number;
  amountPaid: number;
  periodStart: Date;
  periodEnd: Date;
  createdAt: Date;
  paidAt: Date | undefined;
  /** A charge was tried, and failed. */
  hasFailed: boolean;
  /** Ids of the codes that took something off. */
  promoCodeIds: string[];
  /** The holder of the card told the bank that the charge was not theirs: the money is gone again. */
  isDisputed: boolean;
  lines: InvoiceLine[];
};

/** Subscriptions to this site's plans, newest first; other products of the same account are left out. */
export type CustomerFacts = {
  subscriptions: SubscriptionFacts[];
  invoices: InvoiceFacts[];
  /** The newest subscription that never came to be, since its first charge failed: none of `subscriptions`. */
  givenUpId: string | undefined;
};

export type Declined = {
  ok: false;
  reason: Extract<
    ErrorCode,
    | 'payment/card-declined'
    | 'payment/insufficient-funds'
    | 'payment/expired-card'
    | 'payment/incorrect-cvc'
    | 'payment/incorrect-number'
    | 'payment/processing-error'
    | 'payment/authentication-failed'
    | 'payment/unknown-method'
  >;
};

export type ChargeOutcome = { ok: true; action: Action | undefined } | Declined;

export type PromoCode = {
  id: string;
  /** As it was made; typed in whatever case. */
  code: string;
  discount: Omit<Discount, 'code' | 'endsAt'>;
  /** With `months`: how many. */
  months: number | undefined;
  currency: string | undefined;
  minimumAmount: number | undefined;
  /** Only who never paid before. */
  isFirstTimeOnly: boolean;
  isActive: boolean;
  expiresAt: Date | undefined;
  maxRedemptions: number | undefined;
  redemptions: number;
};

export type NewPromoCode = {
  code: string;
  percentOff?: number | undefined;
  amountOff?: number | undefined;
  currency: string;
  duration: Discount['duration'];
  months?: number | undefined;
  expiresAt?: Date | undefined;
  maxRedemptions?: number | undefined;
  isFirstTimeOnly?: boolean | undefined;
};

export type CardView = { brand: string; last4: string; expMonth: number; expYear: number };

/** One payment that is no subscription. */
export type PaymentFacts = {
  /** `refunded`: given back, or taken back by the bank. */
  status: 'waiting' | 'paid' | 'refunded';
  /** Whose it is; undefined for nobody's. */
  customerId: string | undefined;
  amount: number;
  clientSecret: string | undefined;
};

/** What an event is about. What it says is not read: whoever is named is asked for anew. */
export type PaymentEvent = {
  id: string;
  type: string;
  createdAt: Date;
  customerId: string | undefined;
  paymentId: string | undefined;
};

export type PaymentProvider = {
  name: string;
  /** Prices are there, and are those of the settings; in a sandbox they are made. @throws PlansMissingError */
  checkPlans(plans: Plan[]): Promise<void>;

  createCustomer(customer: { userId: string; email: string | undefined }): Promise<string>;
  /** Ends all that is charged to the customer, at once, and forgets who it was. One that is gone already is fine. */
  deleteCustomer(customerId: string): Promise<void>;
  /** @returns undefined where there is no such customer (any more) */
  readCustomer(customerId: string): Promise<CustomerFacts | undefined>;
  /** What is shown of the card, and what the next charge will be; each absent where there is none. */
  readUpcoming(
    customerId: string,
    subscriptionId: string | undefined,
  ): Promise<{ card: CardView | undefined; nextCharge: { amount: number; currency: string; at: Date } | undefined }>;

  /**
   * A card that the browser handed to the provider.
   * @returns `fingerprint` is the same for the same card in whatever account; undefined for no such card
   */
  findCard(cardId: string): Promise<{ fingerprint: string; customerId: string | undefined } | undefined>;
  /**
   * Charges the card now, or after the free time. Called again with the same key, it answers the same and charges nothing.
   * A declined one leaves no subscription behind.
   */
  subscribe(order: {
    customerId: string;
    cardId: string;
    plan: Plan;
    free: { days: number } | { until: Date } | undefined;
    promoCodeId: string | undefined;
    key: string;
  }): Promise<
    | { ok: true; subscription: SubscriptionFacts }
    | Declined
    // The last one was taken by somebody else meanwhile.
    | { ok: false; reason: 'promo-code/used-up' }
  >;
  /** At once, without giving anything back. `asIfNever`: it was never confirmed, and is not told of any more. */
  cancelNow(subscriptionId: string, options: { asIfNever: boolean }): Promise<void>;
  cancelAtPeriodEnd(subscriptionId: string, reason: string | undefined): Promise<void>;
  resume(subscriptionId: string): Promise<void>;
  /** What changing at this moment costs; `credit` is what is given back for unused time. */
  previewPeriodChange(
    subscriptionId: string,
    plan: Plan,
  ): Promise<{ dueToday: number; credit: number; currency: string; nextChargeAt: Date }>;
  /** At once, prorated; what it costs is charged now, and where that fails nothing has changed. */
  changePeriodNow(subscriptionId: string, plan: Plan): Promise<ChargeOutcome>;
  changePeriodAtEnd(subscriptionId: string, plan: Plan): Promise<void>;
  /** Takes a planned change back. */
  keepPeriod(subscriptionId: string): Promise<void>;
  /** Nothing is charged before then. */
  delayCharge(subscriptionId: string, until: Date): Promise<void>;
  applyPromoCode(subscriptionId: string, promoCodeId: string): Promise<{ ok: true } | { ok: false }>;
  /** Tries the oldest open invoice again. */
  payOpenInvoice(customerId: string): Promise<ChargeOutcome>;

  /** The browser enters a card with it. */
  startCardSetup(customerId: string): Promise<{ setupId: string; clientSecret: string }>;
  /** Charges go to that card from now on. */
  finishCardSetup(customerId: string, setupId: string): Promise<{ ok: true } | Declined>;

  /** @param code in whatever case. @returns one that can be used no more, too; undefined for none */
  findPromoCode(code: string): Promise<PromoCode | undefined>;
  /** Newest first, at most 100. */
  listPromoCodes(): Promise<PromoCode[]>;
  /** @returns undefined where an active one has that code */
  createPromoCode(promoCode: NewPromoCode): Promise<PromoCode | undefined>;
  disablePromoCode(id: string): Promise<void>;

  /** The browser pays it with the secret. @param payment `description` and bank statement name no title */
  startPayment(payment: {
    amount: number;
    currency: string;
    description: string;
    customerId: string | undefined;
    key: string;
  }): Promise<{ paymentId: string; clientSecret: string }>;
  findPayment(paymentId: string): Promise<PaymentFacts | undefined>;
  /** Nobody can pay it any more. @returns false where somebody has */
  cancelPayment(paymentId: string): Promise<boolean>;
  /** Gives all of it back; a second time changes nothing, nor where the bank has taken it back. */
  refundPayment(paymentId: string): Promise<void>;

  /**
   * What the provider sent, as the bytes that came.
   * @returns undefined for what is not from the provider, was changed on the way, or is older than five minutes
   */
  readEvent(body: string, header: (name: string) => string | undefined): PaymentEvent | undefined;

  /** Where time can be moved: sandboxes. */
  testClock?: TestClock;
};

/** Lets a customer's time be moved, to see a year of charges in a minute. */
export type TestClock = {
  /** A customer that lives in its own time, from `startsAt` on. */
  createCustomer(customer: { userId: string; email: string | undefined; startsAt: Date }): Promise<string>;
  /** @returns undefined where the customer lives in everybody's time */
  timeOf(customerId: string): Promise<Date | undefined>;
  advance(customerId: string, to: Date): Promise<void>;
};

/** The operator has to make the prices at the provider: `message` says which. */
export class PlansMissingError extends Error {
  override name = 'PlansMissingError';
}
