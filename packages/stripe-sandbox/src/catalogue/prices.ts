import type Stripe from 'stripe';
import { z } from 'zod';
import { type Endpoint, get, named, post } from '../http/endpoint.ts';
import { invalid } from '../http/failure.ts';
import { listOf } from '../http/list.ts';
import {
  clearable,
  currency,
  equal,
  flag,
  mergeMetadata,
  metadata,
  natural,
  paging,
  text,
} from '../http/parameters.ts';
import { decimal } from '../store/documents.ts';
import { newIdOf } from '../store/ids.ts';
import { type Work, changedFrom } from '../store/work.ts';
import { createProduct } from './products.ts';

const lookupKey = z.string().max(200);

const TaxBehavior = z.enum(['exclusive', 'inclusive', 'unspecified']);

const currencyOption = { tax_behavior: TaxBehavior.optional() };
const Currency = z.string().regex(/^[a-z]{3}$/, 'Invalid currency');

const PriceCreate = z.strictObject({
  active: flag.optional(),
  currency,
  currency_options: z.record(Currency, z.strictObject({ ...currencyOption, unit_amount: natural })).optional(),
  lookup_key: lookupKey.optional(),
  metadata: metadata.optional(),
  nickname: text.optional(),
  product: text.optional(),
  product_data: z
    .strictObject({ name: text, metadata: metadata.optional(), statement_descriptor: text.max(22).optional() })
    .optional(),
  recurring: z
    .strictObject({
      interval: z.enum(['day', 'week', 'month', 'year']),
      interval_count: natural.pipe(z.number().min(1).max(365)).optional(),
      usage_type: z.literal('licensed').optional(),
    })
    .optional(),
  tax_behavior: TaxBehavior.optional(),
  transfer_lookup_key: flag.optional(),
  unit_amount: natural,
});

const PriceUpdate = z.strictObject({
  active: flag.optional(),
  currency_options: z.record(Currency, z.strictObject(currencyOption)).optional(),
  lookup_key: clearable(lookupKey).optional(),
  metadata: metadata.optional(),
  nickname: clearable(text).optional(),
  tax_behavior: TaxBehavior.optional(),
  transfer_lookup_key: flag.optional(),
});

const PriceList = z.strictObject({
  ...paging,
  active: flag.optional(),
  currency: currency.optional(),
  lookup_keys: z.array(lookupKey).max(10).optional(),
  product: text.optional(),
  type: z.enum(['one_time', 'recurring']).optional(),
});

/** A lookup key belongs to one price; a later one may take it over. */
async function takeLookupKey(work: Work, key: string, mayTransfer: boolean): Promise<void> {
  const [holder] = await work.store.all('price', equal({ lookup_key: key }));
  if (holder === undefined) return;
  if (!mayTransfer)
    throw invalid(
      `A price (\`${holder.id}\`) already uses that lookup key. Use \`transfer_lookup_key=true\` to transfer it to another price.`,
      'lookup_key',
      'lookup_key_in_use',
    );
  const after: Stripe.Price = { ...holder, lookup_key: null };
  await work.store.save(after);
  await work.emit('price.updated', after, { clock: null, previous: { lookup_key: key } });
}

async function productOf(work: Work, input: z.output<typeof PriceCreate>): Promise<string> {
  if (input.product !== undefined) return (await work.store.get('product', input.product, 'product')).id;
  if (input.product_data === undefined)
    throw invalid('You must pass either `product` or `product_data`.', 'product', 'parameter_missing');
  return (await createProduct(work, input.product_data)).id;
}

/** @throws Failure 400 for a price without that currency */
export async function unitAmountIn(
  work: Work,
  price: Stripe.Price,
  wanted: string,
  parameter: string,
): Promise<number> {
  if (price.currency === wanted) return price.unit_amount ?? 0;
  const { currencyOptions: options = {} } = (await work.store.row('price', price.id)).hidden;
  const option = options[wanted];
  if (option === undefined)
    throw invalid(
      `The price specified only supports \`${[price.currency, ...Object.keys(options)].join('`, `')}\`. This doesn't match the expected currency: \`${wanted}\`.`,
      parameter,
    );
  return option.unit_amount;
}

/** @throws Failure 400: it is set once */
function requireSettable(before: Stripe.Price.TaxBehavior | null | undefined, after: string | undefined): void {
  if (after !== undefined && after !== before && (before ?? 'unspecified') !== 'unspecified')
    throw invalid('Once `tax_behavior` is set to `inclusive` or `exclusive`, it cannot be changed.', 'tax_behavior');
}

type Options = Record<string, { unit_amount: number; tax_behavior?: Stripe.Price.TaxBehavior }>;

async function changeOptions(
  work: Work,
  id: string,
  changes: Record<string, { tax_behavior?: Stripe.Price.TaxBehavior }> = {},
): Promise<Options> {
  const { currencyOptions: options = {} } = (await work.store.row('price', id)).hidden;
  const changed = Object.entries(options).map(([currency, option]) => {
    requireSettable(option.tax_behavior, changes[currency]?.tax_behavior);
    return [currency, { ...option, ...changes[currency] }] as const;
  });
  return Object.fromEntries(changed);
}

/** In that currency. */
export async function taxBehaviorIn(work: Work, price: Stripe.Price, currency: string): Promise<string> {
  const { currencyOptions: options = {} } = (await work.store.row('price', price.id)).hidden;
  return (price.currency === currency ? price.tax_behavior : options[currency]?.tax_behavior) ?? 'unspecified';
}

export const priceEndpoints: Endpoint[] = [
  post('/v1/prices', PriceCreate, async (work, input) => {
    const product = await productOf(work, input);
    if (input.lookup_key !== undefined) await takeLookupKey(work, input.lookup_key, input.transfer_lookup_key ?? false);
    const { recurring } = input;
    const price: Stripe.Price = {
      id: newIdOf('price'),
      object: 'price',
      active: input.active ?? true,
      billing_scheme: 'per_unit',
      created: await work.now(null),
      currency: input.currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: input.lookup_key ?? null,
      metadata: mergeMetadata({}, input.metadata),
      nickname: input.nickname ?? null,
      product,
      recurring:
        recurring === undefined
          ? null
          : {
              interval: recurring.interval,
              interval_count: recurring.interval_count ?? 1,
              meter: null,
              trial_period_days: null,
              usage_type: 'licensed',
            },
      tax_behavior: input.tax_behavior ?? 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: recurring === undefined ? 'one_time' : 'recurring',
      unit_amount: input.unit_amount,
      unit_amount_decimal: decimal(input.unit_amount),
    };
    await work.store.insert<'price'>(price, input.currency_options && { currencyOptions: input.currency_options });
    await work.emit('price.created', price, { clock: null });
    return price;
  }),
  get('/v1/prices', PriceList, (work, input) =>
    listOf(
      work,
      'price',
      [
        ...equal({ active: input.active, currency: input.currency, product: input.product, type: input.type }),
        ...(input.lookup_keys === undefined ? [] : [{ path: 'lookup_key', among: input.lookup_keys }]),
      ],
      input,
      '/v1/prices',
    ),
  ),
  get('/v1/prices/:id', z.strictObject({}), (work, _input, path) => work.store.get('price', named(path, 'id'))),
  post('/v1/prices/:id', PriceUpdate, async (work, input, path) => {
    const before = await work.store.get('price', named(path, 'id'));
    const { metadata: changes, transfer_lookup_key: mayTransfer, currency_options: options, ...plain } = input;
    if (plain.lookup_key && plain.lookup_key !== before.lookup_key)
      await takeLookupKey(work, plain.lookup_key, mayTransfer ?? false);
    const after = { ...before, ...plain, metadata: mergeMetadata(before.metadata, changes) };
    requireSettable(before.tax_behavior, input.tax_behavior);
    await work.store.save<'price'>(after, { currencyOptions: await changeOptions(work, before.id, options) });
    await work.emit('price.updated', after, { clock: null, previous: changedFrom(before, after) });
    return after;
  }),
];
