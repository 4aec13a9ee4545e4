import type { Discount } from '#domain/membership/payment-provider.ts';
import type { Period } from '#domain/membership/rules.ts';
import type { Offer } from '#domain/membership/settings.ts';
import type { Preview } from '#domain/membership/subscribe.ts';
import type { Subscription } from '#domain/membership/subscription.ts';
import type { Plain } from './plain.ts';

/** Prices, days and states in words. One locale, and days in UTC, so that server and browser write the same. */

/** Cents as `$4.99`. @param currency ISO 4217, in whatever case */
export function formatMoney(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);
}

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** `14 March 2027` @param day ISO 8601, or the date itself */
export function formatDay(day: Date | string): string {
  return days.format(new Date(day));
}

export const planNames: Record<Period, string> = { year: 'Annual', month: 'Monthly' };

/** `per month billed annually`: what stands behind the price of a month (spec §9). */
export const billing: Record<Period, string> = { year: 'per month billed annually', month: 'per month billed monthly' };

export function otherPeriod(period: Period): Period {
  return period === 'year' ? 'month' : 'year';
}

/** Cents of one month of a plan. */
export function perMonth(amount: number, period: Period): number {
  return period === 'year' ? Math.round(amount / 12) : amount;
}

/** `Annual plan, $4.99 per month billed annually.` */
export function planLine({ period, amount, currency }: { period: Period; amount: number; currency: string }): string {
  return `${planNames[period]} plan, ${formatMoney(perMonth(amount, period), currency)} ${billing[period]}.`;
}

/** Whole percent that a year saves against twelve months; 0 where it saves nothing. */
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

/** What is paid when: shown before paying. */
export function priceLines(preview: Plain<Preview>): { due: string; line: string } {
  const { currency, period, firstCharge, thenAmount, trialEndsAt, dueToday, discount } = preview;
  const first = formatMoney(firstCharge.amount, currency);
  const later = `${formatMoney(thenAmount, currency)} a ${period}`;
  // A discount of months runs beside the charges: each one in its time costs as much as the first.
  const runs = discount?.duration === 'months' && discount.endsAt !== null;
  const charges = runs
    ? `${first} a ${period} until ${formatDay(discount.endsAt ?? '')}, and ${later} after that`
    : firstCharge.amount === thenAmount
      ? later
      : `${first} for the first ${period}, and ${later} after that`;
  return {
    due: formatMoney(dueToday, currency),
    line: trialEndsAt === null ? `You pay ${charges}.` : `Free until ${formatDay(trialEndsAt)}. Then ${charges}.`,
  };
}

export type StateTone = 'good' | 'warning' | 'quiet';

/** A subscription's state in two words and in a sentence. */
export function stateWords(
  subscription: Plain<Subscription>,
  now: number,
): { tag: string; tone: StateTone; text: string } {
  const { state, freeBy, trialEndsAt, renewsAt, endsAt, giftUntil } = subscription;
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
      return {
        tag: 'Payment failed',
        tone: 'warning',
        text:
          until !== null
            ? `Your last payment did not go through. You can listen until ${until}.`
            : 'Your last payment did not go through. You can listen again once it has.',
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
        : { tag: 'None', tone: 'quiet', text: 'You hear the preview and every free audio.' };
  }
}

/** Until when one whose charge failed may listen; null where that time is over. */
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
  return months === 1 ? '1 month' : `${months} months`;
}
