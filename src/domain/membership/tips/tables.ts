import { boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = () => timestamp({ withTimezone: true, precision: 3 });

/** One-off payments to creators. A trigger enters what they earn, and what is taken back, in the payouts of the month. */
export const tips = pgTable('tips', {
  id: uuid().primaryKey(),
  voiceId: uuid().notNull(),
  voiceName: text().notNull(),
  /** On whose page it was given. */
  audioId: uuid(),
  /** Null: the account was deleted. */
  giverId: uuid(),
  /** The creator does not learn who gave it. */
  isAnonymous: boolean().notNull(),
  /** For the creator only. */
  note: text(),
  amount: integer().notNull(),
  currency: text().notNull(),
  /** The site's part of what is left after tax. */
  sharePermille: integer().notNull(),
  /** Country of the network from which it was begun. */
  region: text(),
  /** Null: the provider has not answered. */
  paymentId: text(),
  createdAt: time().notNull().defaultNow(),
  paidAt: time(),
  /** Null: without tax. */
  taxPermille: integer(),
  tax: integer().notNull().default(0),
  /** The creator's part in cents, once it is paid. */
  earned: integer().notNull().default(0),
  disputedAt: time(),
  refundedAt: time(),
  /** `asked`: the provider's answer is not known yet. */
  refundState: text().$type<'asked' | 'done'>(),
  /** The site issues documents of what is paid and paid back. False: done, or it does not sell itself. */
  awaitsDocument: boolean().notNull(),
  awaitsCreditNote: boolean().notNull(),
});
