import { pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { CreditRole, CreditState } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

/** People and creators who had a part in an audio (decision 094). */
export const credits = pgTable('credits', {
  id: uuid().primaryKey(),
  audioId: uuid().notNull(),
  position: smallint().notNull(),
  role: text().$type<CreditRole>().notNull(),
  /** For somebody without a page here; null: `voiceId` says who. */
  name: text(),
  voiceId: uuid(),
  state: text().$type<CreditState>().notNull().default('accepted'),
  /** Null: it needed nobody's consent. */
  askedAt: time(),
  answeredAt: time(),
  /** Removed after the creator was asked: remembered for a while, so that they are not asked again at once. */
  removedAt: time(),
  createdAt: time().notNull().defaultNow(),
});
