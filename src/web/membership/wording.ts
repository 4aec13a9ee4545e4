import type { Discount, Offer, PeriodPreview, Preview, Subscription } from '#domain/membership/shapes.ts';
import type { Period } from '#domain/membership/rules.ts';
import { formatDate, formatDay } from '#formats/times.ts';
import { countOf, formatMoney } from '#formats/numbers.ts';
import type { Plain } from './plain.ts';

/** Prices, days and states as text. */

export const planNames: Record<Period, string> = { year: 'Annual', month: 'Monthly' };

/** `per month billed annually`: text after a monthly price (spec §9). */
export const billing: Record<Period, string> = { year: 'per month billed annually', month: 'per month billed monthly' };

export function otherPeriod(period: Period): Period {
  return period === 'year' ? 'month' : 'year';
}

/** Monthly price of a plan, in cents. */
export function perMonth(amount: number, period: Period): number {
  return period === 'year' ? Math.round(amount / 12) : amount;
}

/** `Annual plan, $4.99 per month billed annually.` */
export function planLine({ period, amount, currency }: { period: Period; amount: number; currency: string }): string {
  return `${planNames[period]} plan, ${formatMoney(perMonth(amount, period), currency)} ${billing[period]}.`;
}

/** Whole percent saved by a year compared with twelve months; 0 for no saving. */
export function savingOf(plans: Offer['plans']): number {
  const [year, month] = (['year', 'month'] as const).map((period) => plans.find((plan) => plan.period === period));
  if (year === undefined || month === undefined) return 0;
  return Math.max(0, Math.floor((1 - year.amount / (month.amount * 12)) * 100));
}

/** `50% off the first payment`, `$2.00 off until 28 February 2027` */
export function discountLine(discount: Discount, currency: string): string {
  const { percentOff, amountOff, duration, endsAt } = discount;
  const off = percentOff === null ? formatMoney(amountOff ?? 0, currency) : `${percentOff}%`;
  if (duration === 'once') return `${off} off the next payment`;
  return endsAt === null ? `${off} off every payment` : `${off} off until ${formatDay(endsAt)}`;
}

/** The promo code of a subscription. A canceled one has no next payment that it could lower. */
export function promoCodeFact(
  subscription: Pick<Plain<Subscription>, 'state' | 'discount' | 'currency' | 'renewsAt' | 'endsAt'>,
): string {
  const { state, discount, currency, renewsAt, endsAt } = subscription;
  if (discount === null || currency === null) return 'None';
  const line = discountLine(discount, currency);
  const chargeAt = renewsAt ?? endsAt;
  const isTooShort =
    discount.endsAt !== null &&
    chargeAt !== null &&
    new Date(discount.endsAt).getTime() <= new Date(chargeAt).getTime();
  if (state === 'ending') return isTooShort ? 'None' : `${line} if you resume`;
  return isTooShort && state !== 'past-due' ? `${line}, before the next payment` : line;
}

const dayMs = 24 * 60 * 60 * 1000;

/** One sentence per charge, shown before paying. */
export function priceLines(preview: Plain<Preview>, now: number = Date.now()): { today: string; later: string } {
  const { currency, period, firstCharge, thenAmount, trialEndsAt, dueToday, discountedCharges } = preview;
  const money = (cents: number) =>
    cents === 0 ? formatMoney(0, currency).replace(/\D0+$/, '') : formatMoney(cents, currency);
  const first = money(firstCharge.amount);
  const then = `Then ${money(thenAmount)} each ${period}.`;
  const day = formatDate(firstCharge.at);
  const isSameEachTime = discountedCharges === 0 || discountedCharges === null;
  const again = (discountedCharges ?? 0) - 1;
  const nextOnes =
    again > 0
      ? `The next ${again === 1 ? period : countOf(again, period)} ${first}${again === 1 ? '' : ' each'}. `
      : '';
  if (trialEndsAt === null)
    return {
      today: `Today ${money(dueToday)}${isSameEachTime ? '' : ` for the first ${period}`}.`,
      later: `${nextOnes}${then}`,
    };
  const freeDays = Math.round((new Date(trialEndsAt).getTime() - now) / dayMs);
  const free = countOf(freeDays, 'day');
  return {
    today: `Today ${money(0)}.`,
    later: isSameEachTime
      ? `${free} free, then ${first} on ${day} and each ${period} after that.`
      : `On ${day} ${first} for the first ${period}. ${nextOnes}${then}`,
  };
}

/** Price preview for a new customer without a promo code. */
export function previewOf(
  { plans, currency, trialDays }: Offer,
  period: Period,
  now: number = Date.now(),
): Plain<Preview> | undefined {
  const plan = plans.find((one) => one.period === period);
  if (plan === undefined) return undefined;
  const at = new Date(now + trialDays * dayMs).toISOString();
  return {
    period,
    amount: plan.amount,
    currency,
    trialEndsAt: trialDays === 0 ? null : at,
    dueToday: trialDays === 0 ? plan.amount : 0,
    firstCharge: { amount: plan.amount, at },
    thenAmount: plan.amount,
    discount: null,
    discountedCharges: 0,
  };
}

/** Cost and date of a change of plan. The amounts add up to the sum due today. */
export function changeLine(preview: Plain<PeriodPreview>, to: Period): string {
  const { when, at, dueToday, credit, currency, amount, nextAmount, nextChargeAt } = preview;
  const price = `${formatMoney(amount, currency)} a ${to}`;
  const next = nextAmount === amount ? '' : ` The first payment is ${formatMoney(nextAmount, currency)}.`;
  if (when === 'period-end') return `Your plan changes on ${formatDay(at)}. From then on it is ${price}.${next}`;
  const unused = credit > 0 ? `, less ${formatMoney(credit, currency)} for the time you have paid and not used` : '';
  if (dueToday === 0)
    return `Your plan changes now. From ${formatDay(nextChargeAt)} on it is ${price}${unused}.${next}`;
  const off = amount - credit - dueToday;
  const less = off > 0 ? `, less ${formatMoney(off, currency)} by your promo code` : '';
  return `Your plan changes now. It is ${price}${less}${unused}. The next payment is on ${formatDay(nextChargeAt)}.`;
}

export type StateTone = 'good' | 'warning' | 'quiet';

/** State of a subscription as a short label and a sentence. */
export function stateWords(
  subscription: Plain<Subscription>,
  now: number,
): { tag: string; tone: StateTone; text: string } {
  const { state, freeBy, trialEndsAt, renewsAt, endsAt, giftUntil, openAmount, currency } = subscription;
  const access = 'Unlimited access to all audios';
  switch (state) {
    case 'confirming':
      return { tag: 'Not confirmed', tone: 'warning', text: 'Your bank has not confirmed your card yet.' };
    case 'trialing': {
      const isGift = freeBy === 'gift';
      const until = trialEndsAt === null ? '' : ` ${isGift ? 'A gift' : 'Free'} until ${formatDay(trialEndsAt)}.`;
      return { tag: isGift ? 'Gift' : 'Free trial', tone: 'good', text: `${access}.${until}` };
    }
    case 'active':
      return {
        tag: 'Active',
        tone: 'good',
        text: renewsAt === null ? access : `${access}. Renews on ${formatDay(renewsAt)}.`,
      };
    case 'past-due': {
      const until = usableUntil(subscription, now);
      const amount = openAmount === null || currency === null ? '' : ` of ${formatMoney(openAmount, currency)}`;
      return {
        tag: 'Payment failed',
        tone: 'warning',
        text:
          until !== null
            ? `Your last payment${amount} did not go through. You can listen until ${until}.`
            : `Your last payment${amount} did not go through. You can listen again once a payment succeeds.`,
      };
    }
    case 'ending':
      return {
        tag: 'Canceled',
        tone: 'quiet',
        text: `${freeBy === 'trial' ? 'Your free trial' : 'Your subscription'} ends on ${formatDay(endsAt ?? '')}. Nothing is charged again.`,
      };
    case 'ended':
    case 'none':
      if (giftUntil !== null) return { tag: 'Gift', tone: 'good', text: `${access} until ${formatDay(giftUntil)}.` };
      return state === 'ended' && endsAt !== null
        ? { tag: 'Ended', tone: 'quiet', text: `Your subscription ended on ${formatDay(endsAt)}.` }
        : { tag: 'None', tone: 'quiet', text: 'You can hear the preview and every free audio.' };
  }
}

/** The last day of paid and gift time; null for none. A subscription that goes on has it only once it is canceled. */
function accessUntil({ state, renewsAt, endsAt, giftUntil }: Plain<Subscription>): string | null {
  // An unpaid period gives no access.
  const paidUntil = state === 'past-due' ? null : (endsAt ?? renewsAt);
  const last = Math.max(...[paidUntil, giftUntil].map((at) => (at === null ? 0 : new Date(at).getTime())));
  return last > 0 ? formatDay(new Date(last)) : null;
}

/** States the consequences of canceling before it is done. */
export function cancelLine(subscription: Plain<Subscription>): string {
  const until = accessUntil(subscription);
  const now = endsAtOnce(subscription) ? 'It ends now. ' : '';
  const listening = until === null ? 'You' : `You can listen without limits until ${until}. After that you`;
  return `${now}${listening} keep your library and your account. You will not be charged again.`;
}

/** Nothing is left of a period that was not paid. */
export function endsAtOnce({ state, endsAt, renewsAt }: Plain<Subscription>): boolean {
  return state === 'past-due' || (endsAt ?? renewsAt) === null;
}

/** `If you cancel, you keep access until 14 March 2027.` */
export function accessLine(subscription: Plain<Subscription>): string | null {
  const until = accessUntil(subscription);
  if (until === null) return null;
  return subscription.state === 'ending'
    ? `You keep access until ${until}.`
    : `If you cancel, you keep access until ${until}.`;
}

/** Time that is lost with the account, paid or given; null for none. */
export function lossLine(subscription: Plain<Subscription>): string | null {
  const { state, freeBy, giftUntil, endsAt, renewsAt } = subscription;
  const isRunning = state === 'trialing' || state === 'active' || state === 'past-due' || state === 'ending';
  const until = endsAt ?? renewsAt;
  const time =
    freeBy === null ? 'the time that you paid for' : freeBy === 'gift' ? 'your gift time' : 'your free trial';
  const lost = [
    ...(isRunning && state !== 'past-due' && until !== null ? [`${time} until ${formatDay(until)}`] : []),
    ...(giftUntil === null ? [] : [`your gift time until ${formatDay(giftUntil)}`]),
  ];
  const list = lost.join(' and ');
  const isLost = `${list.charAt(0).toUpperCase()}${list.slice(1)} ${lost.length > 1 ? 'are' : 'is'} lost.`;
  if (!isRunning) return lost.length === 0 ? null : isLost;
  return lost.length === 0 ? 'Your subscription ends.' : `Your subscription ends. ${isLost}`;
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
  return `${name} ending ${last4}, ${String(expMonth).padStart(2, '0')}/${String(expYear % 100).padStart(2, '0')}`;
}

const brandNames: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** `1 month`, `12 months` */
export function monthsOf(months: number): string {
  return countOf(months, 'month');
}
