import { addMonths } from '../../kernel/calendar/months.ts';
import { monthsIn } from '../free-time.ts';
import type { CustomerFacts, InvoiceFacts, PaymentFacts, SubscriptionFacts } from '../payment-provider.ts';
import type { Discount } from '../shapes.ts';
import { hostedId } from './hosted-id.ts';
import type { HostedEvent, HostedOrder } from './hosted-provider.ts';
import type { HostedName } from './tables.ts';

/**
 * The state of orders, folded from the set of what was said about them: in any order, with duplicates, late. Nothing is
 * stepped, so what arrives last does not win because it arrived last.
 */

export type FoldedOrder = Pick<HostedOrder, 'reference' | 'kind' | 'period' | 'amount' | 'currency'> & {
  provider: HostedName;
  customerId: string | null;
  discount: Discount | null;
  firstAmount: number | null;
  listAmount: number;
  promoCodeId: string | null;
  createdAt: Date;
};

/** Renewals are announced late now and then, and weekends are not over in a day. */
const lateMs = 2 * 24 * 60 * 60 * 1000;

/** `waiting`: begun and not certain yet. `open`: nothing was said. */
export type OrderState = 'open' | 'waiting' | 'declined' | 'closed' | 'paid';

/** The events of each order; those that name only the sale follow one that names both. */
export function eventsOf<Order extends Pick<FoldedOrder, 'reference'>>(
  orders: Order[],
  events: HostedEvent[],
): Map<Order, HostedEvent[]> {
  const bySale = new Map(events.flatMap((one) => (one.saleId && one.reference ? [[one.saleId, one.reference]] : [])));
  const unique = new Map(events.map((one) => [one.id, one]));
  const sorted = [...unique.values()].toSorted((one, other) => +one.at - +other.at || (one.id < other.id ? -1 : 1));
  const byReference = Map.groupBy(sorted, ({ reference, saleId }) => reference ?? bySale.get(saleId ?? ''));
  return new Map(orders.map((order) => [order, byReference.get(order.reference) ?? []]));
}

/** @param events of that order, oldest first */
export function stateOf(events: HostedEvent[]): OrderState {
  const has = (means: HostedEvent['means']) => events.some((one) => one.means === means);
  if (has('paid')) return 'paid';
  if (has('closed')) return 'closed';
  const last = events.findLast(({ means }) => means === 'waits' || means === 'declined');
  if (last === undefined) return 'open';
  return last.means === 'waits' ? 'waiting' : 'declined';
}

/** @param orders of one customer. @param events of all of them */
export function foldCustomer(orders: FoldedOrder[], events: HostedEvent[], now: Date): CustomerFacts {
  const sales = [...eventsOf(orders, events)].toSorted(([one], [other]) => +one.createdAt - +other.createdAt);
  const renewing = sales
    .filter(([order]) => order.kind === 'subscription')
    .flatMap(([order, said]) => foldSale(order, said, now) ?? []);
  const prepaid = foldPrepaid(
    sales.filter(([order]) => order.kind === 'prepaid'),
    now,
  );
  const all = [...renewing, ...prepaid];
  return {
    subscriptions: all.map(({ subscription }) => subscription).toReversed(),
    invoices: all.flatMap(({ invoices }) => invoices).toSorted((one, other) => +other.createdAt - +one.createdAt),
    givenUpId: undefined,
  };
}

type Folded = { subscription: SubscriptionFacts; invoices: InvoiceFacts[] };
type Charge = HostedEvent & { means: 'paid'; amount: number };

/** Those of an order, with the amounts that were not told: those of the order. */
function chargesOf(order: Pick<FoldedOrder, 'amount' | 'firstAmount'>, events: HostedEvent[]): Charge[] {
  return events
    .filter(({ means }) => means === 'paid')
    .map((event, index) => {
      const expected = index === 0 ? (order.firstAmount ?? order.amount) : order.amount;
      return { ...event, means: 'paid', amount: event.amount ?? expected };
    });
}

type TakenBack = { refunded: number; isDisputed: boolean; at: Date };

/** Money that went back, by the id of the charge; what names none is of the newest charge before it. */
function takenBackOf(charges: Charge[], events: HostedEvent[]): Map<string, TakenBack> {
  const taken = new Map<string, TakenBack>();
  for (const event of events) {
    if (event.means !== 'refunded' && event.means !== 'charged-back') continue;
    const charge =
      charges.find((one) => event.ofTransaction !== undefined && transactionOf(one) === event.ofTransaction) ??
      charges.findLast((one) => one.at <= event.at && one.amount > 0) ??
      charges[0];
    if (charge === undefined) continue;
    const before = taken.get(charge.id);
    taken.set(charge.id, {
      refunded: Math.min(charge.amount, (before?.refunded ?? 0) + (event.amount ?? charge.amount)),
      isDisputed: (before?.isDisputed ?? false) || event.means === 'charged-back',
      at: before === undefined || event.at < before.at ? event.at : before.at,
    });
  }
  return taken;
}

function isAllBack({ amount }: Pick<Charge, 'amount'>, taken: TakenBack | undefined): taken is TakenBack {
  return taken !== undefined && (taken.isDisputed || taken.refunded >= amount);
}

export const transactionOf = ({ transactionId, id }: HostedEvent) => transactionId ?? id;

/** @returns undefined for a sale that was never paid */
function foldSale(order: FoldedOrder, events: HostedEvent[], now: Date): Folded | undefined {
  const charges = chargesOf(order, events);
  const [first] = charges;
  if (first === undefined) return undefined;
  const id = hostedId(order.provider, order.reference);
  const paidUntil = new Date(Math.max(...charges.map((one) => +untilOf(order, one))));
  const taken = takenBackOf(charges, events);
  const newest = charges.findLast((one) => one.amount > 0);
  const back = newest && taken.get(newest.id);
  const disputedAt = [...taken.values()].flatMap((one) => (one.isDisputed ? [+one.at] : []));
  const ends = [
    ...events.flatMap((one) => (one.means === 'ended' ? [+one.at] : [])),
    ...(newest !== undefined && isAllBack(newest, back) ? [+back.at] : []),
    ...disputedAt,
  ];
  const endedAt = ends.length > 0 ? new Date(Math.min(...ends)) : undefined;
  const canceled = events.findLast(({ means }) => means === 'canceled' || means === 'resumed');
  const stopsAt = canceled?.means === 'canceled' ? (canceled.until ?? paidUntil) : undefined;
  const isOver = endedAt !== undefined || (stopsAt !== undefined && stopsAt <= now);
  const declined = events.findLast((one) => one.means === 'declined' && one.at > (charges.at(-1) ?? first).at);
  const isOverdue = stopsAt === undefined && (declined !== undefined || +now > +paidUntil + lateMs);
  const isUnpaid = paidUntil <= now && isOverdue;
  const isFree = order.firstAmount === 0 && newest === undefined && paidUntil > now;
  const dues = duesOf({ order, id, charges, declined, isOver, isUnpaid, paidUntil });
  return {
    subscription: {
      id,
      status: isOver ? 'ended' : isUnpaid ? 'past-due' : isFree ? 'trialing' : 'active',
      plan: { period: order.period, amount: order.listAmount, currency: order.currency },
      cardId: undefined,
      cardExpires: undefined,
      startedAt: first.at,
      trialEndsAt: order.firstAmount === 0 && first.amount === 0 ? untilOf(order, first) : undefined,
      periodEndsAt: paidUntil,
      endsAt: endedAt ?? stopsAt,
      nextPeriod: undefined,
      discount: lastingOf(order),
      action: undefined,
      movedBy: undefined,
    },
    invoices: [
      ...charges.map((charge) => invoiceOf(order, id, charge, untilOf(order, charge), taken.get(charge.id))),
      ...dues,
    ],
  };
}

/** One that lowers the first charge has done so. */
function lastingOf({ discount }: FoldedOrder): Discount | undefined {
  return discount?.duration === 'forever' ? discount : undefined;
}

function untilOf({ period }: FoldedOrder, { at, until }: HostedEvent): Date {
  return until ?? addMonths(at, monthsIn(period));
}

/** Periods that were not paid when they began: open now, or void since they were paid or the sale has ended. */
function duesOf(sale: {
  order: FoldedOrder;
  id: string;
  charges: Charge[];
  declined: HostedEvent | undefined;
  isOver: boolean;
  isUnpaid: boolean;
  paidUntil: Date;
}): InvoiceFacts[] {
  const { order, id, charges, declined, isOver, isUnpaid, paidUntil } = sale;
  const ends = charges.map((charge) => +untilOf(order, charge)).toSorted((one, other) => one - other);
  const late = ends.filter((end, index) => {
    const next = charges.find((charge) => +untilOf(order, charge) === ends[index + 1]);
    return next !== undefined && +next.at > end + lateMs;
  });
  const open = isUnpaid ? [+paidUntil] : [];
  return [...new Set([...late, ...open])].map((end) => {
    const from = new Date(end);
    const status = end === +paidUntil && isUnpaid && !isOver ? ('open' as const) : ('void' as const);
    const charge = { id: `due-${end}`, at: from, amount: order.amount, means: 'paid', type: 'due' } as const;
    const until = addMonths(from, monthsIn(order.period));
    const invoice = invoiceOf(order, id, { ...charge, reference: order.reference, saleId: undefined }, until);
    return {
      ...invoice,
      status,
      amountPaid: 0,
      paidAt: null,
      paymentId: null,
      hasFailed: declined !== undefined,
    };
  });
}

function invoiceOf(
  order: FoldedOrder,
  subscriptionId: string,
  charge: Charge,
  until: Date,
  taken?: TakenBack,
): InvoiceFacts {
  const paid = charge.amount;
  const isReduced = order.discount !== null && paid > 0 && paid < order.listAmount;
  const subtotal = isReduced ? order.listAmount : paid;
  const transaction = hostedId(order.provider, `${order.reference}/${transactionOf(charge)}`);
  return {
    id: transaction,
    subscriptionId,
    number: null,
    status: 'paid',
    currency: order.currency,
    subtotal,
    discount: subtotal - paid,
    credit: 0,
    total: paid,
    amountDue: paid,
    amountPaid: paid,
    periodStart: charge.at,
    periodEnd: until,
    createdAt: charge.at,
    paidAt: charge.at,
    paymentId: transaction,
    paidBy: charge.country === undefined ? undefined : { country: charge.country },
    hasFailed: false,
    promoCodeIds: isReduced && order.promoCodeId !== null ? [hostedId(order.provider, order.promoCodeId)] : [],
    refunded: taken?.refunded ?? 0,
    isDisputed: taken?.isDisputed ?? false,
    lines: [{ description: '', amount: subtotal, start: charge.at.toISOString(), end: until.toISOString() }],
  };
}

/** Months that were paid once: each order begins where the one before ends. What was paid back counts no more. */
function foldPrepaid(sales: [FoldedOrder, HostedEvent[]][], now: Date): Folded[] {
  const paid = sales
    .flatMap(([order, said]) => {
      const charges = chargesOf(order, said);
      const [charge] = charges;
      return charge === undefined ? [] : [{ order, charge, taken: takenBackOf(charges, said).get(charge.id) }];
    })
    .toSorted((one, other) => +one.charge.at - +other.charge.at);
  const runs: Folded[] = [];
  for (const { order, charge, taken } of paid) {
    const last = runs.at(-1);
    const joined = last !== undefined && +(last.subscription.endsAt ?? 0) > +charge.at ? last : undefined;
    const from = joined?.subscription.endsAt ?? charge.at;
    const until = isAllBack(charge, taken) ? from : addMonths(from, monthsIn(order.period));
    const id = joined?.subscription.id ?? hostedId(order.provider, order.reference);
    const invoice = { ...invoiceOf(order, id, charge, until, taken), periodStart: from };
    const subscription: SubscriptionFacts = {
      id,
      status: until > now ? 'active' : 'ended',
      plan: { period: order.period, amount: order.listAmount, currency: order.currency },
      cardId: undefined,
      cardExpires: undefined,
      startedAt: joined?.subscription.startedAt ?? charge.at,
      trialEndsAt: undefined,
      periodEndsAt: until,
      endsAt: until,
      nextPeriod: undefined,
      discount: lastingOf(order),
      action: undefined,
      movedBy: undefined,
    };
    if (joined === undefined) runs.push({ subscription, invoices: [invoice] });
    else Object.assign(joined, { subscription, invoices: [...joined.invoices, invoice] });
  }
  return runs;
}

/** A payment outside of subscriptions. @param events of that order, oldest first */
export function foldPayment(order: FoldedOrder, events: HostedEvent[]): PaymentFacts {
  const charges = chargesOf(order, events);
  const [charge] = charges;
  const taken = charge && takenBackOf(charges, events).get(charge.id);
  const amount = charge?.amount ?? order.amount;
  return {
    status: charge === undefined ? 'waiting' : isAllBack({ amount }, taken) ? 'refunded' : 'paid',
    customerId: order.customerId ?? undefined,
    amount,
    refunded: taken?.refunded ?? 0,
  };
}
