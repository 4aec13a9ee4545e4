import { randomBytes } from 'node:crypto';
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
import { eventsOf, foldCustomer, foldPayment, stateOf, transactionOf } from './fold.ts';
import { hostedId, ownPart } from './hosted-id.ts';
import type { HostedEvent, HostedOrder, HostedProvider } from './hosted-provider.ts';
import { type OrderRow, openLedger } from './ledger.ts';
import { openOwnPromoCodes } from './own-promo-codes.ts';
import type { paymentOrders } from './tables.ts';

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
  now?: () => Date;
}): PaymentProvider {
  const { db, provider, siteUrl, siteName, now = () => new Date() } = options;
  const { name, capabilities } = provider;
  const ledger = openLedger(db, name);
  const promoCodes = openOwnPromoCodes(db, name);

  /** Notes an act of the site as an event of its own: the provider's word about the same may come late or never. */
  async function note(order: OrderRow, means: HostedEvent['means'], until?: Date): Promise<void> {
    const act = { id: `site.${means}:${newId()}`, type: `site.${means}`, means, at: now(), until };
    await ledger.add([{ ...act, reference: order.reference, saleId: order.saleId ?? undefined }]);
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

  /** The sale of a subscription's id, and how it stands. @throws DomainError `subscription/none` */
  async function saleOf(subscriptionId: string) {
    const found = await ledger.findSaid(ownPart(subscriptionId));
    if (found === undefined) throw new DomainError('subscription/none');
    return { ...found, facts: factsOf(found) };
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
      for (const [order, said] of await saidTo(customerId)) {
        const facts = factsOf({ order, said });
        if (facts === undefined || facts.status === 'ended') continue;
        await stopRenewal(order, facts);
        await note(order, 'ended');
      }
    },
    async readCustomer(customerId) {
      const orders = await ledger.findOrdersOf(customerId);
      return foldCustomer(orders, await ledger.saidAbout(orders), now());
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
      const { order, said, facts } = await saleOf(subscriptionId);
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
      const row = await ledger.addOrder({
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
      const reference = ownPart(paymentId).split('/')[0] ?? '';
      const known = await ledger.findSaid(reference);
      if (known === undefined) return undefined;
      if (!mayBeMissed(known.order, known.said)) return foldPayment(known.order, known.said);
      await ask(known.order);
      const { order, said } = (await ledger.findSaid(reference)) ?? known;
      return foldPayment(order, said);
    },
    async cancelPayment(paymentId) {
      const found = await ledger.findSaid(ownPart(paymentId));
      // Nobody is sent to its page any more; what is paid there nevertheless is told.
      return found === undefined || stateOf(found.said) !== 'paid';
    },
    async refundPayment(paymentId) {
      const found = await ledger.findSaid(ownPart(paymentId));
      if (found === undefined) return;
      const { order, said } = found;
      const { status, amount, refunded } = foldPayment(order, said);
      if (status !== 'paid') return;
      const charge = said.find(({ means }) => means === 'paid');
      const outcome = await refund(order, charge, amount - refunded, `refund ${order.reference}`);
      if (!outcome.ok) throw new DomainError('payment/not-offered');
    },
    async refundInvoice({ invoiceId, amount, key }) {
      const [reference = '', transaction = ''] = ownPart(invoiceId).split('/');
      const found = await ledger.findSaid(reference);
      if (found === undefined) return { ok: false };
      const { order, said } = found;
      const charge = said.find((one) => one.means === 'paid' && transactionOf(one) === transaction);
      const outcome = await refund(order, charge, amount, key);
      if (!outcome.ok) return { ok: false };
      const facts = foldCustomer([order], await ledger.saidAbout([order]), now());
      return { ok: true, refunded: facts.invoices.find(({ id }) => id === invoiceId)?.refunded ?? amount };
    },

    checkouts: {
      async startCheckout({ customerId, userId, plan, free, promoCode, returnTo }) {
        const row = await ledger.addOrder({
          userId,
          customerId,
          returnTo,
          ...plan,
          listAmount: plan.amount,
          kind: capabilities.prepaid ? 'prepaid' : 'subscription',
          ...pricesOf({
            plan,
            free,
            promoCode,
            canWait: capabilities.trial,
            isPrepaid: capabilities.prepaid,
            now: now(),
          }),
        });
        return open(row);
      },
      async findCheckout(customerId, reference) {
        const found = await ledger.findSaid(reference);
        if (found === undefined || found.order.customerId !== customerId) return undefined;
        const { order, said } = found;
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
        for (const [order, said] of await saidTo(customerId)) {
          const facts = factsOf({ order, said });
          const isRunning = facts !== undefined && facts.status !== 'ended';
          if (isRunning || mayBeMissed(order, said)) await ask(order);
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
      await ledger.add(events);
      return Promise.all(events.map(named));
    },
  };

  /** Undefined for an order that was never paid. */
  function factsOf({ order, said }: { order: OrderRow; said: HostedEvent[] }): SubscriptionFacts | undefined {
    return foldCustomer([order], said, now()).subscriptions[0];
  }

  async function ask({ reference, saleId }: OrderRow): Promise<void> {
    await ledger.add((await provider.askAbout({ reference, saleId: saleId ?? undefined })) ?? []);
  }

  async function refund(
    order: OrderRow,
    charge: HostedEvent | undefined,
    amount: number,
    key: string,
  ): Promise<{ ok: boolean }> {
    if (charge === undefined || provider.refund === undefined) return { ok: false };
    const transactionId = transactionOf(charge);
    const outcome = await provider.refund({ transactionId, amount, currency: order.currency, key });
    if (outcome.ok)
      await ledger.add([
        {
          id: `site.refunded:${key}`,
          type: 'site.refunded',
          means: 'refunded',
          at: now(),
          amount,
          reference: order.reference,
          saleId: order.saleId ?? undefined,
          ofTransaction: transactionId,
        },
      ]);
    return outcome;
  }

  /** Names whom an event is about, by the order. */
  async function named(event: HostedEvent) {
    const order = await ledger.findOrderOf(event);
    return {
      id: hostedId(name, event.id),
      type: event.type.slice(0, 100),
      createdAt: event.at,
      customerId: order?.customerId ?? undefined,
      paymentId: order?.kind === 'single' ? hostedId(name, order.reference) : undefined,
    };
  }

  /** The orders of a customer, each with what was said about it. */
  async function saidTo(customerId: string) {
    const orders = await ledger.findOrdersOf(customerId);
    return eventsOf(orders, await ledger.saidAbout(orders));
  }
}

/** The word about this order may have been lost: it was not paid or closed so far. */
function mayBeMissed(order: OrderRow, said: HostedEvent[]): boolean {
  const isYoung = Date.now() - order.createdAt.getTime() < 3 * dayMs;
  return isYoung && ['open', 'waiting', 'declined'].includes(stateOf(said));
}

/** The prices of an order: a free or reduced first time, or a reduced price for ever. */
function pricesOf(order: {
  plan: Plan;
  free: FreeTime | undefined;
  promoCode: PromoCode | undefined;
  canWait: boolean;
  isPrepaid: boolean;
  now: Date;
}): Partial<typeof paymentOrders.$inferInsert> {
  const { plan, free, promoCode, canWait, isPrepaid, now } = order;
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
