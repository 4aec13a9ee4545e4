import { formatMoney } from '#formats/numbers.ts';
import type { Sentence } from '../../kernel/errors.ts';
import type { MembershipParts } from '../customers.ts';
import type { CustomerFacts, Plan } from '../payment-provider.ts';
import { providerFor } from '../payment-providers.ts';
import { checkPromoCode } from '../promo-codes.ts';
import { choosePlan, findMembershipSettings } from '../settings.ts';
import type { Order, Preview } from '../shapes.ts';

/** Before anything is charged: the site's prices against those that the subscriber was shown. */

/** @returns a refusal when the plan, its price or the promo code is not as it was ordered */
export async function agreeOnPlan(
  parts: MembershipParts,
  userId: string,
  { period, currency, amount, promoCode }: Pick<Order, 'period' | 'currency' | 'amount' | 'promoCode'>,
  { customerId, facts }: { customerId: string; facts: CustomerFacts },
) {
  const settings = await findMembershipSettings(parts.db);
  const { capabilities } = providerFor(parts.payments, customerId);
  const chosen = choosePlan(period, { settings, capabilities, facts, currency });
  if (!chosen.ok) return chosen;
  const { plan } = chosen;
  if (amount !== undefined && amount !== plan.amount) return priceChanged(plan);
  const promo = promoCode === undefined ? undefined : await checkPromoCode(parts, userId, promoCode, { plan, facts });
  if (promo?.ok === false) return promo;
  return { ok: true, plan, promoCode: promo?.promoCode, trialDays: settings.trialDays } as const;
}

export function isAsShown(
  shown: Pick<Order, 'firstCharge' | 'thenAmount'>,
  { firstCharge, thenAmount }: Preview,
): boolean {
  const first = shown.firstCharge ?? firstCharge.amount;
  return first === firstCharge.amount && (shown.thenAmount ?? thenAmount) === thenAmount;
}

export function discountChanged({ firstCharge, thenAmount, currency }: Preview) {
  return changed(
    /*i18n*/ {
      id: 'error.subscription/discount-changed',
      message: 'The discount has changed: the first charge is now {first}, later ones {later}. Nothing was charged.',
      values: { first: formatMoney(firstCharge.amount, currency), later: formatMoney(thenAmount, currency) },
    },
  );
}

function priceChanged({ amount, currency, period }: Plan) {
  return changed(
    /*i18n*/ {
      id: 'error.subscription/new-price',
      message:
        'The price has changed: it is now {price} each {period, select, year {year} other {month}}. Nothing was charged.',
      values: { price: formatMoney(amount, currency), period },
    },
  );
}

function changed(message: Sentence) {
  return { ok: false, reason: 'subscription/price-changed', message } as const;
}
