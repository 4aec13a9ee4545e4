import { boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { ProviderName } from '../capabilities.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

/** Codes of their own for people whose subscription has ended: one for each of them that is written to. */
export const winBacks = pgTable('win_backs', {
  /** Also the key of the promo code at the provider, and the mail's subject. */
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  /** The one that has ended. */
  subscriptionId: text().notNull(),
  code: text().notNull(),
  provider: text().$type<ProviderName>().notNull(),
  percentOff: integer().notNull(),
  months: integer().notNull(),
  /** For the first payment alone: the provider knows only prices. */
  isOnce: boolean().notNull(),
  expiresAt: time().notNull(),
  /** `asked`: the provider's answer is not known yet. */
  state: text().$type<'asked' | 'made' | 'refused'>().notNull().default('asked'),
  promoCodeId: text(),
  createdAt: time().notNull().defaultNow(),
  usedAt: time(),
});
