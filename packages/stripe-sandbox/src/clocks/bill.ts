import { upcomingInvoice } from '../invoices/preview.ts';
import { finalizeInvoice } from '../invoices/finalize.ts';
import { collectInvoice } from '../invoices/pay.ts';
import { endSubscription } from '../subscriptions/end.ts';
import { dropPendingUpdate } from '../subscriptions/pending-update.ts';
import { renewSubscription } from '../subscriptions/renew.ts';
import type { Work } from '../store/work.ts';
import { trialWarningAt, upcomingAt } from './due.ts';

type Due = { kind: 'subscription' | 'invoice'; id: string; due_at: string };

/** Whether anything is due by `until`; needs no transaction. */
export async function isAnythingDue({ store }: Work, clock: string | null, until: number): Promise<boolean> {
  return (await nextDue(store, clock, until)) !== undefined;
}

async function nextDue({ client }: Work['store'], clock: string | null, until: number): Promise<Due | undefined> {
  const { rows } = await client.query<Due>(
    `select kind, id, due_at from stripe_sandbox.objects
     where due_at is not null and due_at <= $1 and ${clock === null ? 'clock is null' : 'clock = $2'}
     order by due_at, position limit 1`,
    clock === null ? [until] : [until, clock],
  );
  return rows[0];
}

/** Advances one clock: everything due runs at its own time, earliest first. @param until seconds */
export async function letTimePass(work: Work, clock: string | null, until: number): Promise<void> {
  let last = '';
  let repeated = 0;
  for (;;) {
    const due = await nextDue(work.store, clock, until);
    if (due === undefined) break;
    const step = `${due.kind} ${due.id} ${due.due_at}`;
    repeated = step === last ? repeated + 1 : 0;
    // Several steps may be due at one time, but a repeating step means an endless loop.
    if (repeated > 3) throw new Error(`Billing does not get on with ${step}`);
    last = step;
    work.setNow(clock, Number(due.due_at));
    if (due.kind === 'invoice') await billInvoice(work, due.id);
    else await billSubscription(work, due.id);
  }
  work.setNow(clock, until);
}

async function billInvoice(work: Work, id: string): Promise<void> {
  const { status } = await work.store.get('invoice', id);
  if (status === 'draft') await finalizeInvoice(work, id);
  await collectInvoice(work, id);
}

async function billSubscription(work: Work, id: string): Promise<void> {
  const { document: subscription, hidden } = await work.store.row('subscription', id);
  const clock = subscription.test_clock === null ? null : String(subscription.test_clock);
  const now = await work.now(clock);
  if (subscription.status === 'incomplete') {
    await endSubscription(work, subscription, 'payment_failed', 'incomplete_expired');
    return;
  }
  if (subscription.pending_update !== null && subscription.pending_update.expires_at <= now) {
    await dropPendingUpdate(work, id, { isLate: true });
    return;
  }
  const warning = trialWarningAt(subscription, hidden);
  if (warning !== null && warning <= now) {
    await work.store.save<'subscription'>(subscription, { ...hidden, trialEndSaidFor: subscription.trial_end ?? 0 });
    await work.emit('customer.subscription.trial_will_end', subscription, { clock });
    return;
  }
  const notice = upcomingAt(subscription, hidden);
  if (notice !== null && notice <= now) {
    const [item] = subscription.items.data;
    const invoice = await upcomingInvoice(work, subscription);
    await work.store.save<'subscription'>(subscription, { ...hidden, upcomingSaidFor: item?.current_period_end });
    if (invoice !== undefined) await work.emit('invoice.upcoming', invoice, { clock });
    return;
  }
  await renewSubscription(work, id);
}
