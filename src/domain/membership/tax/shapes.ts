import { z } from 'zod';
import { Instant } from '../../kernel/shapes.ts';

const Cents = z.number().int();

/** An invoice or a credit note as it was issued. Amounts of credit notes are negative. */
export const TaxDocument = z.object({
  kind: z.enum(['invoice', 'credit-note']),
  subject: z.enum(['payment', 'voucher', 'redemption']).describe('`voucher`: the sale of a gift card'),
  number: z.string().meta({ example: 'SO-2026-004417' }),
  correctsNumber: z.string().nullable().describe('The invoice that a credit note corrects'),
  issuedAt: Instant,
  suppliedAt: Instant.describe('When it was paid, or given back'),
  country: z.string().describe('Whose tax it has; empty if unknown').meta({ example: 'FR' }),
  permille: z.number().int().nullable().describe('Rate of the tax; null: without tax'),
  net: Cents,
  tax: Cents,
  gross: Cents,
  lines: z.array(
    z.object({
      kind: z.enum(['plan', 'discount', 'credit', 'refund', 'charge-back', 'gift-card', 'tip']),
      months: z.number().int().optional().describe('Of a gift card'),
      description: z.string(),
      start: z.iso.datetime().nullable(),
      end: z.iso.datetime().nullable(),
      net: Cents,
      tax: Cents,
      gross: Cents,
    }),
  ),
  seller: z.object({
    name: z.string(),
    address: z.string(),
    vatId: z.string(),
    note: z.string().optional(),
    oneStopShop: z.boolean().optional().describe('Its tax is declared through the one-stop shop'),
  }),
  buyer: z
    .object({ name: z.string().nullable(), email: z.string().nullable(), vatId: z.string().nullable() })
    .nullable(),
  taxes: z
    .array(z.object({ name: z.string(), place: z.string(), percentage: z.number(), amount: Cents }))
    .nullable()
    .describe('As the provider worked it out, such as Sales Tax in US-NY; null: by the site’s table'),
  through: z.string().describe('The provider').meta({ example: 'Stripe' }),
});
export type TaxDocument = z.output<typeof TaxDocument>;
