import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { AgeMethod, AskedAgain } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

/** The last confirmation of an account's age: how, by which rule, when and until when. */
export const ageConfirmations = pgTable('age_confirmations', {
  userId: uuid().primaryKey(),
  method: text().$type<AgeMethod>().notNull(),
  /** Place of the rule. */
  place: text().notNull(),
  again: text().$type<AskedAgain>().notNull(),
  confirmedAt: time().notNull(),
  /** Null: without end. */
  until: time(),
});
