import type { ErrorCode } from '../kernel/errors.ts';
import type { Capabilities, ProviderName } from './capabilities.ts';
import type { Postback } from './hosted/hosted-provider.ts';
import type { Period } from './rules.ts';
import type { Action, Discount, Subscription } from './shapes.ts';
import type { ChargedTax, invoices, PaidBy, PromoCodeRules, SubscriptionStatus } from './tables.ts';

/**
 * Payment provider; a second one is a file in `src/gateways/` that passes `provider-contract.test.ts`. Amounts are whole
 * cents. An unreachable provider throws `DomainError('payment/unavailable')`; a refusal is a return value.
 */
export type PaymentProvider = Plans &
  Customers &
  Subscriptions &
  PeriodChanges &
  Cards &
  PromoCodes &
  SinglePayments &
  Totals &
  Events & {
    name: ProviderName;
    capabilities: Capabilities;
    /** Only with the capability `redirect`, where `subscribe` and the card are not offered. */
    checkouts?: Checkouts;
    /** Absent: subscriptions that another site has begun cannot go on there. */
    adoptions?: Adoptions;
    /** Whether it can work out tax now; only with the capability `taxService`. */
    isTaxReady?: () => Promise<boolean>;
    /** Only in sandboxes. */
    testClock?: TestClock;
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

// Plans

export type Plan = { period: Period; amount: number; currency: string };

export type Plans = {
  /** Checks that the prices of the settings exist; a sandbox creates missing ones. @throws PlansMissingError */
  checkPlans(plans: Plan[]): Promise<void>;
  /**
   * Finds or creates the prices, in a live account too, because an operator changed them. Existing customers keep
   * theirs.
   */
  preparePlans(plans: Plan[]): Promise<void>;
};

/** The operator has to create the prices at the provider: `message` names them. */
export class PlansMissingError extends Error {
  override name = 'PlansMissingError';
}

// Customers

/** Subscriptions to this site's plans, newest first; other products of the account are omitted. */
export type CustomerFacts = {
  subscriptions: SubscriptionFacts[];
  invoices: InvoiceFacts[];
  /** The newest subscription whose first charge failed; not part of `subscriptions`. */
  givenUpId: string | undefined;
};

/** As it is stored, but with the provider's id. */
export type InvoiceFacts = Omit<
  typeof invoices.$inferSelect,
  'userId' | 'invoiceId' | 'paidBy' | 'taxes' | 'awaitsDocument' | 'chargedBack' | 'chargedBackAt' | 'awaitsChargeBack'
> & {
  /** Cents that a lost dispute took; not those that `refunded` has. */
  chargedBack?: number;
  paidBy?: PaidBy | undefined;
  /** Tax that the provider worked out; null: it was not asked, or could not. */
  taxes?: ChargedTax[] | null;
  subscriptionId: string | undefined;
  /** A charge was tried and failed. */
  hasFailed: boolean;
  /** Ids of the promotion codes that reduced it. */
  promoCodeIds: string[];
};

export type Customers = {
  createCustomer(customer: { userId: string; email: string | undefined }): Promise<string>;
  /** No effect for a deleted customer. */
  changeEmail(customerId: string, email: string | undefined): Promise<void>;
  /** Ends all charges of the customer at once and deletes it. Idempotent. */
  deleteCustomer(customerId: string): Promise<void>;
  /** @returns undefined for an unknown or deleted customer */
  readCustomer(customerId: string): Promise<CustomerFacts | undefined>;
};

/** Why the subscription of a customer cannot go on here. */
export type AdoptionRefusal = 'customer-missing' | 'subscription-ended' | 'several-subscriptions' | 'other-rhythm';

/** Running subscriptions of the operator's account that another site has begun. Nothing is charged. */
export type Adoptions = {
  /** @returns undefined: it can go on here */
  check(customerId: string): Promise<AdoptionRefusal | undefined>;
  /** Marks it as the site's, for that user; `readCustomer` has it from then on. Safe to repeat. */
  adopt(customerId: string, userId: string): Promise<AdoptionRefusal | undefined>;
};

// Subscriptions

/** Unlocks what subscribers hear. */
export function isUsable(status: SubscriptionStatus): boolean {
  return status === 'active' || status === 'trialing';
}

export type SubscriptionFacts = {
  id: string;
  status: SubscriptionStatus;
  /** The price charged to this customer; the settings may have changed since. */
  plan: Plan;
  /** The card it is charged to. */
  cardId: string | undefined;
  /** Its last month, such as `2027-03`. */
  cardExpires: string | undefined;
  startedAt: Date;
  trialEndsAt: Date | undefined;
  /** End of the paid period or of the trial: the next charge. */
  periodEndsAt: Date;
  /** End of a cancelled subscription, future or past. */
  endsAt: Date | undefined;
  /** Planned for the end of the period. */
  nextPeriod: Period | undefined;
  discount: Discount | undefined;
  /** A step that the customer or the bank still has to complete. */
  action: Action | undefined;
  /** The key of the last `delayCharge` that had one. */
  movedBy: string | undefined;
};

/** Free time before the first charge: a trial or gift time. */
export type FreeTime = { days: number } | { until: Date };

export type Subscriptions = {
  /** Charges the card now or after the free time. Idempotent by key. A declined charge leaves no subscription. */
  subscribe(order: {
    customerId: string;
    cardId: string;
    plan: Plan;
    free: FreeTime | undefined;
    promoCodeId: string | undefined;
    /** The provider works out tax, by the card or the network's address; where it cannot, it charges the same without. */
    tax?: { address: string | undefined } | undefined;
    key: string;
  }): Promise<
    | { ok: true; subscription: SubscriptionFacts }
    | Declined
    // Someone else took the last one meanwhile.
    | { ok: false; reason: 'promo-code/used-up' }
  >;
  /** At once, without a refund. */
  cancelNow(subscriptionId: string): Promise<void>;
  /** Cancels a subscription that was never confirmed; `readCustomer` omits it from then on. */
  cancelUnconfirmed(subscriptionId: string): Promise<void>;
  /** A planned change of period is dropped with it, and comes back with `resume`. */
  cancelAtPeriodEnd(subscriptionId: string, reason: string | undefined): Promise<void>;
  resume(subscriptionId: string): Promise<void>;
  /**
   * Moves the next charge of a subscription that is not past due; a cancelled one stays so, and ends then instead. With a
   * key, a repeated call changes nothing, unless one with another key came between.
   * @param until `now`, for one that is not cancelled, charges a moved one at once; a declined charge leaves it past due
   * @returns not ok: refused for good, such as a date that is too far ahead; nothing changed
   */
  delayCharge(subscriptionId: string, until: Date | 'now', key?: string): Promise<{ ok: boolean }>;
  applyPromoCode(subscriptionId: string, promoCodeId: string): Promise<{ ok: true } | { ok: false }>;
};

export type PeriodChanges = {
  /** Cost of changing now; `credit` is the refund for unused time. */
  previewPeriodChange(
    subscriptionId: string,
    plan: Plan,
  ): Promise<{ dueToday: number; credit: number; currency: string; nextChargeAt: Date }>;
  /** At once, prorated and charged now; if the charge fails, nothing changes. */
  changePeriodNow(subscriptionId: string, plan: Plan): Promise<ChargeOutcome>;
  changePeriodAtEnd(subscriptionId: string, plan: Plan): Promise<void>;
  /** Cancels a planned change. */
  keepPeriod(subscriptionId: string): Promise<void>;
};

// Cards

export type Cards = {
  /**
   * A card that the browser sent to the provider.
   * @returns `fingerprint` is the same for one card in all accounts; undefined for an unknown card
   */
  findCard(cardId: string): Promise<{ fingerprint: string; customerId: string | undefined } | undefined>;
  /** For the card form in the browser. */
  startCardSetup(customerId: string): Promise<{ setupId: string; clientSecret: string }>;
  /** Makes that card the default. */
  finishCardSetup(customerId: string, setupId: string): Promise<{ ok: true } | Declined>;
  /** Voids an open invoice, which is then never charged; no effect on any other one. */
  voidInvoice(invoiceId: string): Promise<void>;
  /** Retries the oldest open invoice. */
  payOpenInvoice(customerId: string): Promise<ChargeOutcome>;
  /** The card and the next charge; each absent when there is none. */
  readUpcoming(
    customerId: string,
    subscriptionId: string | undefined,
  ): Promise<
    { [Part in 'card' | 'nextCharge']: NonNullable<Subscription[Part]> | undefined } & {
      /** In the next charge, where the provider works it out. */
      tax?: number | undefined;
    }
  >;
};

// Orders that are paid on the provider's page

export type Checkouts = {
  /**
   * Stores the order, then asks for the page's address.
   * @throws DomainError `payment/unavailable`
   */
  startCheckout(order: {
    customerId: string;
    userId: string;
    plan: Plan;
    free: FreeTime | undefined;
    promoCode: PromoCode | undefined;
    returnTo: string | undefined;
  }): Promise<{ url: string; reference: string }>;
  /** @returns undefined for an unknown order, and for another customer's */
  findCheckout(customerId: string, reference: string): Promise<CheckoutFacts | undefined>;
  /** Asks the provider what it knows of the customer's sales that may have changed, and stores it. */
  catchUp(customerId: string): Promise<void>;
  /** Pages on which buyers change their card and find their receipts, and cancel if the site cannot. */
  pagesOf(subscriptionId: string): Promise<{ account: string | undefined; cancel: string | undefined }>;
};

export type CheckoutFacts = {
  state: 'open' | 'waiting' | 'declined' | 'closed' | 'paid';
  /** The provider's word for a declined payment. */
  reason: string | undefined;
  confirmations: number | undefined;
  paidAmount: number | undefined;
  currency: string;
  period: Period;
  returnTo: string | undefined;
  createdAt: Date;
};

// Promo codes

export type PromoCode = {
  id: string;
  /** As created; users may type it in any case. */
  code: string;
  discount: Omit<Discount, 'code' | 'endsAt'>;
  /** Number of months, for a discount of some months. */
  months: number | undefined;
  /** The amount's; undefined for a percentage, which counts in all. */
  currency: string | undefined;
  /** Amounts off in further currencies. */
  amounts: Record<string, number>;
  minimumAmount: number | undefined;
  /** Only for customers who never paid before. */
  isFirstTimeOnly: boolean;
  isActive: boolean;
  expiresAt: Date | undefined;
  maxRedemptions: number | undefined;
  redemptions: number;
};

export type NewPromoCode = Omit<PromoCodeRules, 'expiresAt'> & { expiresAt?: Date | undefined };

export type PromoCodes = {
  /** @param code in any case. @returns exhausted codes too; undefined for an unknown code */
  findPromoCode(code: string): Promise<PromoCode | undefined>;
  /** Newest first, at most 1,000, without those that are for one user. */
  listPromoCodes(): Promise<PromoCode[]>;
  /** Idempotent by key, a UUID, permanently. @returns undefined when another active code has that name, or it is refused */
  createPromoCode(promoCode: NewPromoCode, key?: string): Promise<PromoCode | undefined>;
  disablePromoCode(id: string): Promise<void>;
  /** Offers a disabled code again. @returns false when another active code has that name, or it cannot be offered */
  enablePromoCode(id: string): Promise<boolean>;
};

// Single payments, outside of subscriptions

export type PaymentFacts = {
  /** `refunded`: refunded, or charged back by the bank. `disputed`: the bank has not decided, or for the site. */
  status: 'waiting' | 'paid' | 'disputed' | 'refunded';
  /** Undefined without a customer. */
  customerId: string | undefined;
  amount: number;
  /** Cents that were refunded. */
  refunded: number;
};

/** By the provider's script, or on its page: then `url` is set, and the secret is empty. */
export type PaymentStep = { clientSecret: string; url?: string };

export type SinglePayments = {
  /** The browser pays it with the secret. @param payment neither `description` nor the bank statement names a title */
  startPayment(payment: {
    amount: number;
    currency: string;
    description: string;
    customerId: string | undefined;
    /** Path of this site on which the buyer goes on, where the payment is made on a page of the provider. */
    returnTo?: string;
    key: string;
  }): Promise<{ paymentId: string } & PaymentStep>;
  findPayment(paymentId: string): Promise<PaymentFacts | undefined>;
  /** Cancels an unpaid payment. @returns false when it was paid already */
  cancelPayment(paymentId: string): Promise<boolean>;
  /** Refunds what is left of the payment; no effect when all was refunded, or it was charged back. */
  refundPayment(paymentId: string): Promise<void>;
  /**
   * Refunds a paid invoice of a subscription, whole or in part. Idempotent by key, permanently.
   * @returns `refunded`: total cents of the invoice paid back. Refused: it has no payment, was charged back, or has
   * less than `amount` left
   */
  refundInvoice(refund: { invoiceId: string; amount: number; key: string }): Promise<InvoiceRefundOutcome>;
};

export type InvoiceRefundOutcome = { ok: true; refunded: number } | { ok: false };

// Totals: everything that the provider has, whether this site knows it or not; none of one that lists nothing

/** @param after of the page before; undefined: the first page */
export type TotalsQuery = { until: Date; after: string | undefined };
/** `after`: where the next page begins; undefined on the last one. */
export type TotalsPage<Item> = { items: Item[]; after: string | undefined };

export type PayingSubscription = { id: string; customerId: string; startedAt: Date; renews: boolean };

export type MadePayment = {
  paymentId: string;
  /** Undefined without a customer. */
  customerId: string | undefined;
  /** Made by this site, for a customer that still exists; otherwise it may belong to something else that is sold. */
  isOwn: boolean;
  amount: number;
  currency: string;
  refunded: number;
  /** Refunded whole, or charged back by the bank. */
  isTakenBack: boolean;
  createdAt: Date;
};

export type Totals = {
  /** Subscriptions to this site's plans, begun before `until`, that are active and paid for, newest first. */
  listPaying(query: TotalsQuery): Promise<TotalsPage<PayingSubscription>>;
  /** Successful payments within that time, newest first. */
  listPayments(query: TotalsQuery & { from: Date }): Promise<TotalsPage<MadePayment>>;
};

// Events

/** Names the subject of an event. Its content is not trusted: the named customer or payment is fetched again. */
export type PaymentEvent = {
  id: string;
  type: string;
  createdAt: Date;
  customerId: string | undefined;
  paymentId: string | undefined;
};

export type Events = {
  /**
   * Verifies and parses a request at the webhook, whose body must be unmodified.
   * @returns undefined unless it is proven to come from the provider, lately
   */
  readEvents(postback: Postback): Promise<PaymentEvent[] | undefined>;
  /** Body of the answer that the provider takes as received. */
  received: string;
};

/** Advances a customer's clock, to test a year of charges in a minute. */
export type TestClock = {
  /** A customer with a clock of its own that starts at `startsAt`. */
  createCustomer(customer: { userId: string; email: string | undefined; startsAt: Date }): Promise<string>;
  /** @returns undefined for a customer without a clock of its own */
  timeOf(customerId: string): Promise<Date | undefined>;
  advance(customerId: string, to: Date): Promise<void>;
};
