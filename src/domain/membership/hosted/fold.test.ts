import { seededRandom } from '#demo/random.ts';
import { describe, expect, test } from 'vitest';
import { type FoldedOrder, eventsOf, foldCustomer, foldPayment, stateOf } from './fold.ts';
import type { HostedEvent } from './hosted-provider.ts';

const day = 24 * 60 * 60 * 1000;
const start = new Date('2027-01-15T12:00:00Z');
const after = (days: number) => new Date(start.getTime() + days * day);

const order: FoldedOrder = {
  provider: 'verotel',
  reference: 'a'.repeat(32),
  customerId: 'verotel:c',
  kind: 'subscription',
  period: 'month',
  amount: 799,
  currency: 'eur',
  firstAmount: null,
  listAmount: 799,
  discount: null,
  promoCodeId: null,
  createdAt: start,
};

let ids = 0;
const event = (means: HostedEvent['means'], days: number, rest: Partial<HostedEvent> = {}): HostedEvent => ({
  id: `${(ids += 1)}`.padStart(6, '0'),
  type: means,
  means,
  reference: order.reference,
  saleId: undefined,
  at: after(days),
  ...rest,
});
const paid = (days: number, until: number, rest: Partial<HostedEvent> = {}) =>
  event('paid', days, { amount: 799, currency: 'eur', until: after(until), ...rest });

const foldedAt = (events: HostedEvent[], days: number, ordered = order) => {
  const { subscriptions, invoices } = foldCustomer([ordered], events, after(days));
  return { subscription: subscriptions[0], invoices };
};

test('a sale that was never paid is no subscription', () => {
  for (const events of [[], [event('waits', 0)], [event('declined', 0)], [event('canceled', 1)], [event('ended', 1)]])
    expect(foldedAt(events, 2)).toEqual({ subscription: undefined, invoices: [] });
});

test('an early cancellation waits for the payment that it belongs to', () => {
  const canceled = event('canceled', 3, { until: after(31), reference: undefined, saleId: 's1' });
  expect(foldedAt([canceled], 4).subscription).toBeUndefined();
  const both = [canceled, paid(0, 31, { saleId: 's1' })];
  expect(foldedAt(both, 4).subscription).toMatchObject({ status: 'active', endsAt: after(31) });
  expect(foldedAt(both, 32).subscription).toMatchObject({ status: 'ended', endsAt: after(31) });
});

test('the paid time is the latest that was said, and a period without a payment is due', () => {
  const events = [paid(0, 31), paid(31, 62)];
  expect(foldedAt(events, 40).subscription).toMatchObject({ status: 'active', periodEndsAt: after(62) });
  // Two days are given to the provider's word.
  expect(foldedAt(events, 63).subscription?.status).toBe('active');
  const due = foldedAt(events, 65);
  expect(due.subscription?.status).toBe('past-due');
  expect(due.invoices.map(({ status, amountPaid }) => [status, amountPaid])).toEqual([
    ['open', 0],
    ['paid', 799],
    ['paid', 799],
  ]);
  const mended = foldedAt([...events, paid(66, 97)], 67);
  expect(mended.subscription?.status).toBe('active');
  expect(mended.invoices.map(({ id, status }) => [id, status])).toContainEqual([due.invoices[0]?.id, 'void']);
});

test('a declined renewal is due at once, and not again after the next one', () => {
  const declined = [paid(0, 31), event('declined', 31)];
  expect(foldedAt(declined, 31).subscription?.status).toBe('past-due');
  expect(foldedAt([...declined, paid(33, 62)], 62.5).subscription?.status).toBe('active');
});

test('money that went back ends it now; a part does not', () => {
  const events = [paid(0, 31, { transactionId: 't1' })];
  const partly = foldedAt([...events, event('refunded', 5, { amount: 300, ofTransaction: 't1' })], 6);
  expect(partly.subscription?.status).toBe('active');
  expect(partly.invoices).toMatchObject([{ refunded: 300, isDisputed: false }]);
  const whole = foldedAt([...events, event('refunded', 5)], 6);
  expect(whole.subscription).toMatchObject({ status: 'ended', endsAt: after(5) });
  const back = foldedAt([...events, event('charged-back', 20)], 41);
  expect(back.subscription).toMatchObject({ status: 'ended', endsAt: after(20) });
  expect(back.invoices.find(({ status }) => status === 'paid')).toMatchObject({ isDisputed: true, refunded: 799 });
});

test('a trial is free until its end, and charged then', () => {
  const trial = paid(0, 7, { amount: 0 });
  const ordered = { ...order, firstAmount: 0 };
  expect(foldedAt([trial], 3, ordered).subscription).toMatchObject({ status: 'trialing', trialEndsAt: after(7) });
  expect(foldedAt([trial, paid(7, 38)], 9, ordered).subscription).toMatchObject({
    status: 'active',
    periodEndsAt: after(38),
  });
});

test('prepaid months follow each other, and what was paid back counts no more', () => {
  const prepaid = { ...order, provider: 'btcpay', kind: 'prepaid' } as const;
  const second = { ...prepaid, reference: 'b'.repeat(32), createdAt: after(10) };
  const events = [event('paid', 0, { amount: 799 }), event('paid', 10, { amount: 799, reference: second.reference })];
  const at = (days: number, all = events) => foldCustomer([prepaid, second], all, after(days)).subscriptions[0];
  expect(at(20)).toMatchObject({ status: 'active', endsAt: new Date('2027-03-15T12:00:00Z') });
  expect(at(20, [...events, event('refunded', 12, { reference: second.reference })])).toMatchObject({
    endsAt: new Date('2027-02-15T12:00:00Z'),
  });
  expect(at(70)?.status).toBe('ended');
});

test('a single payment is paid, and paid back', () => {
  const single = { ...order, kind: 'single', amount: 2199 } as const;
  const gift = event('paid', 0, { amount: 2199 });
  expect(foldPayment(single, [])).toMatchObject({ status: 'waiting', amount: 2199 });
  expect(foldPayment(single, [gift])).toMatchObject({ status: 'paid', refunded: 0 });
  expect(foldPayment(single, [gift, event('charged-back', 3)])).toMatchObject({ status: 'refunded', refunded: 2199 });
});

test('how an order stands', () => {
  expect(stateOf([])).toBe('open');
  expect(stateOf([event('waits', 0)])).toBe('waiting');
  expect(stateOf([event('waits', 0), event('declined', 1)])).toBe('declined');
  expect(stateOf([event('declined', 0), paid(1, 31)])).toBe('paid');
  expect(stateOf([event('closed', 0), paid(1, 31)])).toBe('paid');
  expect(stateOf([event('closed', 0)])).toBe('closed');
});

describe.each(['verotel', 'ccbill', 'btcpay'] as const)('%s', (provider) => {
  test('20,000 orders of arrival, with duplicates, lead to one end state each', () => {
    let checked = 0;
    for (let story = 0; story < 200; story += 1) {
      const random = seededRandom(story * 3 + provider.length);
      const pick = (count: number) => Math.floor(random() * count);
      const kind = provider === 'btcpay' ? ('prepaid' as const) : ('subscription' as const);
      const orders = Array.from({ length: 1 + pick(3) }, (_one, index) => ({
        ...order,
        provider,
        kind,
        reference: `${index}`.repeat(32),
        createdAt: after(index * 40),
      }));
      const events = orders.flatMap(({ reference }, index) => {
        const saleId = `sale-${index}`;
        const first = index * 40;
        const told = { reference, saleId };
        const charges = Array.from({ length: 1 + pick(4) }, (_one, month) =>
          paid(first + month * 31, first + (month + 1) * 31, { ...told, transactionId: `${saleId}-${month}` }),
        );
        const later = Array.from({ length: pick(5) }, () =>
          event(
            (['canceled', 'resumed', 'declined', 'ended', 'refunded', 'charged-back', 'unknown'] as const)[pick(7)] ??
              'ended',
            first + pick(130),
            {
              reference: random() < 0.5 ? reference : undefined,
              saleId,
              ...(random() < 0.5 && { amount: 300 }),
            },
          ),
        );
        return [...charges, ...later];
      });
      const now = after(pick(180));
      const inOrder = JSON.stringify(foldCustomer(orders, events, now));
      for (let turn = 0; turn < 100; turn += 1) {
        const shuffled = [...events, ...events.filter(() => random() < 0.4)]
          .map((one) => [random(), one] as const)
          .toSorted(([one], [other]) => one - other)
          .map(([, one]) => one);
        expect(JSON.stringify(foldCustomer(orders, shuffled, now))).toBe(inOrder);
        checked += 1;
      }
    }
    expect(checked).toBe(20_000);
  });
});

test('events of another order are not taken for its own', () => {
  const other = { ...order, reference: 'b'.repeat(32) };
  const events = [paid(0, 31, { saleId: 's1' }), paid(0, 31, { reference: other.reference, saleId: 's2' })];
  const canceled = event('canceled', 1, { reference: undefined, saleId: 's2' });
  const groups = eventsOf([order, other], [...events, canceled]);
  expect([groups.get(order)?.length, groups.get(other)?.length]).toEqual([1, 2]);
});
