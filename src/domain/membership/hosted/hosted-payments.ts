import { randomBytes } from 'node:crypto';
import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { endOfFreeTime } from '../free-time.ts';
import {
  type FreeTime,
  type PaymentProvider,
  type Plan,
  type PromoCode,
  type SubscriptionFacts,
  isUsable,
} from '../payment-provider.ts';
import { discounted } from '../promo-codes.ts';
import type { Discount } from '../shapes.ts';
import { eventsOf, foldCustomer, foldPayment, stateOf } from './fold.ts';
import { hostedId, ownPart } from './hosted-id.ts';
import type { HostedEvent, HostedOrder, HostedProvider } from './hosted-provider.ts';
import { openOwnPromoCodes } from './own-promo-codes.ts';
import { hostedEvents, paymentOrders } from './tables.ts';

type OrderRow = typeof paymentOrders.$inferSelect;

const dayMs = 24 * 60 * 60 * 1000;

/**
 * A payment provider made of one that only has a page: orders and what was said about them are kept here, and the state
 * is folded from them. Nothing is asked over the network but what the names say.
 */
export function openHostedPayments(options: {
  db: Db;
  provider: HostedProvider;
  /** Origin of this site, without a trailing slash. */
  siteUrl: string;
  /** Operators change it while the site runs. */
  siteName: () => string;
}): PaymentProvider {
  const { db, provider, siteUrl, siteName } = options;
  const { name, capabilities } = provider;
  const isOwn = eq(paymentOrders.provider, name);
  const promoCodes = openOwnPromoCodes(db, name);

  async function ordersOf(customerId: string): Promise<OrderRow[]> {
    return db
      .select()
      .from(paymentOrders)
      .where(and(isOwn, eq(paymentOrders.customerId, customerId)));
  }

  async function orderOf(reference: string): Promise<OrderRow | undefined> {
    const [row] = await db
      .select()
      .from(paymentOrders)
      .where(and(isOwn, eq(paymentOrders.reference, reference)));
    return row;
  }

  async function saidAbout(orders: OrderRow[]): Promise<HostedEvent[]> {
    if (orders.length === 0) return [];
    const references = orders.map(({ reference }) => reference);
    const sales = orders.flatMap(({ saleId }) => saleId ?? []);
    const rows = await db
      .select()
      .from(hostedEvents)
      .where(
        and(
          eq(hostedEvents.provider, name),
          or(
            inArray(hostedEvents.reference, references),
            ...(sales.length > 0 ? [inArray(hostedEvents.saleId, sales)] : []),
          ),
        ),
      );
    return rows.map(toEvent);
  }

  /** Each event once; the sale's id is noted with its order. */
  async function store(events: HostedEvent[]): Promise<void> {
    if (events.length === 0) return;
    await db.transaction(async (tx) => {
      await tx
        .insert(hostedEvents)
        .values(events.map((event) => ({ ...event, provider: name, type: event.type.slice(0, 100) })))
        .onConflictDoNothing();
      for (const { reference, saleId } of events)
        if (reference !== undefined && saleId !== undefined)
          await tx
            .update(paymentOrders)
            .set({ saleId })
            .where(and(isOwn, eq(paymentOrders.reference, reference), isNull(paymentOrders.saleId)));
    });
  }

  /** Notes an act of the site as an event of its own: the provider's word about the same may come late or never. */
  async function note(order: OrderRow, means: HostedEvent['means'], until?: Date): Promise<void> {
    const act = { id: `site.${means}:${newId()}`, type: `site.${means}`, means, at: new Date(), until };
    await store([{ ...act, reference: order.reference, saleId: order.saleId ?? undefined }]);
  }

  async function insertOrder(order: typeof paymentOrders.$inferInsert): Promise<OrderRow> {
    const [row] = await db.insert(paymentOrders).values(order).returning();
    if (row === undefined) throw new Error('the order was not written');
    return row;
  }

  async function open(row: OrderRow): Promise<{ url: string; reference: string }> {
    const { reference, kind, period, amount, currency, firstAmount, firstDays } = row;
    const back = (outcome: string) =>
      kind === 'single'
        ? `${siteUrl}${row.returnTo ?? '/'}`
        : `${siteUrl}/subscribe/return?order=${reference}&outcome=${outcome}`;
    const order: HostedOrder = {
      reference,
      kind,
      period,
      amount,
      currency,
      description: siteName(),
      first: firstAmount === null || firstDays === null ? undefined : { amount: firstAmount, days: firstDays },
      returnUrl: back('paid'),
      closeUrl: back('closed'),
    };
    return { ...(await provider.startCheckout(order)), reference };
  }

  /** The running sale of a subscription's id. @throws DomainError `subscription/none` */
  async function saleOf(subscriptionId: string): Promise<{ order: OrderRow; facts: SubscriptionFacts | undefined }> {
    const order = await orderOf(ownPart(subscriptionId));
    if (order === undefined) throw new DomainError('subscription/none');
    const { subscriptions } = foldCustomer([order], await saidAbout([order]), new Date());
    return { order, facts: subscriptions[0] };
  }

  /** @throws DomainError `payment/cancel-at-provider` where only the subscriber can */
  async function stopRenewal(order: OrderRow, facts: SubscriptionFacts | undefined): Promise<void> {
    if (order.kind !== 'subscription' || order.saleId === null || facts?.endsAt !== undefined) return;
    const canceled = await provider.cancel({ saleId: order.saleId, returnUrl: `${siteUrl}/account/subscription` });
    if (!canceled.ok) throw new DomainError('payment/cancel-at-provider');
  }

  return {
    name,
    capabilities,
    // Prices are sent with each order.
    checkPlans: async () => {},
    preparePlans: async () => {},

    createCustomer: async () => hostedId(name, randomBytes(16).toString('hex')),
    changeEmail: async () => {},
    async deleteCustomer(customerId) {
      for (const order of await ordersOf(customerId)) {
        const { facts } = await saleOf(hostedId(name, order.reference));
        if (facts === undefined || facts.status === 'ended') continue;
        await stopRenewal(order, facts);
        await note(order, 'ended');
      }
    },
    async readCustomer(customerId) {
      const orders = await ordersOf(customerId);
      return foldCustomer(orders, await saidAbout(orders), new Date());
    },

    subscribe: notOffered,
    async cancelNow(subscriptionId) {
      const { order, facts } = await saleOf(subscriptionId);
      await stopRenewal(order, facts);
      await note(order, 'ended');
    },
    cancelUnconfirmed: async () => {},
    async cancelAtPeriodEnd(subscriptionId) {
      const { order, facts } = await saleOf(subscriptionId);
      await stopRenewal(order, facts);
      await note(order, 'canceled', facts?.periodEndsAt);
    },
    resume: notOffered,
    // Gift time is then the site's own.
    delayCharge: async () => ({ ok: false }),
    applyPromoCode: async () => ({ ok: false }),
    previewPeriodChange: notOffered,
    changePeriodNow: notOffered,
    changePeriodAtEnd: notOffered,
    keepPeriod: notOffered,

    findCard: async () => undefined,
    startCardSetup: notOffered,
    finishCardSetup: notOffered,
    voidInvoice: async () => {},
    payOpenInvoice: notOffered,
    async readUpcoming(_customerId, subscriptionId) {
      if (subscriptionId === undefined) return { card: undefined, nextCharge: undefined };
      const { order, facts } = await saleOf(subscriptionId);
      const said = await saidAbout([order]);
      const card = said.findLast((one) => one.card !== undefined)?.card;
      const renews = facts !== undefined && isUsable(facts.status) && facts.endsAt === undefined;
      return {
        card: card && { ...card, expMonth: null, expYear: null },
        nextCharge: renews ? { amount: order.amount, currency: order.currency, at: facts.periodEndsAt } : undefined,
      };
    },

    ...promoCodes,
    listPaying: async () => ({ items: [], after: undefined }),
    listPayments: async () => ({ items: [], after: undefined }),

    async startPayment({ amount, currency, customerId, returnTo }) {
      const row = await insertOrder({
        reference: newReference(),
        provider: name,
        kind: 'single',
        period: 'month',
        amount,
        currency,
        listAmount: amount,
        customerId,
        returnTo,
      });
      const { url } = await open(row);
      return { paymentId: hostedId(name, row.reference), clientSecret: '', url };
    },
    async findPayment(paymentId) {
      const own = ownPart(paymentId).split('/')[0] ?? '';
      const order = await orderOf(own);
      if (order === undefined) return undefined;
      return foldPayment(order, eventsOf([order], await saidAbout([order])).get(order) ?? []);
    },
    async cancelPayment(paymentId) {
      const order = await orderOf(ownPart(paymentId));
      if (order === undefined) return true;
      // Nobody is sent to its page any more; what is paid there nevertheless is told.
      return stateOf(eventsOf([order], await saidAbout([order])).get(order) ?? []) !== 'paid';
    },
    async refundPayment(paymentId) {
      const order = await orderOf(ownPart(paymentId));
      if (order === undefined) return;
      const said = eventsOf([order], await saidAbout([order])).get(order) ?? [];
      const { status, amount, refunded } = foldPayment(order, said);
      if (status !== 'paid') return;
      const charge = said.find(({ means }) => means === 'paid');
      const outcome = await refund(order, charge, amount - refunded, `refund ${order.reference}`);
      if (!outcome.ok) throw new DomainError('payment/not-offered');
    },
    async refundInvoice({ invoiceId, amount, key }) {
      const [reference = '', transaction = ''] = ownPart(invoiceId).split('/');
      const order = await orderOf(reference);
      if (order === undefined) return { ok: false };
      const said = eventsOf([order], await saidAbout([order])).get(order) ?? [];
      const charge = said.find((one) => one.means === 'paid' && (one.transactionId ?? one.id) === transaction);
      const outcome = await refund(order, charge, amount, key);
      if (!outcome.ok) return { ok: false };
      const facts = foldCustomer([order], await saidAbout([order]), new Date());
      return { ok: true, refunded: facts.invoices.find(({ id }) => id === invoiceId)?.refunded ?? amount };
    },

    checkouts: {
      async startCheckout({ customerId, userId, plan, free, promoCode, returnTo }) {
        const row = await insertOrder({
          reference: newReference(),
          provider: name,
          userId,
          customerId,
          returnTo,
          ...plan,
          listAmount: plan.amount,
          kind: capabilities.prepaid ? 'prepaid' : 'subscription',
          ...chargesOf({ plan, free, promoCode, canWait: capabilities.trial, isPrepaid: capabilities.prepaid }),
        });
        return open(row);
      },
      async findCheckout(customerId, reference) {
        const order = await orderOf(reference);
        if (order === undefined || order.customerId !== customerId) return undefined;
        const said = eventsOf([order], await saidAbout([order])).get(order) ?? [];
        return {
          state: stateOf(said),
          reason: said.findLast(({ means }) => means === 'declined')?.reason,
          confirmations: said.findLast(({ means }) => means === 'waits')?.confirmations,
          paidAmount: said.find(({ means }) => means === 'paid')?.amount,
          currency: order.currency,
          period: order.period,
          createdAt: order.createdAt,
          returnTo: order.returnTo ?? undefined,
        };
      },
      async catchUp(customerId) {
        const orders = await ordersOf(customerId);
        const said = eventsOf(orders, await saidAbout(orders));
        for (const order of orders) {
          const { subscriptions } = foldCustomer([order], said.get(order) ?? [], new Date());
          const isRunning = subscriptions.some(({ status }) => status !== 'ended');
          const isYoung = Date.now() - order.createdAt.getTime() < 3 * dayMs;
          const isOpen = ['open', 'waiting', 'declined'].includes(stateOf(said.get(order) ?? []));
          if (!isRunning && !(isOpen && isYoung)) continue;
          const { reference, saleId } = order;
          await store((await provider.askAbout({ reference, saleId: saleId ?? undefined })) ?? []);
        }
      },
      async pagesOf(subscriptionId) {
        const { order } = await saleOf(subscriptionId);
        const { saleId } = order;
        if (saleId === null) return { account: undefined, cancel: undefined };
        const returnUrl = `${siteUrl}/account/subscription`;
        const canceled = capabilities.cancel === 'page' ? await provider.cancel({ saleId, returnUrl }) : undefined;
        return {
          account: provider.accountUrl({ saleId }),
          cancel: canceled?.ok === false ? canceled.url : undefined,
        };
      },
    },

    received: provider.received,
    async readEvents(postback) {
      const events = await provider.readPostback(postback);
      if (events === undefined) return undefined;
      await store(events);
      return Promise.all(events.map(named));
    },
  };

  async function refund(
    order: OrderRow,
    charge: HostedEvent | undefined,
    amount: number,
    key: string,
  ): Promise<{ ok: boolean }> {
    if (charge === undefined || provider.refund === undefined) return { ok: false };
    const transactionId = charge.transactionId ?? charge.id;
    const outcome = await provider.refund({ transactionId, amount, currency: order.currency, key });
    if (outcome.ok)
      await store([
        {
          id: `site.refunded:${key}`,
          type: 'site.refunded',
          means: 'refunded',
          at: new Date(),
          amount,
          reference: order.reference,
          saleId: order.saleId ?? undefined,
          ofTransaction: transactionId,
        },
      ]);
    return outcome;
  }

  /** Names whom an event is about, by the order. */
  async function named({ id, type, at, reference, saleId }: HostedEvent) {
    const [order] = await db
      .select()
      .from(paymentOrders)
      .where(
        and(
          isOwn,
          reference !== undefined ? eq(paymentOrders.reference, reference) : eq(paymentOrders.saleId, saleId ?? ''),
        ),
      );
    const isSingle = order?.kind === 'single';
    return {
      id: hostedId(name, id),
      type: type.slice(0, 100),
      createdAt: at,
      customerId: order?.customerId ?? undefined,
      paymentId: isSingle ? hostedId(name, order.reference) : undefined,
    };
  }
}

/** Random, so that it says nothing about anybody at the provider. */
function newReference(): string {
  return randomBytes(16).toString('hex');
}

function toEvent(row: typeof hostedEvents.$inferSelect): HostedEvent {
  const { id, type, means, at } = row;
  return {
    id,
    type,
    means,
    at,
    reference: row.reference ?? undefined,
    saleId: row.saleId ?? undefined,
    until: row.until ?? undefined,
    amount: row.amount ?? undefined,
    currency: row.currency ?? undefined,
    transactionId: row.transactionId ?? undefined,
    ofTransaction: row.ofTransaction ?? undefined,
    reason: row.reason ?? undefined,
    card: row.card ?? undefined,
    country: row.country ?? undefined,
    confirmations: row.confirmations ?? undefined,
  };
}

/** The charges of an order: a free or reduced first time, or a reduced price for ever. */
function chargesOf(order: {
  plan: Plan;
  free: FreeTime | undefined;
  promoCode: PromoCode | undefined;
  canWait: boolean;
  isPrepaid: boolean;
}): Partial<typeof paymentOrders.$inferInsert> {
  const { plan, free, promoCode, canWait, isPrepaid } = order;
  const now = new Date();
  const reduced = promoCode === undefined ? plan.amount : discounted(plan.amount, promoCode.discount);
  const code = promoCode && {
    promoCodeId: ownPart(promoCode.id),
    discount: { code: promoCode.code, ...promoCode.discount, endsAt: null } satisfies Discount,
  };
  const always = { ...code, amount: reduced };
  if (isPrepaid) return always;
  const isForever = promoCode?.discount.duration === 'forever';
  if (free !== undefined && canWait) {
    // Never charged before its end; whole days of a trial are not made longer by the moment that has passed.
    const days = Math.max(1, Math.ceil((endOfFreeTime(free, now).getTime() - now.getTime()) / dayMs));
    return { ...(isForever && always), firstAmount: 0, firstDays: days };
  }
  if (isForever) return always;
  return promoCode === undefined ? {} : { ...code, firstAmount: reduced, firstDays: plan.period === 'year' ? 365 : 30 };
}

/** Guarded by capabilities, so only a call that ignores them gets here. */
async function notOffered(): Promise<never> {
  throw new DomainError('payment/not-offered');
}
