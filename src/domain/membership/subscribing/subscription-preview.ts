import { desc, eq } from 'drizzle-orm';
import type { ErrorCode } from '../../kernel/errors.ts';
import { type MembershipParts, findCustomerId } from '../customers.ts';
import { addMonths } from '../../kernel/calendar/months.ts';
import {
  type FreeTimeRecord,
  endOfFreeTime,
  findFreeTimeRecord,
  longerFreeTime,
  monthsIn,
  noFreeTimeRecord,
} from '../free-time.ts';
import type { Capabilities } from '../capabilities.ts';
import type { FreeTime, Plan, PromoCode } from '../payment-provider.ts';
import { type PromoCodeOutcome, checkPromoCode, discounted } from '../promo-codes.ts';
import type { Period } from '../rules.ts';
import { choosePlan, currencyIn, findMembershipSettings, fixedCurrencyOf } from '../settings.ts';
import { providerOf } from '../hosted/hosted-id.ts';
import type { CurrencyChoice, Discount, Preview } from '../shapes.ts';
import { invoices, subscriptions } from '../tables.ts';

/**
 * Price of a subscription, shown before paying. `withoutTrial`: for a card that has used its trial.
 * @param userId undefined for a visitor: a new customer with an unused trial
 */
export async function previewSubscription(
  parts: MembershipParts,
  userId: string | undefined,
  order: { period: Period; currency?: string | undefined; promoCode: string | undefined; withoutTrial: boolean },
): Promise<{ ok: true; preview: Preview } | { ok: false; reason: ErrorCode }> {
  const settings = await findMembershipSettings(parts.db);
  const { capabilities } = parts.payments;
  const facts = await findPaidIn(parts, userId);
  const chosen = choosePlan(order.period, { settings, capabilities, facts, currency: order.currency });
  if (!chosen.ok) return chosen;
  const { plan } = chosen;
  const promo = order.promoCode === undefined ? undefined : await checkFor(parts, userId, order.promoCode, plan);
  if (promo?.ok === false) return promo;
  const record = userId === undefined ? noFreeTimeRecord : await findFreeTimeRecord(parts.db, userId);
  const now = new Date();
  const promoCode = promo?.promoCode;
  const trialDays = order.withoutTrial ? 0 : settings.trialDays;
  const free = freeTimeFor({ capabilities, record, trialDays, promoCode, now });
  return { ok: true, preview: previewCharges({ plan, promoCode, free, now }) };
}

/** The currency that a page offers first. @param region of whoever asks; undefined: unknown */
export async function findCurrency(
  parts: MembershipParts,
  userId: string | undefined,
  region: string | undefined,
): Promise<Pick<CurrencyChoice, 'currency' | 'isFixed'>> {
  const { capabilities } = parts.payments;
  const fixed = fixedCurrencyOf(capabilities, await findPaidIn(parts, userId));
  const settings = await findMembershipSettings(parts.db);
  return { currency: fixed ?? currencyIn(settings, capabilities, region), isFixed: fixed !== undefined };
}

/** The stored payments of the user at the main provider, which is not asked. */
async function findPaidIn({ db, payments }: MembershipParts, userId: string | undefined) {
  if (userId === undefined || !payments.capabilities.oneCurrency) return undefined;
  const [paid, [subscription]] = await Promise.all([
    db
      .select({ id: invoices.invoiceId, currency: invoices.currency })
      .from(invoices)
      .where(eq(invoices.userId, userId))
      .orderBy(desc(invoices.createdAt))
      .limit(100),
    db
      .select({ id: subscriptions.subscriptionId, currency: subscriptions.currency })
      .from(subscriptions)
      .where(eq(subscriptions.userId, userId)),
  ]);
  const isThere = ({ id }: { id: string }) => providerOf(id) === payments.name;
  return {
    invoices: paid.filter(isThere),
    subscriptions: subscription !== undefined && isThere(subscription) ? [{ plan: subscription }] : [],
  };
}

/** The free time before the first charge, as far as the provider has one: its page knows one first price. */
export function freeTimeFor(order: {
  capabilities: Capabilities;
  record: FreeTimeRecord;
  /** 0 for no trial. */
  trialDays: number;
  promoCode: PromoCode | undefined;
  now: Date;
}): FreeTime | undefined {
  const { capabilities, record, trialDays, promoCode, now } = order;
  const isFirstPriceUsed = capabilities.promo === 'price' && promoCode?.discount.duration === 'once';
  if (!capabilities.trial || isFirstPriceUsed) return undefined;
  return longerFreeTime(record.isTrialUsed ? 0 : trialDays, record.giftUntil, now);
}

async function checkFor(
  parts: MembershipParts,
  userId: string | undefined,
  code: string,
  plan: Plan,
): Promise<PromoCodeOutcome> {
  const customerId = userId === undefined ? undefined : await findCustomerId(parts.db, userId);
  const facts = customerId === undefined ? undefined : await parts.payments.readCustomer(customerId);
  return checkPromoCode(parts, userId, code, { plan, facts });
}

/** The charges of a subscription that starts now. */
export function previewCharges(order: {
  plan: Plan;
  promoCode: PromoCode | undefined;
  free: FreeTime | undefined;
  now: Date;
}): Preview {
  const { plan, promoCode, free, now } = order;
  const freeUntil = free && endOfFreeTime(free, now);
  const firstAt = freeUntil ?? now;
  const reduced = promoCode === undefined ? plan.amount : discounted(plan.amount, promoCode.discount);
  const discountedCharges = promoCode === undefined ? 0 : countDiscounted(promoCode, plan.period, { now, firstAt });
  const firstAmount = discountedCharges === 0 ? plan.amount : reduced;
  return {
    ...plan,
    trialEndsAt: freeUntil ?? null,
    dueToday: freeUntil === undefined ? firstAmount : 0,
    firstCharge: { amount: firstAmount, at: firstAt },
    thenAmount: discountedCharges === null ? reduced : plan.amount,
    discount: promoCode === undefined ? null : discountOf(promoCode, now),
    discountedCharges,
  };
}

function discountOf(promoCode: PromoCode, now: Date): Discount {
  const end = discountEnd(promoCode, now);
  return { code: promoCode.code, ...promoCode.discount, endsAt: end === undefined ? null : end.toISOString() };
}

/** A discount of some months runs by the calendar and may end before the first charge. @returns null for all charges */
function countDiscounted(promoCode: PromoCode, period: Period, { now, firstAt }: { now: Date; firstAt: Date }) {
  if (promoCode.discount.duration === 'forever') return null;
  const end = discountEnd(promoCode, now);
  if (end === undefined) return 1;
  let count = 0;
  while (addMonths(firstAt, count * monthsIn(period)) < end) count += 1;
  return count;
}

/** The discount starts on the day the code is entered, with or without a trial. */
export function discountEnd({ months }: PromoCode, now: Date): Date | undefined {
  return months === undefined ? undefined : addMonths(now, months);
}
