import { pgTable, timestamp, uuid } from 'drizzle-orm/pg-core';

export const memberships = pgTable('memberships', {
  userId: uuid().primaryKey(),
  /** Until then everything can be heard without a charge. */
  giftUntil: timestamp({ withTimezone: true, precision: 3 }),
});
