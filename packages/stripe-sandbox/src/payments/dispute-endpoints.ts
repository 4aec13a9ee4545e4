import type Stripe from 'stripe';
import { z } from 'zod';
import { clockOfCustomer } from '../customers/find-customer.ts';
import { type Endpoint, get, named, post } from '../http/endpoint.ts';
import { invalid } from '../http/failure.ts';
import { listing } from '../http/list.ts';
import { flag, text } from '../http/parameters.ts';
import { optionalIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';

/** Texts of evidence that decide a dispute at once (https://docs.stripe.com/testing#disputes). */
const outcomes: Readonly<Record<string, 'won' | 'lost'>> = { winning_evidence: 'won', losing_evidence: 'lost' };

const DisputeUpdate = z.strictObject({
  evidence: z.strictObject({ uncategorized_text: text.optional() }).optional(),
  submit: flag.optional(),
});

async function findOpen(work: Work, id: string): Promise<Stripe.Dispute> {
  const dispute = await work.store.get('dispute', id, 'dispute');
  if (dispute.status === 'won' || dispute.status === 'lost') throw invalid('This dispute is already closed', 'dispute');
  return dispute;
}

async function close(work: Work, dispute: Stripe.Dispute, status: 'won' | 'lost'): Promise<Stripe.Dispute> {
  const closed: Stripe.Dispute = { ...dispute, status, is_charge_refundable: false };
  await work.store.save(closed);
  const charge = await work.store.get('charge', optionalIdOf(dispute.charge) ?? '');
  const clock = await clockOfCustomer(work, optionalIdOf(charge.customer));
  await work.emit('charge.dispute.closed', closed, { clock });
  return closed;
}

export const disputeEndpoints: Endpoint[] = [
  listing('/v1/disputes', 'dispute', ['charge', 'payment_intent']),
  get('/v1/disputes/:id', z.strictObject({}), (work, _input, at) =>
    work.store.get('dispute', named(at, 'id'), 'dispute'),
  ),
  post('/v1/disputes/:id', DisputeUpdate, async (work, { evidence = {}, submit = true }, at) => {
    const before = await findOpen(work, named(at, 'id'));
    const given: Stripe.Dispute = { ...before, evidence: { ...before.evidence, ...evidence } };
    await work.store.save(given);
    const outcome = outcomes[given.evidence.uncategorized_text ?? ''];
    return submit && outcome !== undefined ? close(work, given, outcome) : given;
  }),
  post('/v1/disputes/:id/close', z.strictObject({}), async (work, _input, at) =>
    close(work, await findOpen(work, named(at, 'id')), 'lost'),
  ),
];
