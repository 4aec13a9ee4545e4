import { jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = () => timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow();

export const analyticsEvents = pgTable('analytics_events', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  source: text(),
  subjectId: uuid(),
  properties: jsonb().$type<Record<string, string | number>>().notNull().default({}),
  createdAt: time(),
  /** Set for consenting users only: `analytics_consents`. */
  userId: uuid(),
});

export const analyticsConsents = pgTable('analytics_consents', { userId: uuid().primaryKey(), givenAt: time() });
