import { ActError, type Charge, type Happening, type Period, type Sale, addPeriod } from './sale.ts';

/** Acts change the sale, which is in their own time, and say what happened. */

export type Moment = { at: number; newId: () => string };

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** BTCPay: until an unpaid invoice expires, and until a paid one is confirmed. */
export const invoiceMs = 15 * minuteMs;
const confirmMs = 10 * minuteMs;
const retryDays = [1, 3, 5];

export function pay(sale: Sale, { at, newId }: Moment): Happening[] {
  if (sale.status !== 'open') throw new ActError('This order was paid or closed before.');
  if (sale.cardFails) return [{ kind: 'declined', at }];
  const charge: Charge = { id: newId(), price: sale.first?.price ?? sale.price, at };
  sale.charges.push(charge);
  if (sale.provider === 'btcpay') {
    sale.status = 'waiting';
    sale.dueAt = at + confirmMs;
    return [
      { kind: 'payment-seen', at, charge },
      { kind: 'processing', at, charge },
    ];
  }
  sale.status = 'active';
  const end = sale.first === undefined ? sale.period && addPeriod(at, sale.period) : at + sale.first.days * dayMs;
  setEnd(sale, end);
  return [{ kind: 'sold', at, charge, until: sale.paidUntil }];
}

export function decline(sale: Sale, { at }: Moment): Happening[] {
  if (sale.status !== 'open') throw new ActError('This order was paid or closed before.');
  if (sale.provider !== 'btcpay') return [{ kind: 'declined', at }];
  sale.status = 'invalid';
  delete sale.dueAt;
  return [{ kind: 'invoice-invalid', at }];
}

export function cancel(sale: Sale, { at }: Moment): Happening[] {
  if (sale.status === 'canceled') return [];
  if (sale.status !== 'active' || sale.kind !== 'recurring') throw new ActError('This sale does not renew.');
  sale.status = 'canceled';
  sale.canceledAt = at;
  return [{ kind: 'canceled', at, until: sale.paidUntil }];
}

export function uncancel(sale: Sale, { at }: Moment): Happening[] {
  if (sale.status !== 'canceled') throw new ActError('This sale is not canceled.');
  sale.status = 'active';
  delete sale.canceledAt;
  return [{ kind: 'uncanceled', at, until: sale.paidUntil }];
}

export function extend(sale: Sale, { at }: Moment, days: number): Happening[] {
  if (sale.status !== 'active' || sale.paidUntil === undefined) throw new ActError('This sale has no end.');
  setEnd(sale, sale.paidUntil + days * dayMs);
  return [{ kind: 'extended', at, until: sale.paidUntil }];
}

/** Refunds and chargebacks end a subscription, as the real providers' settings do unless they are changed. */
export function giveBack(
  sale: Sale,
  { at, newId }: Moment,
  {
    kind,
    price,
    chargeId,
  }: { kind: 'refunded' | 'charged-back'; price?: string | undefined; chargeId?: string | undefined },
): Happening[] {
  const of = chargeId === undefined ? sale.charges.at(-1) : sale.charges.find(({ id }) => id === chargeId);
  if (of === undefined) throw new ActError('This sale has no such charge.');
  const happenings: Happening[] = [{ kind, at, of, charge: { id: newId(), price: price ?? of.price, at } }];
  if (kind === 'refunded') sale.refunds += 1;
  else sale.chargebacks += 1;
  if (price !== undefined && price !== of.price) return happenings;
  if (sale.kind !== 'single' && (sale.status === 'active' || sale.status === 'canceled'))
    happenings.push(end(sale, at));
  return happenings;
}

/** Time itself acts at `dueAt`. */
export function comeDue(sale: Sale, { at, newId }: Moment): Happening[] {
  delete sale.dueAt;
  if (sale.status === 'waiting') {
    sale.status = 'settled';
    return [{ kind: 'settled', at }];
  }
  if (sale.status === 'open') {
    sale.status = 'closed';
    return [{ kind: 'invoice-expired', at }];
  }
  if (sale.status !== 'active' || sale.kind !== 'recurring') return [end(sale, at)];
  if (sale.cardFails) return failRenewal(sale, at);
  const charge: Charge = { id: newId(), price: sale.price, at };
  sale.charges.push(charge);
  sale.renewals += 1;
  sale.failures = 0;
  setEnd(sale, addPeriod(sale.paidUntil ?? at, sale.period as Period));
  return [{ kind: 'renewed', at, charge, until: sale.paidUntil }];
}

function failRenewal(sale: Sale, at: number): Happening[] {
  const days = retryDays[sale.failures];
  sale.failures += 1;
  if (days === undefined) return [{ kind: 'renewal-failed', at }, end(sale, at)];
  sale.dueAt = at + days * dayMs;
  return [{ kind: 'renewal-failed', at, retryAt: sale.dueAt }];
}

function end(sale: Sale, at: number): Happening {
  sale.status = 'ended';
  sale.paidUntil = at;
  delete sale.dueAt;
  return { kind: 'expired', at };
}

function setEnd(sale: Sale, at: number | undefined): void {
  if (at === undefined) return;
  sale.paidUntil = at;
  sale.dueAt = at;
}
