import type Stripe from 'stripe';
import { missing } from '../http/failure.ts';
import { optionalIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';

/** @throws Failure when there is none, or not any more */
export async function findCustomer({ store }: Work, id: string, parameter: string): Promise<Stripe.Customer> {
  const row = await store.find('customer', id);
  if (row === undefined || row.deleted) throw missing('customer', id, parameter);
  return row.document;
}

/** In whose time a customer lives; nobody's customer lives in the machine's. */
export async function clockOfCustomer({ store }: Work, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const row = await store.find('customer', id);
  return row === undefined || row.deleted ? null : optionalIdOf(row.document.test_clock);
}
