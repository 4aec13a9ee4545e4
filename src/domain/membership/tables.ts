import { integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Discount, InvoiceLine, InvoiceStatus, SubscriptionStatus } from './payment-provider.ts';
import type { Period } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

export const memberships = pgTable('memberships', {
  userId: uuid().primaryKey(),
  /** End of the gift time. */
  giftUntil: time(),
  /** One trial per user. */
  trialUsedAt: time(),
});

export const paymentCustomers = pgTable('payment_customers', {
  userId: uuid().primaryKey(),
  customerId: text().notNull(),
  createdAt: time().notNull().defaultNow(),
  syncedAt: time(),
});

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
});

export const invoices = pgTable('invoices', {
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  invoiceId: text().notNull(),
  number: text(),
  status: text().$type<InvoiceStatus>().notNull(),
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
  lines: jsonb().$type<InvoiceLine[]>().notNull(),
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

/** Progress of each running reconciliation: after an interruption it continues behind `afterUserId`. */
export const reconciliations = pgTable('reconciliations', {
  name: text().primaryKey(),
  afterUserId: uuid().notNull(),
  startedAt: time().notNull().defaultNow(),
});

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
});

/** Months given by operators. The two dates belong to a running subscription whose charge moved. */
export const givenMonths = pgTable('given_months', {
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  months: integer().notNull(),
  chargeBefore: time(),
  chargeUntil: time(),
  takenBackAt: time(),
  createdAt: time().notNull().defaultNow(),
});

export const membershipMails = pgTable('membership_mails', {
  id: uuid().primaryKey(),
  kind: text()
    .$type<'welcome' | 'trial-ends' | 'receipt' | 'payment-failed' | 'ended' | 'gift' | 'gift-bought'>()
    .notNull(),
  /** Id of its subject: a subscription or invoice at the provider, or a gift card. */
  ref: text().notNull(),
  userId: uuid(),
  giftCardId: uuid(),
  dueAt: time().notNull(),
  claimedUntil: time(),
  sentAt: time(),
});
