import { jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const insightEvents = pgTable('insight_events', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  source: text(),
  subjectId: uuid(),
  properties: jsonb().$type<Record<string, string | number | boolean>>().notNull().default({}),
  createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
});
