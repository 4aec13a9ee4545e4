import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = () => timestamp({ withTimezone: true, precision: 3 });

/** An account's entry, as which it wants to be paid. */
export const payees = pgTable('payees', {
  userId: uuid().primaryKey(),
  /** A `Payee`, encrypted. */
  sealed: text().notNull(),
  changedAt: time().notNull().defaultNow(),
});

/** The owner who is paid for a creator. The row ends with the ownership; an owner who became an editor is not paid. */
export const voicePayees = pgTable('voice_payees', {
  voiceId: uuid().primaryKey(),
  userId: uuid().notNull(),
});

/** The payee of a payment that was made. */
export const paymentPayees = pgTable('payment_payees', {
  paymentId: uuid().primaryKey(),
  /** Null: the account is deleted. */
  userId: uuid(),
  /** A `PaidPayee`, encrypted. */
  sealed: text().notNull(),
});
