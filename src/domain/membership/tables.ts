import { bigint, boolean, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { ActorRole } from '../kernel/actor.ts';
import type { Period } from './rules.ts';
import type { Correction, Discount, Invoice, InvoiceDetail, ReconciliationFailure, Total } from './shapes.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

export const memberships = pgTable('memberships', {
  userId: uuid().primaryKey(),
  /** End of the gift time. */
  giftUntil: time(),
  /** One trial per user. */
  trialUsedAt: time(),
  /** The provider refused to move the next charge behind the gift time. */
  chargeRefusedAt: time(),
});

export const paymentCustomers = pgTable('payment_customers', {
  userId: uuid().primaryKey(),
  customerId: text().notNull(),
  createdAt: time().notNull().defaultNow(),
  syncedAt: time(),
  /** The provider has an older email. */
  emailChangedAt: time(),
  /** Another site had made it; what was charged before is not a sale of this one. */
  adoptedAt: time(),
});

/** Customers at the providers that users paid through before; read for their invoices. */
export const formerPaymentCustomers = pgTable('former_payment_customers', {
  customerId: text().primaryKey(),
  userId: uuid().notNull(),
  createdAt: time().notNull(),
  syncedAt: time(),
});

/**
 * `confirming`: the bank's step (3-D Secure) is pending, so nothing is unlocked yet, even if the provider already
 * reports a trial. `past-due`: a charge failed and will be retried.
 */
export type SubscriptionStatus = 'confirming' | 'trialing' | 'active' | 'past-due' | 'ended';

/** The relevant subscription of each user, in the provider's state; amounts in cents. Only the sync writes it. */
export const subscriptions = pgTable('subscriptions', {
  userId: uuid().primaryKey(),
  subscriptionId: text().notNull(),
  status: text().$type<SubscriptionStatus>().notNull(),
  period: text().$type<Period>().notNull(),
  amount: integer().notNull(),
  currency: text().notNull(),
  startedAt: time().notNull(),
  trialEndsAt: time(),
  periodEndsAt: time().notNull(),
  /** End of a cancelled subscription, future or past. */
  endsAt: time(),
  /** The oldest unpaid invoice. */
  unpaidSince: time(),
  nextPeriod: text().$type<Period>(),
  discount: jsonb().$type<Discount>(),
  /** Last month of the card it is charged to, such as `2027-03`; null: unknown, or none. */
  cardExpires: text(),
});

export const invoices = pgTable('invoices', {
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  invoiceId: text().notNull(),
  number: text(),
  status: text().$type<Invoice['status']>().notNull(),
  currency: text().notNull(),
  subtotal: integer().notNull(),
  discount: integer().notNull(),
  /** Deducted from the customer's balance at the provider. */
  credit: integer().notNull(),
  total: integer().notNull(),
  amountDue: integer().notNull(),
  amountPaid: integer().notNull(),
  periodStart: time().notNull(),
  periodEnd: time().notNull(),
  createdAt: time().notNull(),
  paidAt: time(),
  lines: jsonb().$type<InvoiceDetail['lines']>().notNull(),
  /** Cents that the provider paid back. */
  refunded: integer().notNull().default(0),
  /** The cardholder disputed the charge, so the money was taken back. */
  isDisputed: boolean().notNull().default(false),
  /** The payment that settled it, at the provider; null: none, or not read since its column exists. */
  paymentId: text(),
  /** Cents that a lost dispute took, and when that was found. */
  chargedBack: integer().notNull().default(0),
  chargedBackAt: time(),
  /** Once it is charged back, the site issues a credit note. */
  awaitsChargeBack: boolean().notNull().default(true),
  /** As the provider says; for the tax of this site's invoice. */
  paidBy: jsonb().$type<PaidBy>(),
  /** Tax that the provider worked out and charged; null: the site's table counts. */
  taxes: jsonb().$type<ChargedTax[]>(),
  /** Once it is paid, the site issues an invoice. False: done, or the provider sells in its own name. */
  awaitsDocument: boolean().notNull().default(true),
});

/** ISO 3166 country of the card or the billing address. */
export type PaidBy = { country: string };

/** A tax within the price. */
export type ChargedTax = {
  country: string | null;
  state: string | null;
  /** Such as 8.875. */
  percentage: number;
  /** The provider's word for it, such as `VAT`. */
  name: string;
  amount: number;
};

export const invoiceRefunds = pgTable('invoice_refunds', {
  /** Also the request's key at the provider. */
  id: uuid().primaryKey(),
  invoiceId: uuid().notNull(),
  userId: uuid().notNull(),
  amount: integer().notNull(),
  currency: text().notNull(),
  /** `asked`: the provider's answer is not known yet. */
  state: text().$type<'asked' | 'done' | 'refused'>().notNull(),
  /** Null: made at the provider, not here. */
  reason: text(),
  /** It is owed once this subscription has ended; null: at once. */
  endsSubscription: text(),
  createdAt: time().notNull().defaultNow(),
  /** Once it is done, the site issues a credit note. */
  awaitsDocument: boolean().notNull().default(true),
});

/** Operators' acts on a subscription that no sync has found done yet. */
export const subscriptionWishes = pgTable('subscription_wishes', {
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  subscriptionId: text().notNull(),
  act: text().$type<'cancel-end' | 'cancel-now' | 'resume'>().notNull(),
  reason: text(),
  actorId: uuid(),
  actorRole: text().$type<ActorRole>().notNull(),
  statusBefore: text().$type<SubscriptionStatus>().notNull(),
  endsAtBefore: time(),
  createdAt: time().notNull().defaultNow(),
});

export const trialCards = pgTable('trial_cards', {
  /** SHA-256, in hex, of the card's fingerprint at the provider. */
  cardHash: text().primaryKey(),
  userId: uuid(),
  createdAt: time().notNull().defaultNow(),
});

export const paymentEvents = pgTable('payment_events', {
  eventId: text().primaryKey(),
  type: text().notNull(),
  customerId: text(),
  paymentId: text(),
  /** The provider's timestamp. */
  createdAt: time().notNull(),
  receivedAt: time().notNull().defaultNow(),
  status: text().$type<'received' | 'done' | 'ignored' | 'failed'>().notNull().default('received'),
  attempts: integer().notNull().default(1),
  error: text(),
  settledAt: time(),
});

export const paymentLocks = pgTable('payment_locks', {
  key: text().primaryKey(),
  token: uuid().notNull(),
  until: time().notNull(),
});

/** Read by the version before this one only; the next release removes it (decision 007). */
export const reconciliations = pgTable('reconciliations', {
  name: text().primaryKey(),
  afterUserId: uuid().notNull(),
  startedAt: time().notNull().defaultNow(),
});

const cents = () => bigint({ mode: 'number' }).notNull().default(0);

/** A run without an end is in progress or was interrupted. */
export const reconciliationRuns = pgTable('reconciliation_runs', {
  id: uuid().primaryKey(),
  startedAt: time().notNull().defaultNow(),
  endedAt: time(),
  customers: integer().notNull().default(0),
  /** Customers whose stored state differed from the provider's. */
  mended: integer().notNull().default(0),
  /** Subscriptions that were cancelled, because the bank's step was never completed. */
  abandoned: integer().notNull().default(0),
  /** Paid less refunded of the compared invoices: at the provider, and here before and after. */
  atProvider: cents(),
  hereBefore: cents(),
  hereAfter: cents(),
  corrections: jsonb().$type<Correction[]>().notNull().default([]),
  failures: jsonb().$type<ReconciliationFailure[]>().notNull().default([]),
  failed: integer().notNull().default(0),
  /** Compared over everything that the provider lists. */
  totals: jsonb().$type<Total[]>().notNull().default([]),
  /** After an interruption it continues here; null once it has ended. */
  position: jsonb().$type<ReconciliationPosition>(),
});

export const reconciliationSteps = [
  'customers',
  'gift-cards',
  'unpaid-gift-cards',
  'tips',
  'refunds',
  'paying',
  'payments',
] as const;

/** Within a step: the last one that was compared. */
export type ReconciliationPosition = {
  step: (typeof reconciliationSteps)[number];
  after?: string | undefined;
  /** ISO 8601: what is newer is left to the next run. */
  until?: string | undefined;
  /** ISO 8601: subscriptions here that began earlier are still to be compared. */
  before?: string | undefined;
};

export const giftCards = pgTable('gift_cards', {
  id: uuid().primaryKey(),
  months: integer().notNull(),
  amount: integer().notNull(),
  currency: text().notNull(),
  buyerId: uuid(),
  buyerEmail: text(),
  senderName: text(),
  recipientEmail: text(),
  message: text(),
  deliverAt: time().notNull(),
  paymentId: text(),
  paidAt: time(),
  /** SHA-256, in hex, of the code, which is only mailed. */
  codeHash: text(),
  sentAt: time(),
  redeemedBy: uuid(),
  redeemedAt: time(),
  /** New date of the next charge of a running subscription, instead of adding to `giftUntil`. */
  chargeUntil: time(),
  appliedAt: time(),
  refundedAt: time(),
  createdAt: time().notNull().defaultNow(),
  /** Last letters of the newest code. */
  codeEnding: text(),
  /** Paid back although it was redeemed; the months stay. */
  paidBackAt: time(),
  /** The site issues documents of what is sold, redeemed and paid back. False: done, or it does not sell itself. */
  awaitsSaleDocument: boolean().notNull().default(false),
  awaitsRedemptionDocument: boolean().notNull().default(false),
  awaitsRefundDocument: boolean().notNull().default(false),
  /** Cents that the refund pays back. */
  refundAmount: integer(),
  /** `asked`: the provider's answer is not known yet. Null on a card that was paid back: its dispute is not lost. */
  refundState: text().$type<'asked' | 'done'>(),
});

/** Months given by operators: they move the next charge of a running subscription, or are gift time. */
export const givenMonths = pgTable('given_months', {
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  months: integer().notNull(),
  chargeBefore: time(),
  chargeUntil: time(),
  /** Null: the provider's answer is not known yet. */
  appliedAt: time().defaultNow(),
  giftFrom: time(),
  giftUntil: time(),
  /** They are asked for back; the next charge moves to `backUntil` before they are. */
  takingBackAt: time(),
  backUntil: time(),
  takenBackAt: time(),
  createdAt: time().notNull().defaultNow(),
});

/** As JSON has it. */
export type PromoCodeRules = {
  code: string;
  percentOff?: number | undefined;
  amountOff?: number | undefined;
  currency: string;
  /** Amounts off in further currencies. */
  amounts?: Record<string, number> | undefined;
  duration: Discount['duration'];
  months?: number | undefined;
  expiresAt?: string | undefined;
  maxRedemptions?: number | undefined;
  isFirstTimeOnly?: boolean | undefined;
  /** Made by the site for one user. There may be many of them, so they are not listed. */
  isForOne?: boolean | undefined;
};

/** Changes of promo codes that the provider is asked for. */
export const promoCodeWishes = pgTable('promo_code_wishes', {
  /** Also the key of a code that was made. */
  id: uuid().primaryKey(),
  kind: text().$type<'create' | 'replace' | 'end'>().notNull(),
  /** The code that is replaced or ended. */
  promoCodeId: text(),
  rules: jsonb().$type<PromoCodeRules>(),
  /** `asked`: the provider's answer is not known yet. */
  state: text().$type<'asked' | 'done' | 'refused'>().notNull(),
  createdAt: time().notNull().defaultNow(),
});

export const membershipMails = pgTable('membership_mails', {
  id: uuid().primaryKey(),
  kind: text()
    .$type<
      | 'welcome'
      | 'trial-ends'
      | 'receipt'
      | 'payment-failed'
      | 'ended'
      | 'gift'
      | 'gift-bought'
      | 'refund'
      | 'provider-moved'
      | 'cancel-there'
      | 'card-expires'
      | 'renewal'
      | 'prepaid-ends'
      | 'win-back'
      | 'pause-agreed'
      | 'pause-ends'
    >()
    .notNull(),
  /**
   * Id of its subject: a subscription or invoice at the provider, a gift card, a refund, a moved subscription, a pause,
   * or a win-back. After a subscription's, the day of the charge or the month of the card may follow.
   */
  ref: text().notNull(),
  userId: uuid(),
  giftCardId: uuid(),
  dueAt: time().notNull(),
  claimedUntil: time(),
  sentAt: time(),
});
