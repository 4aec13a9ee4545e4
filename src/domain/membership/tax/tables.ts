import { integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { ProviderName } from '../capabilities.ts';
import type { TaxDocument } from './shapes.ts';
import type { TaxEvidence } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

/** The last number that was given in a year. Its row is locked until the transaction ends, so no number is left out. */
export const taxNumbers = pgTable(
  'tax_numbers',
  {
    series: text().$type<TaxDocument['kind']>().notNull(),
    year: integer().notNull(),
    last: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.series, table.year] })],
);

/**
 * Invoices and credit notes as they were issued; they never change. When an account is deleted, user, invoice, refund,
 * buyer and evidence become null, and the rest is kept for the years of the setting.
 */
export const taxDocuments = pgTable('tax_documents', {
  id: uuid().primaryKey(),
  kind: text().$type<TaxDocument['kind']>().notNull(),
  number: text().notNull(),
  userId: uuid(),
  /**
   * `voucher`: the sale of a gift card, which is no supply yet; `redemption`: its use. Both have a gift card and no invoice.
   */
  subject: text().$type<'payment' | 'voucher' | 'redemption'>().notNull().default('payment'),
  giftCardId: uuid(),
  /** A payment, without an invoice of the provider. */
  tipId: uuid(),
  invoiceId: uuid(),
  refundId: uuid(),
  correctsNumber: text(),
  issuedAt: time().notNull(),
  /** When it was paid, or given back: its quarter. */
  suppliedAt: time().notNull(),
  currency: text().notNull(),
  /** ISO 3166; empty: unknown. */
  country: text().notNull(),
  /** Null: without tax. */
  permille: integer(),
  net: integer().notNull(),
  tax: integer().notNull(),
  gross: integer().notNull(),
  lines: jsonb().$type<TaxDocument['lines']>().notNull(),
  seller: jsonb().$type<TaxDocument['seller']>().notNull(),
  buyer: jsonb().$type<TaxDocument['buyer']>(),
  provider: text().$type<ProviderName>().notNull(),
  /** As the provider worked it out; null: by the site's table. */
  taxes: jsonb().$type<TaxDocument['taxes']>(),
  /** Kept, never printed. */
  evidence: jsonb().$type<TaxEvidence>(),
});

/** A user's VAT id, and the country of the network that the last order came from. */
export const buyerTaxFacts = pgTable('buyer_tax_facts', {
  userId: uuid().primaryKey(),
  vatId: text(),
  region: text(),
  regionAt: time(),
});
