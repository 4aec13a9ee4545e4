import { integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { ProviderName } from '../capabilities.ts';
import type { Period } from '../rules.ts';
import type { Discount } from '../shapes.ts';
import type { PromoCodeRules } from '../tables.ts';
import type { HostedEvent, HostedOrder } from './hosted-provider.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });
export type HostedName = Exclude<ProviderName, 'stripe'>;

/** Orders that are paid on a provider's page, stored before anyone is sent there. Amounts as everywhere. */
export const paymentOrders = pgTable('payment_orders', {
  reference: text().primaryKey(),
  provider: text().$type<HostedName>().notNull(),
  /** Null for single payments without a customer, and once the account is gone. */
  userId: uuid(),
  customerId: text(),
  kind: text().$type<HostedOrder['kind']>().notNull(),
  period: text().$type<Period>().notNull(),
  amount: integer().notNull(),
  currency: text().notNull(),
  /** Price without the promo code. */
  listAmount: integer().notNull(),
  firstAmount: integer(),
  firstDays: integer(),
  promoCodeId: uuid(),
  discount: jsonb().$type<Discount>(),
  /** The provider's id of the sale, once it was said. */
  saleId: text(),
  /** Page of this site on which somebody goes on after paying. */
  returnTo: text(),
  createdAt: time().notNull().defaultNow(),
});

/** Words of providers about sales, and acts of the site on them (`type` begins with `site.`). Rows are only added. */
export const hostedEvents = pgTable(
  'hosted_events',
  {
    provider: text().$type<HostedName>().notNull(),
    id: text().notNull(),
    type: text().notNull(),
    means: text().$type<HostedEvent['means']>().notNull(),
    reference: text(),
    saleId: text(),
    at: time().notNull(),
    until: time(),
    amount: integer(),
    currency: text(),
    transactionId: text(),
    ofTransaction: text(),
    reason: text(),
    card: jsonb().$type<NonNullable<HostedEvent['card']>>(),
    country: text(),
    confirmations: integer(),
    receivedAt: time().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.id] })],
);

/** Codes of the site's own, for providers that know only prices. */
export const ownPromoCodes = pgTable('own_promo_codes', {
  id: uuid().primaryKey(),
  /** As created; unique in any case among active ones. */
  code: text().notNull(),
  rules: jsonb().$type<PromoCodeRules>().notNull(),
  disabledAt: time(),
  createdAt: time().notNull().defaultNow(),
});
