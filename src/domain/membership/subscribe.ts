import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from '../db.ts';
import type { ErrorCode } from '../errors.ts';
import type { MembershipParts } from './customers.ts';
import { findCustomerId, findOrCreateCustomer } from './customers.ts';
import { withPaymentLock } from './lock.ts';
import { formatMoney } from './mails.ts';
import type { Action, CustomerFacts, Discount, PromoCode } from './payment-provider.ts';
import { checkPromoCode, discounted } from './promo-codes.ts';
import type { Period } from './rules.ts';
import { findMembershipSettings, planOf } from './settings.ts';
import { currentOf, syncLocked } from './sync.ts';
import { memberships, trialCards } from './tables.ts';

const dayMs = 24 * 60 * 60 * 1000;

export type Order = {
  /** What the browser got from the provider for the card. */
  paymentMethodId: string;
  period: Period;
  promoCode: string | undefined;
  /** Knows that there is no free trial for this card, and what is charged. */
  withoutTrial: boolean;
};

export type SubscribeOutcome =
  | { ok: true; action: Action | undefined }
  | { ok: false; reason: ErrorCode; message?: string };

/**
 * Makes the one subscription of a user. Two clicks, two tabs and a try after a lost answer come one after the other, and
 * those that come later find what the first one made; amounts are the site's own.
 */
export async function createSubscription(
  parts: MembershipParts,
  userId: string,
  order: Order,
): Promise<SubscribeOutcome> {
  return withPaymentLock(parts.db, userId, async () => {
    const customer = await findOrCreateCustomer(parts, userId);
    const outcome = await subscribeLocked(parts, userId, order, customer);
    if (outcome.ok) await syncLocked(parts, userId, customer.customerId);
    return outcome;
  });
}

async function subscribeLocked(
  parts: MembershipParts,
  userId: string,
  order: Order,
  { customerId, facts }: { customerId: string; facts: CustomerFacts },
): Promise<SubscribeOutcome> {
  const { db, payments } = parts;
  const current = currentOf(facts);
  if (current !== undefined && current.status !== 'ended') {
    // The same request once more: its answer was lost, or it was sent twice.
    const isSame = current.cardId === order.paymentMethodId && current.plan.period === order.period;
    if (current.status !== 'confirming')
      return isSame ? { ok: true, action: undefined } : { ok: false, reason: 'subscription/already-subscribed' };
    if (isSame && current.action !== undefined) return { ok: true, action: current.action };
    // The bank said no, or another card was taken: what waits is given up.
    await payments.cancelNow(current.id, { asIfNever: true });
  }
  const settings = await findMembershipSettings(db);
  const plan = planOf(settings, order.period);
  const promo =
    order.promoCode === undefined ? undefined : await checkPromoCode(payments, order.promoCode, { plan, facts });
  if (promo?.ok === false) return promo;
  const card = await payments.findCard(order.paymentMethodId);
  if (card === undefined || (card.customerId !== undefined && card.customerId !== customerId))
    return { ok: false, reason: 'payment/unknown-method' };

  const { trialUsedAt, giftUntil } = await findFreeTime(db, userId);
  const cardHash = createHash('sha256').update(`trial ${card.fingerprint}`).digest('hex');
  const isTrialPromised = settings.trialDays > 0 && trialUsedAt === null;
  const trial = isTrialPromised ? await claimTrial(db, userId, cardHash) : undefined;
  if (isTrialPromised && trial === undefined && !order.withoutTrial)
    return {
      ok: false,
      reason: 'subscription/trial-used',
      message: trialUsedMessage(plan, promo?.promoCode, giftUntil),
    };

  const free = freeTime(trial === undefined ? 0 : settings.trialDays, giftUntil);
  // With what was there before: after it, the same request is another one.
  const what = [
    customerId,
    order.paymentMethodId,
    plan,
    free ?? null,
    promo?.promoCode.id ?? null,
    current?.id ?? null,
    facts.givenUpId ?? null,
  ];
  const outcome = await payments.subscribe({
    customerId,
    cardId: order.paymentMethodId,
    plan,
    free,
    promoCodeId: promo?.promoCode.id,
    // Of all that makes the request: the provider refuses a key that comes with something else.
    key: `subscribe ${createHash('sha256').update(JSON.stringify(what)).digest('base64url')}`,
  });
  if (outcome.ok) return { ok: true, action: outcome.subscription.action };
  if (trial === 'now') await db.delete(trialCards).where(eq(trialCards.cardHash, cardHash));
  return outcome;
}

async function findFreeTime(db: Db, userId: string) {
  const [row] = await db
    .select({ trialUsedAt: memberships.trialUsedAt, giftUntil: memberships.giftUntil })
    .from(memberships)
    .where(eq(memberships.userId, userId));
  const giftUntil = row?.giftUntil ?? undefined;
  return {
    trialUsedAt: row?.trialUsedAt ?? null,
    giftUntil: giftUntil !== undefined && giftUntil > new Date() ? giftUntil : undefined,
  };
}

/** @returns whether the card was noted now or before, for this user; undefined where somebody had a trial with it */
async function claimTrial(db: Db, userId: string, cardHash: string): Promise<'now' | 'before' | undefined> {
  const made = await db.insert(trialCards).values({ cardHash, userId }).onConflictDoNothing().returning();
  if (made.length > 0) return 'now';
  const [row] = await db
    .select({ userId: trialCards.userId })
    .from(trialCards)
    .where(eq(trialCards.cardHash, cardHash));
  return row?.userId === userId ? 'before' : undefined;
}

/** Nothing is charged while there is a trial, or gift time left; the two do not add up. */
function freeTime(trialDays: number, giftUntil: Date | undefined): { days: number } | { until: Date } | undefined {
  if (giftUntil !== undefined && giftUntil.getTime() > Date.now() + trialDays * dayMs) return { until: giftUntil };
  return trialDays > 0 ? { days: trialDays } : undefined;
}

function trialUsedMessage(
  plan: { amount: number; currency: string },
  promoCode: PromoCode | undefined,
  giftUntil: Date | undefined,
): string {
  const amount = promoCode === undefined ? plan.amount : discounted(plan.amount, promoCode.discount);
  const when = giftUntil === undefined ? 'today' : 'when your gift time ends';
  return `This card has had its free trial already. Without one, ${formatMoney(amount, plan.currency)} is charged ${when}.`;
}

export type Preview = {
  period: Period;
  /** The plan's price, without any discount. */
  amount: number;
  currency: string;
  trialEndsAt: Date | null;
  dueToday: number;
  firstCharge: { amount: number; at: Date };
  /** What each later charge is once the discount is over; with one that lasts, what each charge is. */
  thenAmount: number;
  discount: Discount | null;
};

/** What subscribing would cost, shown before paying. `withoutTrial`: with a card that had its trial. */
export async function previewSubscription(
  { db, payments }: MembershipParts,
  userId: string,
  order: Omit<Order, 'paymentMethodId'>,
): Promise<{ ok: true; preview: Preview } | { ok: false; reason: ErrorCode }> {
  const settings = await findMembershipSettings(db);
  const plan = planOf(settings, order.period);
  let promoCode: PromoCode | undefined;
  if (order.promoCode !== undefined) {
    const customerId = await findCustomerId(db, userId);
    const facts = customerId === undefined ? undefined : await payments.readCustomer(customerId);
    const checked = await checkPromoCode(payments, order.promoCode, { plan, facts });
    if (!checked.ok) return checked;
    ({ promoCode } = checked);
  }
  const { trialUsedAt, giftUntil } = await findFreeTime(db, userId);
  const free = freeTime(trialUsedAt === null && !order.withoutTrial ? settings.trialDays : 0, giftUntil);
  const freeUntil = free && ('until' in free ? free.until : new Date(Date.now() + free.days * dayMs));
  const first = promoCode === undefined ? plan.amount : discounted(plan.amount, promoCode.discount);
  return {
    ok: true,
    preview: {
      ...plan,
      trialEndsAt: freeUntil ?? null,
      dueToday: freeUntil === undefined ? first : 0,
      firstCharge: { amount: first, at: freeUntil ?? new Date() },
      thenAmount: promoCode?.discount.duration === 'forever' ? first : plan.amount,
      discount:
        promoCode === undefined
          ? null
          : { code: promoCode.code, ...promoCode.discount, endsAt: discountEnd(promoCode) },
    },
  };
}

/** It runs from the day on which it is taken, trial or not. */
function discountEnd({ months }: PromoCode): string | null {
  if (months === undefined) return null;
  const end = new Date();
  end.setUTCMonth(end.getUTCMonth() + months);
  return end.toISOString();
}
