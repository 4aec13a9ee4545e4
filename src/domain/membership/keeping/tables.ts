import { boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = () => timestamp({ withTimezone: true, precision: 3 });

/** Months without charges and without access, behind the paid time; at most one of a user has not ended. */
export const pauses = pgTable('pauses', {
  /** Also the key at the provider. */
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  subscriptionId: text().notNull(),
  months: integer().notNull(),
  /** End of the paid time. Moves with the charge until it is reached. */
  fromAt: time().notNull(),
  /** The next charge. */
  untilAt: time().notNull(),
  /** Null: the provider's answer is not known yet. */
  appliedAt: time(),
  /** Its end is asked for; the next charge moves to `backUntil` before it is. */
  endingAt: time(),
  backUntil: time(),
  /** Before `fromAt`: it was taken back, and nothing was paused. */
  endedAt: time(),
  createdAt: time().notNull().defaultNow(),
});

/** The operator's offers to people about to cancel, as far as they were accepted. */
export const stayOffers = pgTable('stay_offers', {
  /** Also the key of its promo code. */
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  subscriptionId: text().notNull(),
  code: text().notNull(),
  percentOff: integer().notNull(),
  months: integer().notNull(),
  currency: text().notNull(),
  /** For the next charge alone. */
  isOnce: boolean().notNull(),
  promoCodeId: text(),
  /** `asked`: the provider's answer is not known yet. */
  state: text().$type<'asked' | 'done' | 'refused'>().notNull(),
  createdAt: time().notNull().defaultNow(),
});
