import type Stripe from 'stripe';
import { z } from 'zod';
import type { DocumentOf, Kind } from '../store/documents.ts';
import type { Condition } from '../store/store.ts';
import type { Work } from '../store/work.ts';
import { type Endpoint, get } from './endpoint.ts';
import { createdRange, createdWithin, equal, paging, pagingOf, text } from './parameters.ts';

/** One page of matching objects, newest first. */
export async function listOf<K extends Kind>(
  work: Work,
  kind: K,
  where: Condition[],
  input: { limit: number; starting_after?: string; ending_before?: string },
  url: string,
): Promise<Stripe.ApiList<DocumentOf<K>>> {
  const { documents, hasMore } = await work.store.page(kind, where, pagingOf(input));
  return { object: 'list', data: documents, has_more: hasMore, url };
}

/** `GET path`: the objects whose fields have the given values, newest first. `created`: also by the time of creation */
export function listing(path: string, kind: Kind, fields: (string | 'created')[]): Endpoint {
  const names = fields.filter((name) => name !== 'created');
  const filters = Object.fromEntries(names.map((name) => [name, text.optional()])) as Record<never, never>;
  const isByTime = names.length < fields.length;
  const parameters = z.strictObject({ ...paging, ...filters, ...(isByTime && { created: createdRange }) });
  return get(path, parameters, (work, input) => {
    const values = input as Record<string, unknown>;
    const where = equal(Object.fromEntries(names.map((name) => [name, values[name] as string | undefined])));
    return listOf(
      work,
      kind,
      [...where, ...createdWithin(values['created'] as z.output<typeof createdRange>)],
      input,
      path,
    );
  });
}
