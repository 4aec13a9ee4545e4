import { pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const users = pgTable('users', {
  id: uuid().primaryKey(),
  username: text().notNull(),
  icon: text(),
  /** Index into the avatar colours of the design, 0–5. */
  color: smallint().notNull().default(0),
  createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
});
