import { expect, test } from 'vitest';
import type { SubscriptionFacts } from '../payment-provider.ts';
import { type SubscriptionRequest, idempotencyKey, planFirstCharge, planSubscription } from './plan-subscription.ts';

const now = new Date('2026-03-01T12:00:00Z');
const day = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(now.getTime() + days * day);

const order = { paymentMethodId: 'card', period: 'month' } as const;
const action = { kind: 'setup', clientSecret: 'secret' } as const;

function current(overrides: Partial<SubscriptionFacts>): SubscriptionFacts {
  return {
    id: 'subscription',
    status: 'active',
    plan: { period: 'month', amount: 799, currency: 'usd' },
    cardId: 'card',
    cardExpires: '2040-01',
    startedAt: inDays(-30),
    trialEndsAt: undefined,
    periodEndsAt: inDays(1),
    endsAt: undefined,
    nextPeriod: undefined,
    discount: undefined,
    action: undefined,
    movedBy: undefined,
    ...overrides,
  };
}

const create = { kind: 'create' };
const replace = { kind: 'replace', pendingId: 'subscription' };
const done = { kind: 'already-done', action: undefined };
const refuse = { kind: 'refuse', reason: 'subscription/already-subscribed' };
const yearly = { period: 'year', amount: 5988, currency: 'usd' } as const;

test.each([
  ['no subscription', undefined, create],
  ['an ended one', current({ status: 'ended' }), create],
  ['a retry of an active one', current({}), done],
  ['a retry of a trial', current({ status: 'trialing' }), done],
  ['a retry of one that is past due', current({ status: 'past-due' }), done],
  ['an active one with another card', current({ cardId: 'other' }), refuse],
  ['an active one with another period', current({ plan: yearly }), refuse],
  ['a past-due one with another card', current({ status: 'past-due', cardId: 'other' }), refuse],
  [
    'a retry while the bank waits for its step',
    current({ status: 'confirming', action }),
    { kind: 'already-done', action },
  ],
  ['a retry after the bank refused', current({ status: 'confirming' }), replace],
  ['another card while the bank waits', current({ status: 'confirming', action, cardId: 'other' }), replace],
  ['another period while the bank waits', current({ status: 'confirming', action, plan: yearly }), replace],
])('planSubscription: %s', (_state, subscription, plan) => {
  expect(planSubscription({ current: subscription, order })).toEqual(plan);
});

const terms = { trial: undefined, trialDays: 7, giftUntil: undefined, withoutTrial: false, now } as const;
const charge = (free: unknown) => ({ kind: 'charge', free });

test.each([
  ['no trial was promised', {}, charge(undefined)],
  ['a new trial', { trial: 'claimed-now' }, charge({ days: 7 })],
  ['a trial that an earlier try claimed', { trial: 'claimed-before' }, charge({ days: 7 })],
  ['a card that had its trial', { trial: 'used-by-another' }, { kind: 'ask-for-consent' }],
  ['the same with consent', { trial: 'used-by-another', withoutTrial: true }, charge(undefined)],
  ['consent does not waive an unused trial', { trial: 'claimed-now', withoutTrial: true }, charge({ days: 7 })],
  ['gift time only', { giftUntil: inDays(3) }, charge({ until: inDays(3) })],
  ['gift time longer than the trial', { trial: 'claimed-now', giftUntil: inDays(8) }, charge({ until: inDays(8) })],
  ['gift time shorter than the trial', { trial: 'claimed-now', giftUntil: inDays(6) }, charge({ days: 7 })],
  [
    'gift time with consent',
    { trial: 'used-by-another', withoutTrial: true, giftUntil: inDays(2) },
    charge({ until: inDays(2) }),
  ],
] as const)('planFirstCharge: %s', (_state, overrides, expected) => {
  expect(planFirstCharge({ ...terms, ...overrides })).toEqual(expected);
});

const request: SubscriptionRequest = {
  customerId: 'cus_1',
  cardId: 'pm_1',
  plan: { period: 'month', amount: 799, currency: 'usd' },
  free: { days: 7 },
  promoCodeId: undefined,
  previousId: undefined,
  givenUpId: undefined,
};

test('the idempotency key of a request stays the same across releases', () => {
  // A retry may reach a newer release; a different key would make a second subscription.
  expect(idempotencyKey(request)).toBe('subscribe K-ixSFwFFVYTQSKeuhLZRg4N3U0szaO9_YteQCWF1g0');
});

test('a change of any part changes the idempotency key', () => {
  const requests: SubscriptionRequest[] = [
    request,
    { ...request, customerId: 'cus_2' },
    { ...request, cardId: 'pm_2' },
    { ...request, plan: yearly },
    { ...request, free: undefined },
    { ...request, free: { until: now } },
    { ...request, promoCodeId: 'sub_1' },
    { ...request, previousId: 'sub_1' },
    { ...request, givenUpId: 'sub_1' },
  ];
  expect(new Set(requests.map(idempotencyKey)).size).toBe(requests.length);
});
