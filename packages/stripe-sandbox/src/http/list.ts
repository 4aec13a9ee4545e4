import type Stripe from 'stripe';
import type { DocumentOf, Kind } from '../store/documents.ts';
import type { Condition } from '../store/store.ts';
import type { Work } from '../store/work.ts';
import { pagingOf } from './parameters.ts';

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
