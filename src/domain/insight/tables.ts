import { jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = () => timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow();

export const insightEvents = pgTable('insight_events', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  source: text(),
  subjectId: uuid(),
  properties: jsonb().$type<Record<string, string | number>>().notNull().default({}),
  createdAt: time(),
  /** Only of who asked for it: `insight_consents`. */
  userId: uuid(),
});

export const insightConsents = pgTable('insight_consents', { userId: uuid().primaryKey(), givenAt: time() });
