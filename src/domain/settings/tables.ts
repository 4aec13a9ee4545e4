import { integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/** One row per setting that operators change while the site runs, and a few marks of the site's own. */
export const siteSettings = pgTable('site_settings', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  /** Counts the changes, so that of two operators one gets a conflict. */
  revision: integer().notNull().default(1),
  /** Null: the command line, the site itself, or an account that is gone. */
  changedBy: uuid(),
  updatedAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
});
