import { stripeCapabilities } from '#gateways/stripe/stripe-payments.ts';
import { createHmac, randomUUID } from 'node:crypto';
import { addMonths } from '#domain/kernel/calendar/months.ts';
import { refuseInTransaction } from '#domain/kernel/open-transaction.ts';
import type {
  CustomerFacts,
  Declined,
  InvoiceFacts,
  PaymentEvent,
  PaymentFacts,
  PaymentProvider,
  Plan,
  PromoCode,
  SubscriptionFacts,
  TotalsPage,
} from '#domain/membership/payment-provider.ts';
import { discounted, promoCodeIn } from '#domain/membership/promo-codes.ts';

/** Small, so that tests meet several pages. */
const pageSize = 2;

/** Newest first. */
function pageOf<Item>(items: Item[], idOf: (item: Item) => string, after: string | undefined): TotalsPage<Item> {
  const rest = items.toReversed();
  const page = rest.slice(rest.findIndex((item) => idOf(item) === after) + 1);
  const last = page[pageSize - 1];
  return { items: page.slice(0, pageSize), after: page.length > pageSize && last ? idOf(last) : undefined };
}

/**
 * A minimal payment provider in memory. It passes the same contract as Stripe, which shows that a second provider needs
 * only the domain's interface.
 */

/**
 * Behaviour of a card. `needs-bank`: once, at its first use; `always-needs-bank`: at each use by its owner;
 * `fails-later`: at every charge, but not when entered; `disputed`: each charge succeeds and is then disputed.
 */
export type CardKind = 'good' | 'declining' | 'fails-later' | 'needs-bank' | 'always-needs-bank' | 'disputed';

type Card = {
  id: string;
  kind: CardKind;
  fingerprint: string;
  customerId: string | undefined;
  isConfirmed: boolean;
  expires: string;
};
type Kept = { facts: SubscriptionFacts; customerId: string; promo: PromoCode | undefined; isForgotten: boolean };
type Customer = {
  id: string;
  email: string | undefined;
  now: Date | undefined;
  cardId: string | undefined;
  invoices: InvoiceFacts[];
};
type Waiting = { done: (works: boolean, isDisputed?: boolean) => void };

type State = Pick<PlainPayments, 'failWith' | 'waitFor' | 'calls'>;

const day = 24 * 60 * 60 * 1000;
const declined = { ok: false, reason: 'payment/card-declined' } as const satisfies Declined;

export type PlainPayments = {
  provider: PaymentProvider;
  newCard(kind: CardKind, fingerprint?: string): string;
  /** As if the bank had issued it anew. @param month such as `2027-03` */
  setExpiry(cardId: string, month: string): void;
  /** Simulates the browser's step with a client secret. */
  finish(clientSecret: string, how: { works: boolean } | { cardId: string }): void;
  refundByHand(paymentId: string, amount: number): void;
  emailOf(customerId: string): string | undefined;
  /** An event about a customer or payment, as it would be posted. */
  eventFor(about: { customerId?: string; paymentId?: string; id?: string; at?: Date }): {
    body: string;
    headers: Record<string, string>;
  };
  /** While set, every call fails with it. */
  failWith: Error | undefined;
  /** While set, every call waits for it. */
  waitFor: Promise<void> | undefined;
  calls: string[];
};

export function openPlainPayments(): PlainPayments {
  const cards = new Map<string, Card>();
  const customers = new Map<string, Customer>();
  const kept = new Map<string, Kept>();
  const keys = new Map<string, Awaited<ReturnType<PaymentProvider['subscribe']>>>();
  const waiting = new Map<string, Waiting>();
  const promos: PromoCode[] = [];
  /** By the keys that they were made with. */
  const promoIds = new Map<string, string>();
  /** Keys of refunds that were made. */
  const refunds = new Set<string>();
  const payments = new Map<string, PaymentFacts & { currency: string; at: Date; clientSecret?: string | undefined }>();
  const setups = new Map<string, { customerId: string; cardId: string | undefined }>();
  const secret = randomUUID();
  let count = 0;
  const newName = (kind: string) => `${kind}_${(count += 1)}_${randomUUID().slice(0, 8)}`;
  const nowOf = (customerId: string) => customers.get(customerId)?.now ?? new Date();

  function one(id: string): Kept {
    const found = kept.get(id);
    if (found === undefined) throw new Error(`no subscription ${id}`);
    return found;
  }

  /** @param credit for unused time, which the amount is less */
  function charge(subscription: Kept, at: Date, amount: number, credit = 0): boolean {
    const { customerId, facts } = subscription;
    const card = cards.get(facts.cardId ?? '');
    const works = card?.kind === 'good' || card?.kind === 'disputed' || card?.isConfirmed === true;
    const promoCodeId = amount > 0 ? subscription.promo?.id : undefined;
    const off = amount - (subscription.promo ? discounted(amount, subscription.promo.discount) : amount);
    if (subscription.promo?.discount.duration === 'once' && amount > 0) subscription.promo = undefined;
    const invoiceId = newName('invoice');
    const status = works ? ('paid' as const) : ('waiting' as const);
    const paid = { status, amount: amount - off, refunded: 0 };
    const paymentId = `payment of ${invoiceId}`;
    payments.set(paymentId, { ...paid, customerId, currency: facts.plan.currency, at });
    customers.get(customerId)?.invoices.unshift({
      id: invoiceId,
      subscriptionId: facts.id,
      number: String(count),
      status: works ? 'paid' : 'open',
      currency: facts.plan.currency,
      subtotal: amount,
      discount: off,
      credit: 0,
      total: amount - off,
      amountDue: amount - off,
      amountPaid: works ? amount - off : 0,
      periodStart: at,
      periodEnd: facts.periodEndsAt,
      createdAt: at,
      paidAt: works ? at : null,
      paymentId,
      refunded: 0,
      hasFailed: !works,
      promoCodeIds: promoCodeId === undefined ? [] : [promoCodeId],
      isDisputed: card?.kind === 'disputed',
      lines: [amount + credit, ...(credit > 0 ? [-credit] : [])].map((part) => ({
        description: facts.plan.period,
        amount: part,
        start: at.toISOString(),
        end: facts.periodEndsAt.toISOString(),
      })),
    });
    return works;
  }

  const after = (start: Date, { period }: Plan) => addMonths(start, period === 'year' ? 12 : 1);

  /** Makes all charges and ends all subscriptions due by then. */
  function bill(subscription: Kept, to: Date): void {
    const { facts } = subscription;
    for (;;) {
      if (facts.status === 'ended' || facts.status === 'confirming' || facts.periodEndsAt > to) return;
      const at = facts.periodEndsAt;
      if (facts.endsAt !== undefined) {
        facts.status = 'ended';
        return;
      }
      if (facts.status === 'past-due') {
        // A failed charge is retried for two weeks, then the subscription ends.
        const end = new Date(at.getTime() + 14 * day);
        if (to >= end) Object.assign(facts, { status: 'ended', endsAt: end });
        return;
      }
      if (facts.nextPeriod !== undefined) {
        const amount = facts.plan.period === 'year' ? nextAmounts.get(facts.id) : undefined;
        facts.plan = { ...facts.plan, period: facts.nextPeriod, amount: amount ?? facts.plan.amount };
        facts.nextPeriod = undefined;
      }
      const next = after(at, facts.plan);
      if (charge(subscription, at, facts.plan.amount)) Object.assign(facts, { status: 'active', periodEndsAt: next });
      else facts.status = 'past-due';
    }
  }
  const nextAmounts = new Map<string, number>();
  /** Planned before the cancellation. */
  const droppedPeriods = new Map<string, SubscriptionFacts['nextPeriod']>();

  const state: State = { failWith: undefined, waitFor: undefined, calls: [] };

  const subscribe: PaymentProvider['subscribe'] = async ({ customerId, cardId, plan, free, promoCodeId, key }) => {
    const before = keys.get(key);
    if (before !== undefined) return structuredClone(before);
    const card = cards.get(cardId);
    const customer = customers.get(customerId);
    if (card === undefined || customer === undefined) return { ok: false, reason: 'payment/unknown-method' };
    if (card.kind === 'declining') return declined;
    card.customerId = customerId;
    customer.cardId = cardId;
    const now = nowOf(customerId);
    const latestFreeUntil = new Date(now.getTime() + 730 * day);
    const wanted = free && ('until' in free ? free.until : new Date(now.getTime() + free.days * day));
    const freeUntil = wanted && wanted > latestFreeUntil ? latestFreeUntil : wanted;
    const made = promos.find(({ id }) => id === promoCodeId);
    if (made !== undefined) made.redemptions += 1;
    const promo = made && promoCodeIn(made, plan.currency);
    const facts: SubscriptionFacts = {
      id: newName('subscription'),
      status: freeUntil === undefined ? 'active' : 'trialing',
      plan,
      cardId,
      cardExpires: card.expires,
      startedAt: now,
      trialEndsAt: freeUntil,
      periodEndsAt: freeUntil ?? after(now, plan),
      endsAt: undefined,
      nextPeriod: undefined,
      discount: promo && { code: promo.code, ...promo.discount, endsAt: null },
      action: undefined,
      movedBy: undefined,
    };
    const subscription: Kept = { facts, customerId, promo, isForgotten: false };
    if (card.kind === 'always-needs-bank' || (card.kind === 'needs-bank' && !card.isConfirmed)) {
      const clientSecret = newName('secret');
      const usable = facts.status;
      facts.status = 'confirming';
      facts.action = { kind: freeUntil === undefined ? 'payment' : 'setup', clientSecret };
      waiting.set(clientSecret, {
        done(works) {
          facts.action = undefined;
          card.isConfirmed = works;
          if (!works) return;
          facts.status = usable;
          if (freeUntil === undefined) charge(subscription, now, plan.amount);
        },
      });
    } else if (freeUntil === undefined && !charge(subscription, now, plan.amount)) return declined;
    kept.set(facts.id, subscription);
    const outcome = { ok: true, subscription: facts } as const;
    keys.set(key, outcome);
    return structuredClone(outcome);
  };

  async function cancelNow(id: string): Promise<void> {
    const { facts, customerId } = one(id);
    if (facts.status === 'ended') return;
    Object.assign(facts, { status: 'ended', endsAt: nowOf(customerId), action: undefined });
  }

  async function cancelUnconfirmed(id: string): Promise<void> {
    if (one(id).facts.status === 'ended') return;
    await cancelNow(id);
    one(id).isForgotten = true;
  }

  const provider: PaymentProvider = {
    async checkPlans() {},
    async preparePlans() {},
    async createCustomer({ email }) {
      const id = newName('customer');
      customers.set(id, { id, email, now: undefined, cardId: undefined, invoices: [] });
      return id;
    },
    async changeEmail(customerId, email) {
      const customer = customers.get(customerId);
      if (customer !== undefined) customer.email = email;
    },
    async deleteCustomer(customerId) {
      for (const { facts, customerId: owner } of kept.values()) if (owner === customerId) facts.status = 'ended';
      customers.delete(customerId);
    },
    async readCustomer(customerId): Promise<CustomerFacts | undefined> {
      const customer = customers.get(customerId);
      if (customer === undefined) return undefined;
      const own = [...kept.values()].filter((all) => all.customerId === customerId && !all.isForgotten);
      return structuredClone({
        subscriptions: own
          .map(({ facts }) => ({ ...facts, cardExpires: cards.get(facts.cardId ?? '')?.expires }))
          .toReversed(),
        invoices: customer.invoices,
        givenUpId: undefined,
      });
    },
    async readUpcoming(customerId, subscriptionId) {
      const customer = customers.get(customerId);
      const facts = subscriptionId === undefined ? undefined : kept.get(subscriptionId)?.facts;
      const goesOn = facts !== undefined && facts.endsAt === undefined;
      const promo = subscriptionId === undefined ? undefined : kept.get(subscriptionId)?.promo;
      const planned = facts?.nextPeriod === undefined ? undefined : nextAmounts.get(facts.id);
      const amount = planned ?? facts?.plan.amount ?? 0;
      return {
        card:
          customer?.cardId === undefined ? undefined : { brand: 'plain', last4: '0000', expMonth: 1, expYear: 2040 },
        nextCharge: goesOn
          ? {
              amount: promo ? discounted(amount, promo.discount) : amount,
              currency: facts.plan.currency,
              at: facts.periodEndsAt,
            }
          : undefined,
      };
    },
    async findCard(cardId) {
      const card = cards.get(cardId);
      return card && { fingerprint: card.fingerprint, customerId: card.customerId };
    },
    subscribe,
    cancelNow,
    cancelUnconfirmed,
    async cancelAtPeriodEnd(id) {
      const { facts } = one(id);
      if (facts.status !== 'confirming' && facts.action !== undefined) {
        waiting.delete(facts.action.clientSecret);
        facts.action = undefined;
      }
      facts.endsAt = facts.periodEndsAt;
      droppedPeriods.set(id, facts.nextPeriod);
      facts.nextPeriod = undefined;
    },
    async resume(id) {
      Object.assign(one(id).facts, { endsAt: undefined, nextPeriod: droppedPeriods.get(id) });
    },
    async previewPeriodChange(id, plan) {
      const { facts, customerId } = one(id);
      if (facts.status === 'trialing')
        return { dueToday: 0, credit: 0, currency: plan.currency, nextChargeAt: facts.periodEndsAt };
      const now = nowOf(customerId);
      const start = addMonths(facts.periodEndsAt, facts.plan.period === 'year' ? -12 : -1);
      const left = (facts.periodEndsAt.getTime() - now.getTime()) / (facts.periodEndsAt.getTime() - start.getTime());
      const credit = Math.round(facts.plan.amount * left);
      return { dueToday: plan.amount - credit, credit, currency: plan.currency, nextChargeAt: after(now, plan) };
    },
    async changePeriodNow(id, plan) {
      const subscription = one(id);
      const { facts, customerId } = subscription;
      const now = nowOf(customerId);
      if (facts.status === 'trialing') {
        facts.plan = plan;
        return { ok: true, action: undefined };
      }
      const { dueToday, credit } = await provider.previewPeriodChange(id, plan);
      const card = cards.get(facts.cardId ?? '');
      const change = () => {
        Object.assign(facts, { plan, periodEndsAt: after(now, plan) });
        charge(subscription, now, dueToday, credit);
      };
      if (card?.kind === 'always-needs-bank') {
        const clientSecret = newName('secret');
        facts.action = { kind: 'payment', clientSecret };
        waiting.set(clientSecret, {
          done(works) {
            facts.action = undefined;
            card.isConfirmed = works;
            if (works) change();
          },
        });
        return { ok: true, action: facts.action };
      }
      if (card?.kind !== 'good') return declined;
      change();
      return { ok: true, action: undefined };
    },
    async changePeriodAtEnd(id, plan) {
      one(id).facts.nextPeriod = plan.period;
      nextAmounts.set(id, plan.amount);
    },
    async keepPeriod(id) {
      one(id).facts.nextPeriod = undefined;
    },
    async delayCharge(id, until, key) {
      const { facts, customerId } = one(id);
      if (key !== undefined && facts.movedBy === key) return { ok: true };
      if (until === 'now') {
        if (facts.status === 'ended') return { ok: false };
        facts.movedBy = key ?? facts.movedBy;
        if (facts.status !== 'trialing') return { ok: true };
        Object.assign(facts, { trialEndsAt: nowOf(customerId), periodEndsAt: nowOf(customerId) });
        bill(one(id), nowOf(customerId));
        return { ok: true };
      }
      const now = nowOf(customerId).getTime();
      const isPossible = until.getTime() > now && until.getTime() <= now + 730 * day && facts.status !== 'ended';
      if (!isPossible) return { ok: false };
      const movedBy = key ?? facts.movedBy;
      Object.assign(facts, { status: 'trialing', trialEndsAt: until, periodEndsAt: until, movedBy });
      if (facts.endsAt !== undefined) facts.endsAt = until;
      return { ok: true };
    },
    async applyPromoCode(id, promoCodeId) {
      const made = promos.find((each) => each.id === promoCodeId);
      const promo = made && promoCodeIn(made, one(id).facts.plan.currency);
      if (made === undefined || promo === undefined) return { ok: false };
      made.redemptions += 1;
      one(id).promo = promo;
      one(id).facts.discount = { code: promo.code, ...promo.discount, endsAt: null };
      return { ok: true };
    },
    async voidInvoice(invoiceId) {
      const invoice = [...customers.values()].flatMap((one) => one.invoices).find(({ id }) => id === invoiceId);
      if (invoice?.status === 'open') Object.assign(invoice, { status: 'void', hasFailed: false });
    },
    async payOpenInvoice(customerId) {
      const customer = customers.get(customerId);
      const invoice = customer?.invoices.findLast(({ status }) => status === 'open');
      if (customer === undefined || invoice === undefined) return { ok: true, action: undefined };
      const subscription = one(invoice.subscriptionId ?? '');
      if (cards.get(subscription.facts.cardId ?? '')?.kind !== 'good') return declined;
      const now = nowOf(customerId);
      Object.assign(invoice, { status: 'paid', amountPaid: invoice.amountDue, paidAt: now, hasFailed: false });
      const payment = payments.get(invoice.paymentId ?? '');
      if (payment !== undefined) Object.assign(payment, { status: 'paid', at: now });
      const { facts } = subscription;
      Object.assign(facts, { status: 'active', periodEndsAt: after(facts.periodEndsAt, facts.plan) });
      return { ok: true, action: undefined };
    },
    async startCardSetup(customerId) {
      const setupId = newName('setup');
      setups.set(setupId, { customerId, cardId: undefined });
      return { setupId, clientSecret: `${setupId} secret` };
    },
    async finishCardSetup(customerId, setupId) {
      const setup = setups.get(setupId);
      const customer = customers.get(customerId);
      if (setup?.cardId === undefined || setup.customerId !== customerId || customer === undefined)
        return { ok: false, reason: 'payment/unknown-method' };
      customer.cardId = setup.cardId;
      for (const { facts, customerId: owner } of kept.values()) if (owner === customerId) facts.cardId = setup.cardId;
      return { ok: true };
    },
    async findPromoCode(code) {
      return structuredClone(promos.find((promo) => promo.code.toLowerCase() === code.toLowerCase()));
    },
    async listPromoCodes() {
      return structuredClone(promos);
    },
    async createPromoCode(promo, key = randomUUID()) {
      const before = promos.find(({ id }) => id === promoIds.get(key));
      if (before !== undefined) return structuredClone(before);
      if (promos.some(({ code, isActive }) => isActive && code.toLowerCase() === promo.code.toLowerCase()))
        return undefined;
      const made: PromoCode = {
        id: newName('promo'),
        code: promo.code,
        discount: {
          percentOff: promo.percentOff ?? null,
          amountOff: promo.amountOff ?? null,
          duration: promo.duration,
        },
        months: promo.months,
        currency: promo.amountOff === undefined ? undefined : promo.currency,
        amounts: promo.amounts ?? {},
        minimumAmount: undefined,
        isFirstTimeOnly: promo.isFirstTimeOnly ?? false,
        isActive: true,
        expiresAt: promo.expiresAt,
        maxRedemptions: promo.maxRedemptions,
        redemptions: 0,
      };
      promos.unshift(made);
      promoIds.set(key, made.id);
      return structuredClone(made);
    },
    async disablePromoCode(id) {
      for (const promo of promos) if (promo.id === id) promo.isActive = false;
    },
    async enablePromoCode(id) {
      const promo = promos.find((one) => one.id === id);
      const isTaken = promos.some(({ code, isActive }) => isActive && code.toLowerCase() === promo?.code.toLowerCase());
      if (promo === undefined || isTaken) return promo?.isActive === true;
      promo.isActive = true;
      return true;
    },
    async startPayment({ amount, currency, customerId }) {
      const paymentId = newName('payment');
      const clientSecret = `${paymentId} secret`;
      const made = { refunded: 0, customerId, currency, at: new Date() };
      payments.set(paymentId, { ...made, status: 'waiting', amount: 0, clientSecret });
      waiting.set(clientSecret, {
        done: (works, isDisputed) =>
          works &&
          void payments.set(paymentId, {
            ...made,
            status: isDisputed ? 'disputed' : 'paid',
            amount,
            clientSecret: undefined,
          }),
      });
      return { paymentId, clientSecret };
    },
    async findPayment(paymentId) {
      const { currency: _currency, at: _at, clientSecret: _secret, ...facts } = payments.get(paymentId) ?? {};
      return 'status' in facts ? structuredClone(facts as PaymentFacts) : undefined;
    },
    async cancelPayment(paymentId) {
      const payment = payments.get(paymentId);
      if (payment?.status !== 'waiting') return payment === undefined;
      waiting.delete(payment.clientSecret ?? '');
      payments.delete(paymentId);
      return true;
    },
    async refundInvoice({ invoiceId, amount, key }) {
      const invoice = [...customers.values()].flatMap((one) => one.invoices).find(({ id }) => id === invoiceId);
      if (invoice?.status !== 'paid' || invoice.isDisputed) return { ok: false };
      if (refunds.has(key)) return { ok: true, refunded: invoice.refunded };
      if (amount > invoice.amountPaid - invoice.refunded) return { ok: false };
      refunds.add(key);
      invoice.refunded += amount;
      const payment = payments.get(`payment of ${invoiceId}`);
      if (payment !== undefined) payment.refunded = invoice.refunded;
      if (payment !== undefined && invoice.refunded === invoice.amountPaid) payment.status = 'refunded';
      return { ok: true, refunded: invoice.refunded };
    },
    async refundPayment(paymentId) {
      const payment = payments.get(paymentId);
      if (payment?.status === 'paid') Object.assign(payment, { status: 'refunded', refunded: payment.amount });
    },
    async listPaying({ until, after: last }) {
      const active = [...kept.values()].filter(
        ({ facts, isForgotten }) => facts.status === 'active' && !isForgotten && facts.startedAt < until,
      );
      const items = active.map(({ facts: { id, startedAt, endsAt }, customerId }) => ({
        id,
        customerId,
        startedAt,
        renews: endsAt === undefined,
      }));
      return pageOf(items, ({ id }) => id, last);
    },
    async listPayments({ from, until, after: last }) {
      const made = [...payments].filter(([, { status, at }]) => status !== 'waiting' && at >= from && at < until);
      const items = made.map(([paymentId, { customerId, amount, currency, refunded, status, at }]) => ({
        paymentId,
        customerId,
        isOwn: customerId === undefined || customers.has(customerId),
        amount,
        currency,
        refunded,
        isTakenBack: status === 'refunded' || status === 'disputed',
        createdAt: at,
      }));
      return pageOf(items, ({ paymentId }) => paymentId, last);
    },
    name: 'stripe',
    capabilities: stripeCapabilities,
    received: JSON.stringify({ received: true }),
    async readEvents({ body, header }) {
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      if (header('plain-signature') !== signature) return undefined;
      const event = JSON.parse(body) as Omit<PaymentEvent, 'createdAt'> & { createdAt: string; sentAt: number };
      if (Date.now() - event.sentAt > 5 * 60 * 1000) return undefined;
      const { id, type, customerId, paymentId } = event;
      return [{ id, type, createdAt: new Date(event.createdAt), customerId, paymentId }];
    },
    testClock: {
      async createCustomer({ startsAt, email }) {
        const id = newName('customer');
        customers.set(id, { id, email, now: startsAt, cardId: undefined, invoices: [] });
        return id;
      },
      timeOf: async (customerId) => customers.get(customerId)?.now,
      async advance(customerId, to) {
        const customer = customers.get(customerId);
        if (customer?.now === undefined) throw new Error('the customer lives in everybody’s time');
        for (const subscription of kept.values()) if (subscription.customerId === customerId) bill(subscription, to);
        customer.now = to;
      },
    },
  };

  return {
    provider: watched(provider, state),
    newCard(kind, fingerprint = randomUUID()) {
      const id = newName('card');
      cards.set(id, { id, kind, fingerprint, customerId: undefined, isConfirmed: false, expires: '2040-01' });
      return id;
    },
    setExpiry(cardId, month) {
      const card = cards.get(cardId);
      if (card !== undefined) card.expires = month;
    },
    finish(clientSecret, how) {
      const setup = setups.get(clientSecret.split(' ')[0] ?? '');
      if ('cardId' in how && setup !== undefined) setup.cardId = how.cardId;
      else if ('works' in how) waiting.get(clientSecret)?.done(how.works);
      else {
        const kind = cards.get(how.cardId)?.kind;
        waiting.get(clientSecret)?.done(kind === 'good' || kind === 'disputed', kind === 'disputed');
      }
    },
    refundByHand(paymentId, amount) {
      const payment = payments.get(paymentId);
      if (payment !== undefined) payment.refunded += amount;
    },
    emailOf: (customerId) => customers.get(customerId)?.email,
    eventFor({ customerId, paymentId, id = newName('event'), at = new Date() }) {
      const event = { id, type: 'something.happened', createdAt: at, sentAt: at.getTime(), customerId, paymentId };
      const body = JSON.stringify(event);
      return { body, headers: { 'plain-signature': createHmac('sha256', secret).update(body).digest('hex') } };
    },
    get failWith() {
      return state.failWith;
    },
    set failWith(error) {
      state.failWith = error;
    },
    get waitFor() {
      return state.waitFor;
    },
    set waitFor(wait) {
      state.waitFor = wait;
    },
    get calls() {
      return state.calls;
    },
  };
}

/** Records each call, makes it asynchronous like a network, and fails or waits as the test requests. */
function watched(provider: PaymentProvider, state: State): PaymentProvider {
  const entries = Object.entries(provider).map(([name, value]) => {
    if (typeof value !== 'function' || name === 'readEvents') return [name, value] as const;
    const act = value as (...args: unknown[]) => Promise<unknown>;
    return [
      name,
      async (...args: unknown[]) => {
        refuseInTransaction('The payment provider');
        state.calls.push(name);
        await new Promise((resolve) => setImmediate(resolve));
        await state.waitFor;
        if (state.failWith !== undefined) throw state.failWith;
        return act(...args);
      },
    ] as const;
  });
  return Object.fromEntries(entries) as unknown as PaymentProvider;
}

/** The next move of a charge is made, but its answer is lost, or it never arrives. */
export async function losingMove<Result>(
  { provider }: Pick<PlainPayments, 'provider'>,
  how: 'answer' | 'request',
  act: () => Promise<Result>,
): Promise<Result> {
  const { delayCharge } = provider;
  provider.delayCharge = async (...move) => {
    provider.delayCharge = delayCharge;
    if (how === 'answer') await delayCharge(...move);
    throw new Error('the connection broke');
  };
  try {
    return await act();
  } finally {
    provider.delayCharge = delayCharge;
  }
}
