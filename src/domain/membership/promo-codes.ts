import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import type { ErrorCode } from '../kernel/errors.ts';
import type { MembershipParts } from './customers.ts';
import { stayOffers } from './keeping/tables.ts';
import { winBacks } from './keeping/win-back-tables.ts';
import type { CustomerFacts, Plan, PromoCode } from './payment-provider.ts';
import type { Discount } from './shapes.ts';

export type PromoCodeOutcome =
  | { ok: true; promoCode: PromoCode }
  | { ok: false; reason: Extract<ErrorCode, `promo-code/${string}`> };

/**
 * Checks the code for this user and plan, before the provider would refuse it.
 * @param userId undefined for a visitor
 */
export async function checkPromoCode(
  { db, payments }: Pick<MembershipParts, 'db' | 'payments'>,
  userId: string | undefined,
  code: string,
  order: { plan: Plan; facts: CustomerFacts | undefined },
): Promise<PromoCodeOutcome> {
  const promoCode = await payments.findPromoCode(code);
  if (promoCode === undefined) return { ok: false, reason: 'promo-code/unknown' };
  const { expiresAt, maxRedemptions, redemptions, isActive, minimumAmount, isFirstTimeOnly } = promoCode;
  if (expiresAt !== undefined && expiresAt <= new Date()) return { ok: false, reason: 'promo-code/expired' };
  if (maxRedemptions !== undefined && redemptions >= maxRedemptions) return { ok: false, reason: 'promo-code/used-up' };
  if (!isActive) return { ok: false, reason: 'promo-code/disabled' };
  if (await isForAnother(db, userId, promoCode.code)) return { ok: false, reason: 'promo-code/not-for-you' };
  // Otherwise a one-time discount could be entered again each month.
  const wasUsed = order.facts?.invoices.some(({ promoCodeIds }) => promoCodeIds.includes(promoCode.id)) ?? false;
  if (wasUsed) return { ok: false, reason: 'promo-code/not-for-you' };
  const hasPaid = order.facts?.invoices.some(({ status, amountPaid }) => status === 'paid' && amountPaid > 0) ?? false;
  const isPriceable = payments.capabilities.promo === 'provider' || promoCode.discount.duration !== 'months';
  const fits =
    isPriceable && (minimumAmount === undefined || order.plan.amount >= minimumAmount) && !(isFirstTimeOnly && hasPaid);
  if (!fits) return { ok: false, reason: 'promo-code/not-for-you' };
  const counted = promoCodeIn(promoCode, order.plan.currency);
  return counted === undefined ? { ok: false, reason: 'promo-code/other-currency' } : { ok: true, promoCode: counted };
}

/** Codes that are made for one user alone: to come back, or to stay. */
async function isForAnother(db: Db, userId: string | undefined, code: string): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from (select code, user_id from ${winBacks} union all select code, user_id from ${stayOffers}) own
    where own.code = ${code.toUpperCase()} and own.user_id is distinct from ${userId ?? null}::uuid limit 1`);
  return rows.length > 0;
}

/** The code as it counts in a currency; undefined: it takes no amount off there. */
export function promoCodeIn(promoCode: PromoCode, currency: string): PromoCode | undefined {
  if (promoCode.currency === undefined || promoCode.currency === currency) return promoCode;
  const amountOff = promoCode.amounts[currency];
  return amountOff === undefined
    ? undefined
    : { ...promoCode, currency, discount: { ...promoCode.discount, amountOff } };
}

/** The discounted amount, rounded like the provider: whole cents, at least 0. */
export function discounted(amount: number, discount: Pick<Discount, 'percentOff' | 'amountOff'>): number {
  const off =
    discount.percentOff === null ? (discount.amountOff ?? 0) : Math.round((amount * discount.percentOff) / 100);
  return Math.max(0, amount - off);
}

/** Amount of a charge at that time. A temporary discount may have ended by then. */
export function chargedAt(amount: number, discount: Discount | null | undefined, at: Date): number {
  const end = discount?.endsAt ?? undefined;
  const isOver = end !== undefined && at >= new Date(end);
  return !discount || isOver ? amount : discounted(amount, discount);
}
