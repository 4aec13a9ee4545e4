import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type ReceivedCall, answerCalls, refusal } from '#test/support/components/calls.ts';
import { listener, mountInSite } from '#test/support/components/mount.tsx';
import { slow } from '#test/support/tags.ts';
import { PaymentForm } from './payment-form.tsx';

/** The sandbox's own script, which is what a site without a payment provider loads. */
const sandbox = '/packages/stripe-sandbox';
const settings = {
  form: 'card' as const,
  provider: 'stripe' as const,
  publishableKey: 'pk_test_sandbox',
  scriptSrc: `${sandbox}/src/browser/client/main.ts`,
  isSandbox: true,
};
const price = {
  period: 'year',
  amount: 5988,
  currency: 'usd',
  trialEndsAt: '2026-12-05T12:00:00.000Z',
  dueToday: 0,
  firstCharge: { amount: 5988, at: '2026-12-05T12:00:00.000Z' },
  thenAmount: 5988,
  discount: null,
  discountedCharges: null,
};
const subscribed = { action: null, user: { ...listener, isSubscribed: true } };

let calls: ReceivedCall[];
let answer: () => unknown;
let preview: (asked: { period?: string; promoCode?: string }) => unknown;
const onSubscribed = vi.fn<() => Promise<void>>();
const onPaying = vi.fn<(isPaying: boolean) => void>();
const orders = () => calls.filter(({ path }) => path.endsWith('/create-subscription')).map(({ body }) => body);
const cards = () => calls.filter(({ path }) => path.endsWith('/payment_methods'));

beforeEach(() => {
  answer = () => subscribed;
  preview = () => price;
  calls = answerCalls({
    'POST /v1/api/subscription/preview': ({ body }) =>
      (body as { promoCode?: string }).promoCode === 'GONE'
        ? refusal(404, 'promo-code/not-found', 'This code is not valid.')
        : preview(body as { period?: string; promoCode?: string }),
    [`POST ${sandbox}/payment_methods`]: () => ({ id: `pm_${cards().length}`, object: 'payment_method' }),
    'POST /v1/api/stripe/create-subscription': () => answer(),
  });
  onSubscribed.mockReset().mockResolvedValue();
  onPaying.mockReset();
});

function Paying() {
  const [period, setPeriod] = useState<'month' | 'year'>('year');
  return (
    // As wide as in the window.
    <div style={{ width: 362 }}>
      <button type="button" onClick={() => setPeriod('month')}>
        Monthly instead
      </button>
      <PaymentForm
        settings={settings}
        period={period}
        currency={undefined}
        promoCode={undefined}
        pending={undefined}
        onSubscribed={onSubscribed}
        onPaying={onPaying}
      />
    </div>
  );
}

function open(): void {
  mountInSite(<Paying />, { user: { ...listener, isSubscribed: false } });
}

const field = (name: RegExp) => page.getByRole('textbox', { name });
const button = (name: string) => page.getByRole('button', { name, exact: true });

async function fillCard(number = '4242424242424242'): Promise<void> {
  await field(/card number/i).fill(number);
  await field(/expiration/i).fill('1240');
  await field(/security|cvc/i).fill('123');
}

test('the card goes to the provider, and the order with the shown price to the site', async () => {
  open();
  await fillCard();
  await button('Subscribe').click();
  await expect.poll(() => onSubscribed.mock.calls).toHaveLength(1);
  expect(orders()).toEqual([
    {
      paymentMethodId: 'pm_1',
      subIsWeb: true,
      period: 'year',
      withoutTrial: false,
      amount: 5988,
      firstCharge: 5988,
      thenAmount: 5988,
    },
  ]);
  expect(JSON.stringify(orders())).not.toContain('4242');
  expect(onPaying.mock.calls.flat()).toEqual([true, false]);
});

test('the price that arrives moves nothing: the window is centered, and a press would miss its field', async () => {
  const arriving = Promise.withResolvers<typeof price>();
  preview = () => arriving.promise;
  open();
  await expect.element(field(/card number/i)).toBeVisible();
  const height = () => document.querySelector('form')?.getBoundingClientRect().height;
  const before = height();
  arriving.resolve(price);
  await expect.element(page.getByText('free, then', { exact: false })).toBeVisible();
  expect(height()).toBe(before);
});

test('an incomplete card is said at its field, and nothing is ordered', async () => {
  open();
  await fillCard('42424242');
  await button('Subscribe').click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  expect(document.querySelector('.card-fields .field .err')?.textContent).toMatch(/card number/i);
  expect(orders()).toEqual([]);
});

test('a press while the payment is being made orders nothing twice', async () => {
  const paying = Promise.withResolvers<typeof subscribed>();
  answer = () => paying.promise;
  open();
  await fillCard();
  await button('Subscribe').click();
  await expect.poll(orders).toHaveLength(1);
  document.querySelector('form')?.requestSubmit();
  await expect.element(page.getByText('Your payment is being made.', { exact: false })).toBeVisible();
  paying.resolve(subscribed);
  await expect.poll(() => onSubscribed.mock.calls).toHaveLength(1);
  expect(orders()).toHaveLength(1);
});

test('a refused card is said, and another press makes a new one of the fields', async () => {
  answer = () => refusal(402, 'payment/card-declined', 'Your card was declined.');
  open();
  await fillCard();
  await button('Subscribe').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Your card was declined.');
  answer = () => subscribed;
  await button('Subscribe').click();
  await expect.poll(() => onSubscribed.mock.calls).toHaveLength(1);
  expect(orders().map((order) => (order as { paymentMethodId: string }).paymentMethodId)).toEqual(['pm_1', 'pm_2']);
});

test('after an answer that was lost, the same card is sent again, so that nobody pays twice', async () => {
  answer = () => {
    throw new TypeError('Connection lost');
  };
  open();
  await fillCard();
  await button('Subscribe').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('No internet connection');
  answer = () => subscribed;
  await button('Subscribe').click();
  await expect.poll(() => onSubscribed.mock.calls).toHaveLength(1);
  expect(orders().map((order) => (order as { paymentMethodId: string }).paymentMethodId)).toEqual(['pm_1', 'pm_1']);
});

test('a used trial asks again before it charges', async () => {
  answer = () => refusal(409, 'subscription/trial-used', 'This card has used its trial.');
  open();
  await fillCard();
  await button('Subscribe').click();
  await expect.element(page.getByText('This card has used its trial.')).toBeVisible();
  expect(onSubscribed).not.toHaveBeenCalled();
  answer = () => subscribed;
  await button('Subscribe without a trial').click();
  await expect.poll(() => onSubscribed.mock.calls).toHaveLength(1);
  expect(orders().at(-1)).toMatchObject({ withoutTrial: true, paymentMethodId: 'pm_1' });
});

test('Enter in the promo code checks it and pays nothing; a wrong one is said at the field', async () => {
  open();
  await fillCard();
  await field(/promo code/i).fill('GONE');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert')).toHaveTextContent('This code is not valid.');
  expect(orders()).toEqual([]);
});

test('a price counts for the period and the code that it was shown with, and for no other', slow, async () => {
  preview = ({ period, promoCode }) => {
    if (period === 'month') return new Promise(() => {});
    return promoCode === 'HALF' ? { ...price, firstCharge: { ...price.firstCharge, amount: 2994 } } : price;
  };
  answer = () => refusal(402, 'payment/card-declined', 'Your card was declined.');
  open();
  await expect.element(page.getByText('free, then', { exact: false })).toBeVisible();
  await fillCard();
  await field(/promo code/i).fill('HALF');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('$29.94', { exact: false }).first()).toBeVisible();
  const order = async () => {
    const before = orders().length;
    await button('Subscribe').click();
    await expect.poll(() => orders().length).toBe(before + 1);
    await expect.element(page.getByRole('alert')).toBeVisible();
    return orders().at(-1);
  };
  expect(await order()).toMatchObject({ promoCode: 'HALF', amount: 5988, firstCharge: 2994 });
  // Sent before the price with it is there.
  preview = () => new Promise(() => {});
  await field(/promo code/i).fill('OTHER');
  const other = await order();
  expect(other).toMatchObject({ promoCode: 'OTHER', amount: 5988 });
  expect(other).not.toHaveProperty('firstCharge');
  await button('Monthly instead').click();
  const monthly = await order();
  expect(monthly).toMatchObject({ period: 'month' });
  expect(monthly).not.toHaveProperty('amount');
});

test('a used trial stays used, with the same card, when the answer to the order without it is lost', slow, async () => {
  answer = () => refusal(409, 'subscription/trial-used', 'This card has used its trial.');
  open();
  await fillCard();
  await button('Subscribe').click();
  await expect.element(button('Subscribe without a trial')).toBeVisible();
  answer = () => {
    throw new TypeError('Connection lost');
  };
  await button('Subscribe without a trial').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('No internet connection');
  answer = () => subscribed;
  await button('Subscribe without a trial').click();
  await expect.poll(() => onSubscribed.mock.calls).toHaveLength(1);
  expect(orders().at(-1)).toMatchObject({ withoutTrial: true, paymentMethodId: 'pm_1' });
});

test('a code that is refused with the order is said at its field, and typing clears it', slow, async () => {
  answer = () => refusal(409, 'promo-code/used-up', 'This code is used up.');
  open();
  await fillCard();
  await field(/promo code/i).fill('HALF');
  await button('Subscribe').click();
  await expect.element(field(/promo code/i)).toHaveAccessibleDescription(/This code is used up/);
  await field(/promo code/i).fill('HAL');
  await expect.element(field(/promo code/i)).not.toHaveAccessibleDescription(/This code is used up/);
});

test('somebody who is subscribed already is not charged, and goes on listening', slow, async () => {
  answer = () => refusal(409, 'subscription/already-subscribed', 'You are subscribed already.');
  open();
  await fillCard();
  await button('Subscribe').click();
  await expect.element(page.getByText('You are subscribed already.')).toBeVisible();
  expect(onSubscribed).not.toHaveBeenCalled();
  await button('Keep listening').click();
  await expect.poll(() => onSubscribed.mock.calls).toHaveLength(1);
});
