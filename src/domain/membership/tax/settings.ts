import { z } from 'zod';
import type { Setting } from '../../settings/setting.ts';
import { isVatId, plainVatId } from './rules.ts';

const Country = z.string().regex(/^[A-Z]{2}$/, 'must be a country such as FR');

const TaxRates = z
  .array(
    z.strictObject({
      country: Country,
      from: z.iso.date().describe('First day (UTC) on which it counts'),
      permille: z.number().int().min(0).max(500).describe('200 is 20%'),
    }),
  )
  .max(1000)
  .refine(
    (rates) => new Set(rates.map(({ country, from }) => `${country} ${from}`)).size === rates.length,
    'must name each country once a day',
  )
  .transform((rates) =>
    rates.toSorted((one, other) => (`${one.country}${one.from}` < `${other.country}${other.from}` ? -1 : 1)),
  );

/** Tax, and what invoices say of the seller. */
export const TaxSettings = z.object({
  mode: z
    .enum(['off', 'table', 'provider'])
    .default('off')
    .describe(
      '`off`: invoices have no tax. `table`: prices include the tax of the buyer’s country, by `rates`. `provider`: the main payment provider works it out for new subscriptions, and `rates` count for everything else',
    ),
  rates: TaxRates.default([]),
  seller: z
    .strictObject({
      name: z.string().trim().max(200).default('').describe('Legal name; empty: the site’s name'),
      address: z.string().trim().max(500).default(''),
      country: Country.nullable().default(null).describe('Its tax applies where a buyer’s country is unknown'),
      vatId: z
        .string()
        .transform(plainVatId)
        .refine((id) => id === '' || isVatId(id), 'must be a VAT id such as DE123456789')
        .default(''),
    })
    .prefault({}),
  oneStopShop: z
    .boolean()
    .default(false)
    .describe('Invoices say that tax of other countries of the European Union is declared through its one-stop shop'),
  note: z.string().trim().max(500).default('').describe('Printed on invoices, such as a reason for no tax'),
  numberPrefix: z
    .string()
    .regex(/^[A-Z][A-Z0-9]{0,7}$/, 'must be up to eight capital letters and digits')
    .default('INV'),
  keepYears: z
    .number()
    .int()
    .min(1)
    .max(30)
    .default(10)
    .describe('Years for which invoices of deleted accounts are kept, without the person'),
});
export type TaxSettings = z.infer<typeof TaxSettings>;

/** Stored so that the former version, which knows two modes, reads the table's. */
export const taxSetting = {
  key: 'tax',
  schema: TaxSettings.extend({ byProvider: z.boolean().default(false) }).transform(
    ({ byProvider, ...value }): TaxSettings => (byProvider ? { ...value, mode: 'provider' } : value),
  ),
  toStored: (value: TaxSettings) => (value.mode === 'provider' ? { ...value, mode: 'table', byProvider: true } : value),
} satisfies Setting;
