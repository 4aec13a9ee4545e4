import { integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/** One row per setting that operators change while the site runs, and some internal marks. */
export const siteSettings = pgTable('site_settings', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  /** Revision: of two concurrent changes one is a conflict. */
  revision: integer().notNull().default(1),
  /** Null: the command line, the site itself, or a deleted account. */
  changedBy: uuid(),
  updatedAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
});
