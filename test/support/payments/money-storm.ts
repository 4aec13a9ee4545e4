import { AsyncLocalStorage } from 'node:async_hooks';
import { and, eq, sql } from 'drizzle-orm';
import Stripe from 'stripe';
import { openStripeSandbox } from 'stripe-sandbox';
import { createCard } from 'stripe-sandbox/testing';
import type { Db } from '#domain/kernel/db.ts';
import { operator } from '#domain/kernel/actor.ts';
import { newId } from '#domain/kernel/ids.ts';
import { settleWishes } from '#domain/membership/charge-wishes.ts';
import type { MembershipParts } from '#domain/membership/customers.ts';
import { addMonths } from '#domain/kernel/calendar/months.ts';
import { hashCode } from '#domain/membership/gift-cards/gift-codes.ts';
import { withPaymentLock } from '#domain/membership/lock.ts';
import { openMembership } from '#domain/membership/open-membership.ts';
import { giveTime, takeTimeBack } from '#domain/membership/gift-cards/operator-gifts.ts';
import { finishRefunds, refundInvoice } from '#domain/membership/refunds.ts';
import {
  giftCards,
  givenMonths,
  invoiceRefunds,
  invoices,
  memberships,
  subscriptions,
} from '#domain/membership/tables.ts';
import { findWishes } from '#domain/membership/wishes.ts';
import { openStripePayments } from '#gateways/stripe/stripe-payments.ts';
import { createUser } from '../factories.ts';
import { mailInto } from '../servers/mail-box.ts';

/** A request's fate: `lost-request` never arrives, `lost-answer` and `repeated` do, `refused` is refused for good. */
type Fault = 'lost-request' | 'lost-answer' | 'refused' | 'repeated';

export type MoneyStorm = {
  orders: number;
  /** Redeemed cards, months given and taken back, cancellations and refunds. */
  wishes: number;
  moved: number;
  /** Months that became gift time: refused, or without a subscription that goes on. */
  giftTimes: number;
  takenBack: number;
  refunds: number;
  faults: Record<Fault, number>;
  /** Moves and refunds that the provider made twice. */
  doubled: number;
  /** Sentences about orders in which the site and the provider differ. */
  wrong: string[];
  ms: number;
};

type Move = { key: string | undefined; until: number; isMade: boolean };
/** One user's faults of the next requests, and the moves of the charge that reached the provider. */
type Line = { faults: Map<number, Fault>; count: number; moves: Move[] };

const lines = new AsyncLocalStorage<Line>();

/**
 * Lets users redeem gift cards, operators give months, take them back and refund, in random orders and with month's ends,
 * while answers are lost, requests refused and repeated; then compares the site with the provider. The official SDK
 * calls the sandbox over HTTP.
 */
export async function stormOfWishes(options: {
  db: Db;
  databaseUrl: string;
  orders: number;
  seed: number;
}): Promise<MoneyStorm> {
  const { db, databaseUrl } = options;
  const sandbox = await openStripeSandbox({
    databaseUrl,
    siteUrl: 'http://127.0.0.1:3000',
    enabledEvents: [],
    log: { info: () => {}, warn: () => {} },
  });
  const { apiKey, publishableKey, webhookSecret, connection } = sandbox;
  const faults: Record<Fault, number> = { 'lost-request': 0, 'lost-answer': 0, refused: 0, repeated: 0 };
  const payments = openStripePayments({
    apiKey,
    webhookSecret,
    connection: { ...connection, httpClient: faultyClient(faults), maxNetworkRetries: 0 },
    siteName: () => 'Sotto',
  });
  const stripe = new Stripe(apiKey, { ...connection, telemetry: false });
  const parts: MembershipParts = {
    db,
    payments,
    mail: mailInto([]),
    site: { name: 'Sotto', url: 'https://sotto.example' },
  };
  const storm: MoneyStorm = {
    orders: options.orders,
    wishes: 0,
    moved: 0,
    giftTimes: 0,
    takenBack: 0,
    refunds: 0,
    faults,
    doubled: 0,
    wrong: [],
    ms: 0,
  };
  try {
    const membership = openMembership({ ...parts, secret: 'test' });
    await membership.checkPlans();
    const browser = new Stripe(publishableKey, { ...connection, telemetry: false });
    const workers = 4;
    const began = Date.now();
    await Promise.all(
      Array.from({ length: workers }, async (_, worker) => {
        const random = randomOf(options.seed * 1000 + worker);
        let person: Person | undefined;
        for (let order = worker; order < options.orders; order += workers) {
          // Lists of invoices stay short.
          if (person === undefined || random(20) === 0) person = await newPerson({ parts, membership, browser });
          await runOrder({ parts, stripe, storm, random, person, name: `seed ${options.seed}, order ${order}` });
        }
      }),
    );
    storm.ms = Date.now() - began;
    storm.refunds = await db.$count(invoiceRefunds, eq(invoiceRefunds.state, 'done'));
    return storm;
  } finally {
    await sandbox.close();
  }
}

type Person = { userId: string; customerId: string; subscriptionId: string };

async function newPerson({
  parts,
  membership,
  browser,
}: {
  parts: MembershipParts;
  membership: ReturnType<typeof openMembership>;
  browser: Stripe;
}): Promise<Person> {
  const { id: userId } = await createUser(parts.db, { email: `${newId()}@example.org` });
  await parts.db.insert(memberships).values({ userId, trialUsedAt: new Date() });
  const { id: paymentMethodId } = await createCard(browser, '4242424242424242');
  const order = { paymentMethodId, period: 'month', promoCode: undefined, withoutTrial: true } as const;
  const made = await membership.createSubscription(userId, order);
  if (!made.ok) throw new Error(made.reason);
  const { rows } = await parts.db.execute<{ customer: string; subscription: string }>(sql`
    select c.customer_id as customer, s.subscription_id as subscription
    from payment_customers c join subscriptions s using (user_id) where c.user_id = ${userId}`);
  return { userId, customerId: rows[0]?.customer ?? '', subscriptionId: rows[0]?.subscription ?? '' };
}

type Random = (below: number) => number;

type Order = {
  parts: MembershipParts;
  stripe: Stripe;
  storm: MoneyStorm;
  random: Random;
  person: Person;
  name: string;
};

/** The expected sum of the months, in milliseconds. */
type Expected = { charge: number; gift: number; isCancelled: boolean };
type Model = {
  expected: Expected;
  /** Keys of wishes whose outcome was seen. */
  settled: Set<string>;
  /** By the key of a gift: the time that it added. */
  spans: Map<string, number>;
  /** The number of moves that the model has followed. */
  followed: number;
};

async function runOrder(order: Order): Promise<void> {
  const { parts, stripe, storm, random, person, name } = order;
  const { db } = parts;
  const { userId, subscriptionId } = person;
  const isUser = eq(memberships.userId, userId);
  const complain = (what: string) => storm.wrong.push(`${name}: ${what}`);

  // A new beginning, often at a month's end.
  const start = chargeDate(random);
  await stripe.subscriptions.update(subscriptionId, {
    cancel_at_period_end: false,
    trial_end: start,
    proration_behavior: 'none',
  });
  const at = new Date(start * 1000);
  const begun = { status: 'trialing', periodEndsAt: at, trialEndsAt: at, endsAt: null } as const;
  await db.update(subscriptions).set(begun).where(eq(subscriptions.userId, userId));
  await db.update(memberships).set({ giftUntil: null, chargeRefusedAt: null }).where(isUser);
  await db.delete(givenMonths).where(eq(givenMonths.userId, userId));
  const line: Line = { faults: new Map(), count: 0, moves: [] };
  const membership = openMembership({ ...parts, secret: 'test' });
  const expected: Expected = { charge: start * 1000, gift: 0, isCancelled: false };
  const model: Model = { expected, settled: new Set(), spans: new Map(), followed: 0 };
  await newOutcomes(db, userId, model.settled);
  const acts: string[] = [];

  /** One act with its faults; then the model follows what the site says was settled. */
  const act = async (what: string, run: () => Promise<unknown>, isFaultless = false) => {
    acts.push(what);
    line.count = 0;
    line.faults = isFaultless ? new Map() : faultsFor(random);
    await lines.run(line, run).catch((error: unknown) => {
      const { code } = error as { code?: string };
      if (code !== 'payment/unavailable') complain(`${acts.join(', ')}: ${String(error)}`);
    });
    line.faults = new Map();
    await follow(order, model, line.moves, (reason) => complain(`${acts.join(', ')}: ${reason}`));
  };

  let hasRefunds = false;
  const steps = 1 + random(3);
  for (let step = 0; step < steps; step += 1) {
    storm.wishes += 1;
    const months = ([1, 3, 6, 12] as const)[random(4)] ?? 1;
    switch (random(8)) {
      case 0:
      case 1:
      case 2: {
        const code = await newCard(db, months);
        await act(`card of ${months}`, () => membership.redeemGiftCard(userId, code));
        // A repeated wish is refused or was the first one.
        if (random(4) === 0) await act('card again', () => membership.redeemGiftCard(userId, code));
        break;
      }
      case 3:
      case 4: {
        const key = newId();
        await act(`give ${months}`, () => giveTime(parts, userId, { months, key }));
        if (random(2) === 0) await act('give again', () => giveTime(parts, userId, { months, key }));
        break;
      }
      case 5:
        if (random(3) > 0) await act(`give ${months}`, () => giveTime(parts, userId, { months }));
        await act('take back', () => takeTimeBack(parts, userId));
        break;
      case 6: {
        const [invoice] = await db
          .select()
          .from(invoices)
          .where(and(eq(invoices.userId, userId), sql`amount_paid > 0`));
        if (invoice === undefined || invoice.refunded > 700) break;
        hasRefunds = true;
        const refund = {
          key: newId(),
          invoiceId: invoice.id,
          amount: 1 + random(40),
          seen: await refundedOf(db, invoice.id),
          reason: 'x',
        };
        await act(`refund ${refund.amount}`, () => refundInvoice(parts, operator, refund));
        if (random(2) === 0) await act('refund again', () => refundInvoice(parts, operator, refund));
        break;
      }
      default:
        if (expected.isCancelled) {
          expected.isCancelled = false;
          await act('resume', () => membership.resumeSubscription(userId), true);
        } else {
          expected.isCancelled = true;
          await act('cancel', () => membership.cancelSubscription(userId, undefined), true);
        }
    }
    if (random(3) === 0) await act('job', () => settleAll(parts, userId));
  }
  await act('job', () => settleAll(parts, userId), true);
  await act('sync', () => membership.refreshSubscription(userId), true);
  await compare(order, expected, (what) => complain(`${acts.join(', ')}: ${what}`));
  if (hasRefunds) await compareRefunds(order, complain);
  const keys = line.moves.flatMap((move) => (move.isMade && move.key !== undefined ? [move.key] : []));
  storm.doubled += keys.length - new Set(keys).size;
  if ((await findWishes(db, userId)).length > 0) complain('a wish has no outcome');
}

async function settleAll(parts: MembershipParts, userId: string): Promise<void> {
  await parts.db
    .update(invoiceRefunds)
    .set({ createdAt: sql`now() - interval '2 minutes'` })
    .where(and(eq(invoiceRefunds.userId, userId), eq(invoiceRefunds.state, 'asked')));
  await withPaymentLock(parts.db, userId, () => settleWishes(parts, userId));
  await finishRefunds(parts);
}

type Outcome = { key: string; at: number; months: number; is: 'moved' | 'gift' | 'taken-back' };

/** Wishes of the user with an outcome that was not seen before, in their order. */
async function newOutcomes(db: Db, userId: string, settled: Set<string>): Promise<Outcome[]> {
  const cards = await db
    .select()
    .from(giftCards)
    .where(and(eq(giftCards.redeemedBy, userId), sql`applied_at is not null`));
  const given = await db.select().from(givenMonths).where(eq(givenMonths.userId, userId));
  const outcomes: Outcome[] = [
    ...cards.map(({ id, months, redeemedAt, chargeUntil }) => ({
      key: `card ${id}`,
      at: redeemedAt?.getTime() ?? 0,
      months,
      is: chargeUntil === null ? ('gift' as const) : ('moved' as const),
    })),
    ...given.flatMap((row): Outcome[] => {
      const { id, months, appliedAt, createdAt, chargeBefore, takingBackAt, takenBackAt } = row;
      const is = chargeBefore === null ? 'gift' : 'moved';
      const made: Outcome[] = appliedAt === null ? [] : [{ key: `give ${id}`, at: createdAt.getTime(), months, is }];
      const at = takingBackAt?.getTime() ?? 0;
      const taken: Outcome[] = takenBackAt === null ? [] : [{ key: `take-back ${id}`, at, months, is: 'taken-back' }];
      return [...made, ...taken];
    }),
  ];
  const fresh = outcomes.filter(({ key }) => !settled.has(key)).toSorted((one, other) => one.at - other.at);
  for (const { key } of fresh) settled.add(key);
  return fresh;
}

/** Carries out in the model, by calendar months, what the site says was settled; each move must be the provider's. */
async function follow(
  { parts, storm, person }: Order,
  model: Model,
  moves: Move[],
  complain: (what: string) => void,
): Promise<void> {
  const { expected, spans } = model;
  const made = moves.filter(({ isMade }) => isMade);
  const byItself = () => {
    // The site moved the charge to the end of the gift time.
    for (let next = made[model.followed]; next !== undefined && next.key === undefined; next = made[model.followed]) {
      model.followed += 1;
      expected.charge = next.until * 1000;
      if (Math.abs(expected.charge - expected.gift) > 1000) complain('the charge moved to no end of gift time');
    }
  };
  const moveTo = (until: number) => {
    const span = until - expected.charge;
    const isWaiting = expected.gift - expected.charge >= 1000 || (span < 0 && near(expected.gift, expected.charge));
    if (isWaiting && !near(expected.gift, until)) expected.gift += span;
    expected.charge = until;
    return span;
  };
  for (const { key, months, is } of await newOutcomes(parts.db, person.userId, model.settled)) {
    const isAsked = moves.some((one) => one.key === key);
    if (isAsked) byItself();
    const isMade = made[model.followed]?.key === key;
    if (isMade) model.followed += 1;
    if (is === 'moved') {
      if (!isMade) complain(`${key} was not moved by the provider`);
      spans.set(key, moveTo(addMonths(new Date(expected.charge), months).getTime()));
      storm.moved += 1;
    } else if (is === 'gift') {
      const begin = Math.max(Date.now(), expected.charge, expected.gift);
      expected.gift = addMonths(new Date(begin), months).getTime();
      spans.set(key, expected.gift - begin);
      storm.giftTimes += 1;
    } else {
      const span = spans.get(key.replace('take-back', 'give')) ?? 0;
      if (isMade) moveTo(expected.charge - span);
      else expected.gift = Math.max(expected.gift - span, Date.now());
      storm.takenBack += 1;
    }
  }
  byItself();
}

const near = (one: number, other: number) => Math.abs(one - other) < 1000;

/** The provider, the site's copy, and what the wishes should add up to. */
async function compare(
  { parts, stripe, person }: Order,
  expected: Expected,
  complain: (what: string) => void,
): Promise<void> {
  const subscription = await stripe.subscriptions.retrieve(person.subscriptionId);
  const charge = (subscription.items.data[0]?.current_period_end ?? 0) * 1000;
  const show = (at: number) => new Date(at).toISOString();
  if (Math.abs(charge - expected.charge) > 1000)
    complain(`the provider charges at ${show(charge)}, expected ${show(expected.charge)}`);
  if (subscription.cancel_at_period_end !== expected.isCancelled) complain('cancelled or not');
  const [copy] = await parts.db.select().from(subscriptions).where(eq(subscriptions.userId, person.userId));
  const endsAt = expected.isCancelled ? charge : undefined;
  if (copy?.periodEndsAt.getTime() !== charge || copy.endsAt?.getTime() !== endsAt || copy.status !== 'trialing')
    complain(`the site says ${JSON.stringify(copy)}, the provider charges at ${show(charge)}`);
  const [row] = await parts.db.select().from(memberships).where(eq(memberships.userId, person.userId));
  const gift = row?.giftUntil?.getTime() ?? 0;
  if (Math.abs(gift - expected.gift) > 2000) complain(`gift time until ${show(gift)}, expected ${show(expected.gift)}`);
}

/** Each refund that the site calls made is one at the provider, with its key, and none is more. */
async function compareRefunds({ parts, stripe, person }: Order, complain: (what: string) => void): Promise<void> {
  const { db } = parts;
  const rows = await db.select().from(invoiceRefunds).where(eq(invoiceRefunds.userId, person.userId));
  if (rows.length === 0) return;
  const { data: charges } = await stripe.charges.list({ customer: person.customerId, limit: 100 });
  const made: Stripe.Refund[] = [];
  for (const { id, amount_refunded } of charges)
    if (amount_refunded > 0) made.push(...(await stripe.refunds.list({ charge: id, limit: 100 })).data);
  const ofKeys = made.map(({ metadata, amount }) => `${metadata?.['key']} ${amount}`).toSorted();
  const done = rows.filter(({ state }) => state === 'done').map(({ id, amount }) => `${id} ${amount}`);
  if (JSON.stringify(ofKeys) !== JSON.stringify(done.toSorted()))
    complain(`refunds: the site says ${done.length}, the provider ${ofKeys.length}`);
  if (rows.some(({ state }) => state === 'asked')) complain('a refund has no outcome');
}

async function refundedOf(db: Db, invoiceId: string): Promise<number> {
  const [row] = await db.select().from(invoices).where(eq(invoices.id, invoiceId));
  const asked = await db
    .select()
    .from(invoiceRefunds)
    .where(and(eq(invoiceRefunds.invoiceId, invoiceId), eq(invoiceRefunds.state, 'asked')));
  return (row?.refunded ?? 0) + asked.reduce((sum, { amount }) => sum + amount, 0);
}

/** Paid, and its code mailed. */
async function newCard(db: Db, months: number): Promise<string> {
  const code = newId().replaceAll('-', '').slice(0, 32);
  await db.insert(giftCards).values({
    id: newId(),
    months,
    amount: 799,
    currency: 'usd',
    deliverAt: new Date(),
    paidAt: new Date(),
    sentAt: new Date(),
    codeHash: hashCode(code),
  });
  return code;
}

/** Half of them on the last days of a month. @returns seconds */
function chargeDate(random: Random): number {
  const now = new Date();
  const month = now.getUTCMonth() + 1 + random(22);
  const last = new Date(Date.UTC(now.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const date = random(2) === 0 ? last - random(3) : 1 + random(28);
  return Math.floor(Date.UTC(now.getUTCFullYear(), month, date, random(24), random(60), random(60)) / 1000);
}

function faultsFor(random: Random): Map<number, Fault> {
  const kinds = ['lost-request', 'lost-answer', 'refused', 'repeated'] as const;
  const count = random(4) === 0 ? 0 : 1 + random(2);
  // Most acts change one thing at the provider.
  return new Map(Array.from({ length: count }, (_, place) => [place, kinds[random(4)] ?? 'lost-answer']));
}

/** Faults of requests that change something; others pass. */
function faultyClient(faults: Record<Fault, number>): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient();
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = async (...request) => {
    const line = lines.getStore();
    const [, , path, method, , body] = request;
    if (line === undefined || method !== 'POST') return makeRequest(...request);
    const fault = line.faults.get(line.count);
    line.count += 1;
    const fields = new URLSearchParams(body);
    const trialEnd = path.startsWith('/v1/subscriptions/') ? fields.get('trial_end') : null;
    const isRefusable = trialEnd !== null || path.startsWith('/v1/refunds');
    const note = (isMade: boolean) => {
      if (trialEnd !== null)
        line.moves.push({ key: fields.get('metadata[moved_by]') ?? undefined, until: Number(trialEnd), isMade });
    };
    if (fault !== undefined && (fault !== 'refused' || isRefusable)) faults[fault] += 1;
    if (fault === 'lost-request') throw new Error('the connection broke');
    if (fault === 'refused' && isRefusable) {
      note(false);
      return refusal();
    }
    const answer = await makeRequest(...request);
    // The same request arrives again, as from a proxy; its key makes it the first one.
    if (fault === 'repeated') await makeRequest(...request);
    note(answer.getStatusCode() === 200);
    if (fault === 'lost-answer') throw new Error('the connection broke');
    return answer;
  };
  return client;
}

function refusal() {
  const error = { type: 'invalid_request_error', message: 'Refused', param: 'trial_end' };
  return {
    getStatusCode: () => 400,
    getHeaders: () => ({}),
    getRawResponse: () => undefined,
    toStream: () => undefined,
    toJSON: async () => ({ error }),
  } as never;
}

/** The same sequence in each run, so that a failure can be reproduced. */
function randomOf(seed: number): Random {
  let state = (seed * 2_654_435_761) % 2_147_483_647 || 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
