import { integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Language } from '#formats/languages.ts';

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

/** Operators' texts in other languages. */
export const translations = pgTable(
  'translations',
  {
    kind: text().notNull(),
    /** Id of a row, or a name. */
    subject: text().notNull(),
    field: text().notNull(),
    language: text().$type<Language>().notNull(),
    text: text().notNull(),
    /** The text that it translates, as it was then. */
    source: text().notNull(),
    updatedAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.subject, table.field, table.language] })],
);
