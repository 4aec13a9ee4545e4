import type Stripe from 'stripe';
import { missing } from '../http/failure.ts';
import { optionalIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';

/** @throws Failure if there is none, or it was deleted */
export async function findCustomer({ store }: Work, id: string, parameter: string): Promise<Stripe.Customer> {
  const row = await store.find('customer', id);
  if (row === undefined || row.deleted) throw missing('customer', id, parameter);
  return row.document;
}

/** The test clock of a customer; null for the machine's clock, also without a customer. */
export async function clockOfCustomer({ store }: Work, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const row = await store.find('customer', id);
  return row === undefined || row.deleted ? null : optionalIdOf(row.document.test_clock);
}
