import { plural, t } from '@lingui/core/macro';
import type { Discount, PeriodPreview, Subscription } from '#domain/membership/shapes.ts';
import type { Period } from '#domain/membership/rules.ts';
import { formatDay } from '#formats/times.ts';
import { formatMoney } from '#formats/numbers.ts';
import type { Plain } from './plain.ts';

/** Prices, days and states as text. */

export const planNames = (): Record<Period, string> => ({ year: t`Annual`, month: t`Monthly` });

export function switchLabel(to: Period): string {
  return to === 'year' ? t`Switch to annual` : t`Switch to monthly`;
}

export function keepLabel(period: Period): string {
  return period === 'year' ? t`Keep annual` : t`Keep monthly`;
}

export function otherPeriod(period: Period): Period {
  return period === 'year' ? 'month' : 'year';
}

/** Monthly price of a plan, in cents. */
export function perMonth(amount: number, period: Period): number {
  return period === 'year' ? Math.round(amount / 12) : amount;
}

/** `Annual plan, $4.99 per month billed annually.` (spec §9) */
export function planLine({ period, amount, currency }: { period: Period; amount: number; currency: string }): string {
  const price = formatMoney(perMonth(amount, period), currency);
  return period === 'year'
    ? t`Annual plan, ${price} per month billed annually.`
    : t`Monthly plan, ${price} per month billed monthly.`;
}

/** `50% off the first payment`, `$2.00 off until 28 February 2027` */
export function discountLine(discount: Discount, currency: string): string {
  const { percentOff, amountOff, duration, endsAt } = discount;
  const off = percentOff === null ? formatMoney(amountOff ?? 0, currency) : t`${percentOff}%`;
  if (duration === 'once') return t`${off} off the next payment`;
  const until = endsAt && formatDay(endsAt);
  return until === null ? t`${off} off every payment` : t`${off} off until ${until}`;
}

/** The promo code of a subscription. A canceled one has no next payment that it could lower. */
export function promoCodeFact(
  subscription: Pick<Plain<Subscription>, 'state' | 'discount' | 'currency' | 'renewsAt' | 'endsAt'>,
): string {
  const { state, discount, currency, renewsAt, endsAt } = subscription;
  const none = t({ message: 'None', context: 'promo code' });
  if (discount === null || currency === null) return none;
  const reduction = discountLine(discount, currency);
  const chargeAt = renewsAt ?? endsAt;
  const isTooShort =
    discount.endsAt !== null &&
    chargeAt !== null &&
    new Date(discount.endsAt).getTime() <= new Date(chargeAt).getTime();
  if (state === 'ending') return isTooShort ? none : t`${reduction} if you resume`;
  return isTooShort && state !== 'past-due' ? t`${reduction}, before the next payment` : reduction;
}

/** Cost and date of a change of plan. The amounts add up to the sum due today. */
export function changeLine(preview: Plain<PeriodPreview>, to: Period): string {
  const { when, at, dueToday, credit, currency, amount, nextAmount, nextChargeAt } = preview;
  const money = (cents: number) => formatMoney(cents, currency);
  const [sum, first, unused, day] = [money(amount), money(nextAmount), money(credit), formatDay(nextChargeAt)];
  const price = to === 'year' ? t`${sum} a year` : t`${sum} a month`;
  const firstPayment = nextAmount === amount ? [] : [t`The first payment is ${first}.`];
  if (when === 'period-end') {
    const changesOn = formatDay(at);
    return [t`Your plan changes on ${changesOn}. From then on it is ${price}.`, ...firstPayment].join(' ');
  }
  if (dueToday === 0) {
    const line =
      credit > 0
        ? t`Your plan changes now. From ${day} on it is ${price}, less ${unused} for the time you have paid for and not used.`
        : t`Your plan changes now. From ${day} on it is ${price}.`;
    return [line, ...firstPayment].join(' ');
  }
  const off = amount - credit - dueToday;
  const less = money(off);
  const line =
    off > 0
      ? credit > 0
        ? t`Your plan changes now. It is ${price}, less ${less} with your promo code, less ${unused} for the time you have paid for and not used.`
        : t`Your plan changes now. It is ${price}, less ${less} with your promo code.`
      : credit > 0
        ? t`Your plan changes now. It is ${price}, less ${unused} for the time you have paid for and not used.`
        : t`Your plan changes now. It is ${price}.`;
  return `${line} ${t`The next payment is on ${day}.`}`;
}

/** `$4.99 on 14 March 2027` */
export function chargeLine({ amount, currency, at }: Plain<NonNullable<Subscription['nextCharge']>>): string {
  const [sum, day] = [formatMoney(amount, currency), formatDay(at)];
  return t`${sum} on ${day}`;
}

/** The last day of paid and gift time; null for none. A subscription that goes on has it only once it is canceled. */
function accessUntil({ state, renewsAt, endsAt, giftUntil, pause }: Plain<Subscription>): string | null {
  // An unpaid period gives no access.
  const paidUntil = state === 'past-due' || state === 'paused' ? null : (endsAt ?? pause?.from ?? renewsAt);
  const last = Math.max(...[paidUntil, giftUntil].map((at) => (at === null ? 0 : new Date(at).getTime())));
  return last > 0 ? formatDay(new Date(last)) : null;
}

/** States the consequences of canceling before it is done. */
export function cancelLine(subscription: Plain<Subscription>): string {
  const until = accessUntil(subscription);
  return [
    ...(endsAtOnce(subscription) ? [t`It ends now.`] : []),
    until === null
      ? t`You keep your library and your account. You will not be charged again.`
      : t`You can listen without limits until ${until}. After that you keep your library and your account. You will not be charged again.`,
  ].join(' ');
}

/** Nothing is left of a period that was not paid. */
export function endsAtOnce({ state, endsAt, renewsAt }: Plain<Subscription>): boolean {
  return state === 'past-due' || state === 'paused' || (endsAt ?? renewsAt) === null;
}

/** `If you cancel, you keep access until 14 March 2027.` */
export function accessLine(subscription: Plain<Subscription>): string | null {
  const until = accessUntil(subscription);
  if (until === null) return null;
  return subscription.state === 'ending'
    ? t`You keep access until ${until}.`
    : t`If you cancel, you keep access until ${until}.`;
}

/** Time that is lost with the account, paid or given; null for none. */
export function lossLine(subscription: Plain<Subscription>): string | null {
  const { state, freeBy, giftUntil, endsAt, renewsAt, pause } = subscription;
  const isPaid = state === 'trialing' || state === 'active' || state === 'ending';
  const isRunning = isPaid || state === 'past-due' || state === 'paused';
  const [endOfTime, endOfGift] = [endsAt ?? pause?.from ?? renewsAt, giftUntil].map((at) => at && formatDay(at));
  const lines = [
    ...(isRunning ? [t`Your subscription ends.`] : []),
    ...(isPaid && endOfTime ? [lostTime(freeBy, endOfTime)] : []),
    ...(endOfGift ? [lostTime('gift', endOfGift)] : []),
  ];
  return lines.length === 0 ? null : lines.join(' ');
}

function lostTime(freeBy: Subscription['freeBy'], day: string): string {
  if (freeBy === null) return t`The time that you paid for until ${day} is lost.`;
  return freeBy === 'gift' ? t`Your gift time until ${day} is lost.` : t`Your free trial until ${day} is lost.`;
}

/** Last day of listening after a failed charge; null when it has passed. */
export function usableUntil(
  { graceEndsAt, giftUntil }: Pick<Plain<Subscription>, 'graceEndsAt' | 'giftUntil'>,
  now: number = Date.now(),
): string | null {
  const last = Math.max(...[graceEndsAt, giftUntil].map((at) => (at === null ? 0 : new Date(at).getTime())));
  return last > now ? formatDay(new Date(last)) : null;
}

/** `Visa ending 4242, 11/28` */
export function cardLine({ brand, last4, expMonth, expYear }: NonNullable<Subscription['card']>): string {
  const name = brandNames[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1);
  if (expMonth === null || expYear === null) return t`${name} ending ${last4}`;
  const expires = `${String(expMonth).padStart(2, '0')}/${String(expYear % 100).padStart(2, '0')}`;
  return t`${name} ending ${last4}, ${expires}`;
}

const brandNames: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** `1 month`, `12 months` */
export function monthsOf(months: number): string {
  return plural(months, { one: '# month', other: '# months' });
}
