import type Stripe from 'stripe';
import { z } from 'zod';
import { type Endpoint, get, named, post } from '../http/endpoint.ts';
import { invalid } from '../http/failure.ts';
import { listOf } from '../http/list.ts';
import { clearable, equal, flag, mergeMetadata, metadata, paging, text } from '../http/parameters.ts';
import { newIdOf } from '../store/ids.ts';
import { type Work, changedFrom } from '../store/work.ts';

const fields = {
  active: flag.optional(),
  description: clearable(text).optional(),
  metadata: metadata.optional(),
  statement_descriptor: z.string().min(5).max(22).optional(),
};
const ProductCreate = z.strictObject({ ...fields, id: text.max(100).optional(), name: text });
const ProductUpdate = z.strictObject({ ...fields, name: text.optional() });

export async function createProduct(work: Work, input: z.output<typeof ProductCreate>): Promise<Stripe.Product> {
  const created = await work.now(null);
  const product: Stripe.Product = {
    id: input.id ?? newIdOf('product'),
    object: 'product',
    active: input.active ?? true,
    created,
    default_price: null,
    description: input.description ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: mergeMetadata({}, input.metadata),
    name: input.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: input.statement_descriptor ?? null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: created,
    url: null,
  };
  await work.store.insert<'product'>(product);
  await work.emit('product.created', product, { clock: null });
  return product;
}

export const productEndpoints: Endpoint[] = [
  post('/v1/products', ProductCreate, async (work, input) => {
    if (input.id !== undefined && (await work.store.find('product', input.id)) !== undefined)
      throw invalid('Product already exists.', 'id', 'resource_already_exists');
    return createProduct(work, input);
  }),
  get('/v1/products', z.strictObject({ ...paging, active: flag.optional() }), (work, input) =>
    listOf(work, 'product', equal({ active: input.active }), input, '/v1/products'),
  ),
  get('/v1/products/:id', z.strictObject({}), (work, _input, path) => work.store.get('product', named(path, 'id'))),
  post('/v1/products/:id', ProductUpdate, async (work, input, path) => {
    const before = await work.store.get('product', named(path, 'id'));
    const { metadata: changes, ...plain } = input;
    const after = {
      ...before,
      ...plain,
      metadata: mergeMetadata(before.metadata, changes),
      updated: await work.now(null),
    };
    await work.store.save<'product'>(after);
    await work.emit('product.updated', after, { clock: null, previous: changedFrom(before, after) });
    return after;
  }),
];
