import { expect, test } from 'vitest';
import type { Preview, Subscription } from '#domain/membership/shapes.ts';
import { formatDay } from '#formats/times.ts';
import { formatMoney } from '#formats/numbers.ts';
import { lockedLine, trialCall } from './locked-line.ts';
import { previewOf, priceLines, savingOf } from './price-lines.ts';
import {
  accessLine,
  cancelLine,
  cardLine,
  changeLine,
  discountLine,
  lossLine,
  planLine,
  promoCodeFact,
  usableUntil,
} from './wording.ts';
import { stateWords } from './keeping/state-words.ts';

const currency = 'usd';
const year = { period: 'year', amount: 5988, perMonth: 499 } as const;
const month = { period: 'month', amount: 799, perMonth: 799 } as const;

test('prices and days are formatted as in the design', () => {
  expect([formatMoney(499, 'usd'), formatMoney(120_000, 'EUR')]).toEqual(['$4.99', '€1,200.00']);
  expect(formatDay('2027-03-14T23:30:00Z')).toBe('14 March 2027');
  expect(planLine({ ...year, currency })).toBe('Annual plan, $4.99 per month billed annually.');
  expect(planLine({ ...month, currency })).toBe('Monthly plan, $7.99 per month billed monthly.');
});

test('a year’s saving is never rounded up, and is 0 without a monthly plan', () => {
  expect(savingOf([month, year])).toBe(37);
  expect(savingOf([{ ...month, amount: 400 }, year])).toBe(0);
  expect(savingOf([year])).toBe(0);
});

const half = { code: 'CANDLE', percentOff: 50, amountOff: null, endsAt: null } as const;

test('a discount states its amount and duration', () => {
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
  discountedCharges: 0,
};
const now = Date.parse('2027-03-01T00:00:00Z');
const day = (text: string) => new Date(`${text}T00:00:00Z`);
const paidAtOnce = { trialEndsAt: null, dueToday: 799, firstCharge: { amount: 799, at: new Date(now) } };
const halved = { firstCharge: { ...preview.firstCharge, amount: 399 }, discountedCharges: 1 };
const halvedAtOnce = { ...halved, ...paidAtOnce, firstCharge: { amount: 399, at: new Date(now) }, dueToday: 399 };
const yearly = { period: 'year', amount: 5988, thenAmount: 5988 } as const;

test.each([
  ['a trial', {}, 'Today $0. 7 days free, then $7.99 on 8 Mar 2027 and each month after that.'],
  ['no trial', paidAtOnce, 'Today $7.99. Then $7.99 each month.'],
  [
    'a discount on the first charge of a year',
    { ...halved, ...yearly, firstCharge: { ...preview.firstCharge, amount: 2994 } },
    'Today $0. On 8 Mar 2027 $29.94 for the first year. Then $59.88 each year.',
  ],
  [
    'a discount of some months',
    { ...halved, discountedCharges: 3 },
    'Today $0. On 8 Mar 2027 $3.99 for the first month. The next 2 months $3.99 each. Then $7.99 each month.',
  ],
  [
    'a discount of two months, without a trial',
    { ...halvedAtOnce, discountedCharges: 2 },
    'Today $3.99 for the first month. The next month $3.99. Then $7.99 each month.',
  ],
  [
    'a discount that is over before the first charge',
    { discount: { ...half, duration: 'months' as const, endsAt: '2027-03-05T00:00:00Z' } },
    'Today $0. 7 days free, then $7.99 on 8 Mar 2027 and each month after that.',
  ],
  [
    'a discount for ever, without a trial',
    { ...halvedAtOnce, discountedCharges: null, thenAmount: 399 },
    'Today $3.99. Then $3.99 each month.',
  ],
])('charges are stated before paying, one sentence each: %s', (_what, changes, text) => {
  expect(Object.values(priceLines({ ...preview, ...changes }, now)).join(' ')).toBe(text);
});

const switched = {
  when: 'now' as const,
  at: new Date(now),
  dueToday: 0,
  credit: 0,
  currency,
  amount: 5988,
  nextAmount: 5988,
  nextChargeAt: day('2027-03-08'),
};

test.each([
  ['in the trial', {}, 'Your plan changes now. From 8 March 2027 on it is $59.88 a year.'],
  [
    'in the trial, with a code',
    { nextAmount: 2994 },
    'Your plan changes now. From 8 March 2027 on it is $59.88 a year. The first payment is $29.94.',
  ],
  [
    'at once, with a code',
    { dueToday: 2594, credit: 400, nextAmount: 2994, nextChargeAt: day('2028-03-01') },
    'Your plan changes now. It is $59.88 a year, less $29.94 with your promo code, less $4.00 for the time you have paid for and not used. The next payment is on 1 March 2028.',
  ],
])('a change of plan counts the promo code in, and the sums add up: %s', (_what, changes, text) => {
  expect(changeLine({ ...switched, ...changes }, 'year')).toBe(text);
});

test('the banner states the date of the first charge, and the prompt of a locked audio offers a trial', () => {
  const offer = { trialDays: 7, graceDays: 7, currency, plans: [month, year], giftCards: [], currencies: [] };
  const textOf = (changes: Partial<typeof offer>) => {
    const preview = previewOf({ ...offer, ...changes }, 'year', now);
    return preview && Object.values(priceLines(preview, now)).join(' ');
  };
  expect(textOf({})).toBe('Today $0. 7 days free, then $59.88 on 8 Mar 2027 and each year after that.');
  expect(textOf({ trialDays: 0 })).toBe('Today $59.88. Then $59.88 each year.');
  expect(textOf({ plans: [] })).toBeUndefined();
  expect([7, 0].map(trialCall)).toEqual(['Start a 7-day free trial, or log in.', 'Subscribe, or log in.']);
});

const active: Subscription = {
  through: null,
  state: 'active',
  period: 'year',
  amount: 5988,
  currency,
  trialEndsAt: null,
  renewsAt: day('2027-03-14'),
  endsAt: null,
  graceEndsAt: null,
  openAmount: null,
  isTrial: false,
  freeBy: null,
  nextPeriod: null,
  discount: null,
  giftUntil: null,
  isSubscribed: true,
  card: null,
  nextCharge: null,
  pause: null,
  pauseChoices: [],
  stayOffer: null,
};

const pause = { months: 2, from: day('2027-01-03'), until: day('2027-03-03'), isWaiting: false };

test.each<[string, Partial<Subscription>, string | undefined, string]>([
  [
    'about to pause',
    { pause },
    'Active',
    'Unlimited access to all audios. Paused from 3 January 2027 to 3 March 2027. Nothing is charged in that time.',
  ],
  [
    'paused',
    { state: 'paused', pause },
    'Paused',
    'Paused from 3 January 2027 to 3 March 2027. Nothing is charged in that time.',
  ],
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
    { state: 'past-due', graceEndsAt: day('2027-03-05'), openAmount: 799 },
    'Payment failed',
    'Your last payment of $7.99 did not go through. You can listen until 5 March 2027.',
  ],
  [
    'past due for too long',
    { state: 'past-due', graceEndsAt: day('2027-02-25') },
    'Payment failed',
    'Your last payment did not go through. You can listen again once a payment succeeds.',
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
  ['none', { state: 'none' }, undefined, 'You can hear the preview and every free audio.'],
])('a subscription that is %s says so', (_what, changes, tag, text) => {
  expect(stateWords({ ...active, ...changes }, now)).toMatchObject({ tag, text });
});

const once = { ...half, duration: 'once' } as const;
const untilApril = { ...half, duration: 'months', endsAt: '2027-04-01T00:00:00Z' } as const;
const untilMarch = { ...untilApril, endsAt: '2027-03-02T00:00:00Z' };
const canceled = { state: 'ending', renewsAt: null, endsAt: day('2027-03-14') } as const;

test.each<[string, Partial<Subscription>, string]>([
  ['active', { discount: once }, '50% off the next payment'],
  ['active, with a discount of some months', { discount: untilApril }, '50% off until 1 April 2027'],
  [
    'active, with a discount that is over before the next payment',
    { discount: untilMarch },
    '50% off until 2 March 2027, before the next payment',
  ],
  ['past due', { state: 'past-due', discount: untilMarch }, '50% off until 2 March 2027'],
  ['canceled', { ...canceled, discount: once }, '50% off the next payment if you resume'],
  [
    'canceled, with a discount of some months',
    { ...canceled, discount: untilApril },
    '50% off until 1 April 2027 if you resume',
  ],
  ['canceled, with a discount that ends first', { ...canceled, discount: untilMarch }, 'None'],
  ['without a discount', {}, 'None'],
])('the promo code of a subscription that is %s', (_what, changes, text) => {
  expect(promoCodeFact({ ...active, ...changes })).toBe(text);
});

const giftUntil = day('2027-04-01');

test.each<[string, Partial<Subscription>, string | null, string]>([
  [
    'active',
    {},
    'If you cancel, you keep access until 14 March 2027.',
    'You can listen without limits until 14 March 2027. After that you',
  ],
  ['canceled', canceled, 'You keep access until 14 March 2027.', ''],
  ['canceled, with gift time after it', { ...canceled, giftUntil }, 'You keep access until 1 April 2027.', ''],
  ['past due', { state: 'past-due' }, null, 'It ends now. You'],
  [
    'past due, with gift time',
    { state: 'past-due', giftUntil },
    'If you cancel, you keep access until 1 April 2027.',
    'It ends now. You can listen without limits until 1 April 2027. After that you',
  ],
])('how long someone keeps access, and what canceling means: %s', (_what, changes, kept, canceling) => {
  expect(accessLine({ ...active, ...changes })).toBe(kept);
  if (canceling !== '')
    expect(cancelLine({ ...active, ...changes })).toBe(
      `${canceling} keep your library and your account. You will not be charged again.`,
    );
});

test.each<[string, Partial<Subscription>, string | null]>([
  ['nothing', { state: 'none' }, null],
  ['an ended subscription', { state: 'ended', endsAt: day('2027-02-14') }, null],
  ['given months', { state: 'none', giftUntil }, 'Your gift time until 1 April 2027 is lost.'],
  ['a paid year', {}, 'Your subscription ends. The time that you paid for until 14 March 2027 is lost.'],
  [
    'a free trial',
    { state: 'trialing', freeBy: 'trial' },
    'Your subscription ends. Your free trial until 14 March 2027 is lost.',
  ],
  [
    'given months before the next payment',
    { state: 'trialing', freeBy: 'gift', renewsAt: day('2027-06-08') },
    'Your subscription ends. Your gift time until 8 June 2027 is lost.',
  ],
  [
    'a canceled subscription with given months after it',
    { ...canceled, giftUntil },
    'Your subscription ends. The time that you paid for until 14 March 2027 is lost. Your gift time until 1 April 2027 is lost.',
  ],
  ['an unpaid subscription', { state: 'past-due' }, 'Your subscription ends.'],
])('what is lost with the account: %s', (_what, changes, text) => {
  expect(lossLine({ ...active, ...changes })).toBe(text);
});

test('gift time that ends after the grace period counts', () => {
  expect(usableUntil({ graceEndsAt: day('2027-03-05'), giftUntil: day('2027-04-01') }, now)).toBe('1 April 2027');
  expect(usableUntil({ graceEndsAt: null, giftUntil: null }, now)).toBeNull();
});

test('a card shows only its last digits', () => {
  expect(cardLine({ brand: 'visa', last4: '4242', expMonth: 1, expYear: 2028 })).toBe('Visa ending 4242, 01/28');
  expect(cardLine({ brand: 'amex', last4: '0005', expMonth: 12, expYear: 2030 })).toBe(
    'American Express ending 0005, 12/30',
  );
});

test('a locked audio is named with what opens it; nothing is promised where the trial is not known', () => {
  expect(lockedLine('Low Tide', 7)).toBe('“Low Tide” is for subscribers. Start a 7-day free trial, or log in.');
  expect(lockedLine('Low Tide', 0)).toBe('“Low Tide” is for subscribers. Subscribe, or log in.');
  expect(lockedLine('Low Tide')).toBe('“Low Tide” is for subscribers.');
});
