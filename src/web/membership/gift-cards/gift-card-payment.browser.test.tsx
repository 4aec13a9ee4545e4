import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type ReceivedCall, answerCalls } from '#test/support/components/calls.ts';
import { mountInSite } from '#test/support/components/mount.tsx';
import { slow } from '#test/support/tags.ts';
import { giftCardDraft } from './gift-card-draft.ts';
import { GiftCardPayment } from './gift-card-payment.tsx';

/** The sandbox's own script, which is what a site without a payment provider loads. */
const sandbox = '/packages/stripe-sandbox';
const offer = {
  month: { amount: 799 },
  year: { amount: 5988 },
  giftCards: [{ months: 3, amount: 2400 }],
  currency: 'usd',
  testCards: [],
  payments: {
    form: 'card',
    provider: 'stripe',
    publishableKey: 'pk_test_sandbox',
    scriptSrc: `${sandbox}/src/browser/client/main.ts`,
    isSandbox: true,
  },
} as never;
const order = { months: 3, recipientEmail: 'grace@example.com' } as never;
const declined = { error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } };

let calls: ReceivedCall[];
/** The provider's answer. */
let confirm: () => unknown;
/** The site's, which has asked the provider. */
let state: string;
let backs: number;

const named = (path: string) => calls.filter((call) => call.path.endsWith(path)).length;
const button = (name: string) => page.getByRole('button', { name, exact: true });

beforeEach(() => {
  state = 'awaiting-payment';
  backs = 0;
  confirm = () => Response.json(declined, { status: 402 });
  calls = answerCalls({
    'POST /v1/api/gift-cards': () => ({ giftCard: { id: 'g1' }, clientSecret: 'pi_1_secret_x' }),
    [`POST ${sandbox}/payment_intents/pi_1/confirm`]: () => confirm(),
    'POST /v1/api/gift-cards/g1/refresh': () => ({ giftCard: { id: 'g1', state } }),
  });
});

async function open() {
  giftCardDraft.update({ recipientEmail: 'grace@example.com' });
  const router = mountInSite(<GiftCardPayment order={order} offer={offer} onBack={() => (backs += 1)} />);
  for (const [name, typed] of [
    [/card number/i, '4242424242424242'],
    [/expiration/i, '1240'],
    [/security|cvc/i, '123'],
  ] as const)
    await page.getByRole('textbox', { name }).fill(typed);
  return { address: () => router.state.location.pathname };
}

test('the gift is paid, its page is opened, and its form is empty for the next one', slow, async () => {
  confirm = () => {
    state = 'paid';
    return { id: 'pi_1', object: 'payment_intent', status: 'succeeded' };
  };
  const { address } = await open();
  await button('Pay $24.00').click();
  await expect.poll(address).toBe('/gift-card/g1');
  expect(giftCardDraft.get().recipientEmail).toBe('');
});

test('a payment that was made although its answer was lost is not asked for again', async () => {
  confirm = () => {
    state = 'paid';
    throw new TypeError('Connection lost');
  };
  const { address } = await open();
  await button('Pay $24.00').click();
  await expect.poll(address).toBe('/gift-card/g1');
  expect(page.getByRole('alert').query()).toBeNull();
});

test('after a declined card, the next one pays for the same gift', slow, async () => {
  const { address } = await open();
  await button('Pay $24.00').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Your card was declined.');
  expect([address(), giftCardDraft.get().recipientEmail]).toEqual(['/', 'grace@example.com']);
  confirm = () => {
    state = 'paid';
    return { id: 'pi_1', object: 'payment_intent', status: 'succeeded' };
  };
  await button('Pay $24.00').click();
  await expect.poll(address).toBe('/gift-card/g1');
  expect([named('/api/gift-cards'), named('/confirm')]).toEqual([1, 2]);
});

test('while it is being paid, a further press pays nothing, and the gift cannot be changed', slow, async () => {
  const paying = Promise.withResolvers<unknown>();
  confirm = () => paying.promise;
  const { address } = await open();
  await button('Pay $24.00').click();
  await expect.poll(() => named('/confirm')).toBe(1);
  document.querySelector('form')?.requestSubmit();
  await expect.element(button('Change the gift')).toBeDisabled();
  state = 'paid';
  paying.resolve({ id: 'pi_1', object: 'payment_intent', status: 'succeeded' });
  await expect.poll(address).toBe('/gift-card/g1');
  expect([named('/confirm'), backs]).toEqual([1, 0]);
});
