import { date, pgTable, primaryKey, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { SplitState } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

/** Shares of an audio's earnings, as somebody proposed them. */
export const splits = pgTable('splits', {
  id: uuid().primaryKey(),
  audioId: uuid().notNull(),
  proposedAt: time().notNull().defaultNow(),
  /** First day of a month; null: not agreed by all. */
  holdsFrom: date('month', { mode: 'string' }),
});

export const splitParts = pgTable(
  'split_parts',
  {
    splitId: uuid().notNull(),
    voiceId: uuid().notNull(),
    /** Percent; 0 gives up a former share. */
    share: smallint().notNull(),
    state: text().$type<SplitState>().notNull(),
    reason: text(),
    answeredAt: time(),
  },
  (table) => [primaryKey({ columns: [table.splitId, table.voiceId] })],
);
