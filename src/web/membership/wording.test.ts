import { expect, test } from 'vitest';
import type { Preview } from '#domain/membership/subscribe.ts';
import type { Subscription } from '#domain/membership/subscription.ts';
import {
  cardLine,
  discountLine,
  formatDay,
  formatMoney,
  planLine,
  priceLines,
  savingOf,
  stateWords,
  usableUntil,
} from './wording.ts';

const currency = 'usd';
const year = { period: 'year', amount: 5988, perMonth: 499 } as const;
const month = { period: 'month', amount: 799, perMonth: 799 } as const;

test('prices and days are written as the design has them', () => {
  expect([formatMoney(499, 'usd'), formatMoney(120_000, 'EUR')]).toEqual(['$4.99', '€1,200.00']);
  expect(formatDay('2027-03-14T23:30:00Z')).toBe('14 March 2027');
  expect(planLine({ ...year, currency })).toBe('Annual plan, $4.99 per month billed annually.');
  expect(planLine({ ...month, currency })).toBe('Monthly plan, $7.99 per month billed monthly.');
});

test('what a year saves is never rounded up, and is nothing where there is nothing to compare', () => {
  expect(savingOf([month, year])).toBe(37);
  expect(savingOf([{ ...month, amount: 400 }, year])).toBe(0);
  expect(savingOf([year])).toBe(0);
});

const half = { code: 'CANDLE', percentOff: 50, amountOff: null, endsAt: null } as const;

test('a discount says how much and how long', () => {
  expect(discountLine({ ...half, duration: 'once' }, currency)).toBe('50% off the next payment');
  expect(discountLine({ ...half, duration: 'forever' }, currency)).toBe('50% off every payment');
  const months = { code: null, percentOff: null, amountOff: 200, duration: 'months', endsAt: '2027-02-28T00:00:00Z' };
  expect(discountLine({ ...months, duration: 'months' }, currency)).toBe('$2.00 off until 28 February 2027');
});

const preview: Preview = {
  period: 'month',
  amount: 799,
  currency,
  trialEndsAt: new Date('2027-03-08T00:00:00Z'),
  dueToday: 0,
  firstCharge: { amount: 799, at: new Date('2027-03-08T00:00:00Z') },
  thenAmount: 799,
  discount: null,
};
const paidAtOnce = { trialEndsAt: null, dueToday: 799 };
const halved = { firstCharge: { ...preview.firstCharge, amount: 399 } };

test.each([
  ['a trial', {}, '$0.00', 'Free until 8 March 2027. Then $7.99 a month.'],
  ['no trial', paidAtOnce, '$7.99', 'You pay $7.99 a month.'],
  [
    'a discount on the first charge',
    { ...halved, discount: { ...half, duration: 'once' as const } },
    '$0.00',
    'Free until 8 March 2027. Then $3.99 for the first month, and $7.99 a month after that.',
  ],
  [
    'a discount of some months',
    { ...halved, discount: { ...half, duration: 'months' as const, endsAt: '2027-06-01T00:00:00Z' } },
    '$0.00',
    'Free until 8 March 2027. Then $3.99 a month until 1 June 2027, and $7.99 a month after that.',
  ],
  [
    'a discount for ever, without a trial',
    { ...halved, ...paidAtOnce, dueToday: 399, thenAmount: 399, discount: { ...half, duration: 'forever' as const } },
    '$3.99',
    'You pay $3.99 a month.',
  ],
])('what is paid is said before paying: %s', (_what, changes, due, line) => {
  expect(priceLines({ ...preview, ...changes })).toEqual({ due, line });
});

const now = Date.parse('2027-03-01T00:00:00Z');
const day = (text: string) => new Date(`${text}T00:00:00Z`);
const active: Subscription = {
  state: 'active',
  period: 'year',
  amount: 5988,
  currency,
  trialEndsAt: null,
  renewsAt: day('2027-03-14'),
  endsAt: null,
  graceEndsAt: null,
  isTrial: false,
  freeBy: null,
  nextPeriod: null,
  discount: null,
  giftUntil: null,
  isSubscribed: true,
  card: null,
  nextCharge: null,
};

test.each<[string, Partial<Subscription>, string, string]>([
  ['active', {}, 'Active', 'Unlimited access to all audios. Renews on 14 March 2027.'],
  [
    'in its trial',
    { state: 'trialing', freeBy: 'trial', trialEndsAt: day('2027-03-08') },
    'Free trial',
    'Unlimited access to all audios. Free until 8 March 2027.',
  ],
  [
    'put off by a gift',
    { state: 'trialing', freeBy: 'gift', trialEndsAt: day('2027-06-08') },
    'Gift',
    'Unlimited access to all audios. A gift until 8 June 2027.',
  ],
  [
    'past due, with time left',
    { state: 'past-due', graceEndsAt: day('2027-03-05') },
    'Payment failed',
    'Your last payment did not go through. You can listen until 5 March 2027.',
  ],
  [
    'past due for too long',
    { state: 'past-due', graceEndsAt: day('2027-02-25') },
    'Payment failed',
    'Your last payment did not go through. You can listen again once it has.',
  ],
  [
    'canceled',
    { state: 'ending', renewsAt: null, endsAt: day('2027-03-14') },
    'Canceled',
    'Your subscription ends on 14 March 2027. Nothing is charged again.',
  ],
  [
    'canceled in its trial',
    { state: 'ending', freeBy: 'trial', endsAt: day('2027-03-08') },
    'Canceled',
    'Your free trial ends on 8 March 2027. Nothing is charged again.',
  ],
  ['ended', { state: 'ended', endsAt: day('2027-02-14') }, 'Ended', 'Your subscription ended on 14 February 2027.'],
  [
    'ended, with gift time',
    { state: 'ended', endsAt: day('2027-02-14'), giftUntil: day('2027-04-01') },
    'Gift',
    'Unlimited access to all audios until 1 April 2027.',
  ],
  ['not confirmed', { state: 'confirming' }, 'Not confirmed', 'Your bank has not confirmed your card yet.'],
  ['none', { state: 'none' }, 'None', 'You hear the preview and every free audio.'],
])('a subscription that is %s says so', (_what, changes, tag, text) => {
  expect(stateWords({ ...active, ...changes }, now)).toMatchObject({ tag, text });
});

test('gift time outlasts the days of grace', () => {
  expect(usableUntil({ graceEndsAt: day('2027-03-05'), giftUntil: day('2027-04-01') }, now)).toBe('1 April 2027');
  expect(usableUntil({ graceEndsAt: null, giftUntil: null }, now)).toBeNull();
});

test('a card shows no more than its end', () => {
  expect(cardLine({ brand: 'visa', last4: '4242', expMonth: 1, expYear: 2028 })).toBe('Visa ending 4242, 01/28');
  expect(cardLine({ brand: 'amex', last4: '0005', expMonth: 12, expYear: 2030 })).toBe(
    'American Express ending 0005, 12/30',
  );
});
