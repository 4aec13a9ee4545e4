import { integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Discount, InvoiceLine, InvoiceStatus, SubscriptionStatus } from './payment-provider.ts';
import type { Period } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

export const memberships = pgTable('memberships', {
  userId: uuid().primaryKey(),
  /** Until then everything can be heard without a charge. */
  giftUntil: time(),
  /** A trial is had once. */
  trialUsedAt: time(),
});

export const paymentCustomers = pgTable('payment_customers', {
  userId: uuid().primaryKey(),
  customerId: text().notNull(),
  createdAt: time().notNull().defaultNow(),
  /** When the provider was last asked. */
  syncedAt: time(),
});

/** The one that counts of each user, as the provider has it; amounts in cents. Written by the sync alone. */
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
  /** When a cancelled one stops, or has stopped. */
  endsAt: time(),
  /** The oldest invoice that waits for its money. */
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
  /** Taken from what the provider owed the customer. */
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
  /** SHA-256, in hex, of what the provider recognises a card by. */
  cardHash: text().primaryKey(),
  userId: uuid(),
  createdAt: time().notNull().defaultNow(),
});

export const paymentEvents = pgTable('payment_events', {
  eventId: text().primaryKey(),
  type: text().notNull(),
  customerId: text(),
  paymentId: text(),
  /** The provider's own time. */
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
  /** SHA-256, in hex, of the code; the code itself is in the mail alone. */
  codeHash: text(),
  sentAt: time(),
  redeemedBy: uuid(),
  redeemedAt: time(),
  /** Where it moves the next charge of a running subscription to, instead of adding to `giftUntil`. */
  chargeUntil: time(),
  appliedAt: time(),
  refundedAt: time(),
  createdAt: time().notNull().defaultNow(),
});

export const membershipMails = pgTable('membership_mails', {
  id: uuid().primaryKey(),
  kind: text()
    .$type<'welcome' | 'trial-ends' | 'receipt' | 'payment-failed' | 'ended' | 'gift' | 'gift-bought'>()
    .notNull(),
  /** What it is about: a subscription or invoice at the provider, a gift card. */
  ref: text().notNull(),
  userId: uuid(),
  giftCardId: uuid(),
  dueAt: time().notNull(),
  claimedUntil: time(),
  sentAt: time(),
});
