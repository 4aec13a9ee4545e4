import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { analyticsEvents } from '#domain/analytics/tables.ts';
import { trialCards } from '#domain/membership/tables.ts';
import {
  agree,
  expectSoundModal,
  field,
  fillLogIn,
  fillSignUp,
  logOut,
  modalOf,
  newPerson,
  openLogIn,
  registered,
  visitorOf,
  type Member,
} from '../../support/accounts.ts';
import { button, hasFocus, openAccount, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, layouts, mobile, useBrowser } from '../../support/browser/browser.ts';
import { allowAs } from '../../support/servers/openid.ts';
import {
  bankOf,
  cardField,
  memberOf,
  startPayingSite,
  subscribed,
  typeCard,
} from '../../support/payments/paying-site.ts';
import { listenToEvents } from '../../support/browser/listen-to-events.ts';
import { slow } from '../../support/tags.ts';

const site = await startPayingSite();
const browser = useBrowser({ images: false });
const open = (path: string, layout = desktop) => browser.open(path, visitorOf(site, layout));
const stateOf = async ({ id }: Pick<Member, 'id'>) => {
  const { state, period } = await site.site.membership.findSubscriptionState(id);
  return [state, period];
};

/** Requests of a page for the payment provider's script and packages. */
function paymentRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/stripe|payment-form|card-fields/.test(request.url())) asked.push(new URL(request.url()).pathname);
  });
  return asked;
}

const events = ['create_payment', 'create_subscription', 'create_subscription_done'];

async function eventsSeen(): Promise<string[]> {
  const rows = await site.db.select({ name: analyticsEvents.name }).from(analyticsEvents);
  return rows.map(({ name }) => name);
}

async function signUp(page: Page, person = newPerson()): Promise<ReturnType<typeof newPerson>> {
  const modal = modalOf(page);
  await modal.getByRole('heading', { name: 'Create your account' }).waitFor();
  await (await fillSignUp(modal, person)).click();
  return person;
}

/** A member's account page, with the payment for a year open. */
async function openPayment(person: Member, layout = desktop, path?: string): Promise<Page> {
  const page = await openAccount(browser, site, person, layout, 'subscription');
  if (path !== undefined) await page.goto(path);
  await button(page.locator('#subscription'), 'Subscribe').click();
  await button(modalOf(page), 'Continue').click();
  await cardField(page, 'number').waitFor();
  return page;
}

const subscribe = (page: Page) => button(modalOf(page), 'Subscribe');
const errorsOf = (page: Page) => modalOf(page).locator('.err').allTextContents();

// Most listen on a phone.
for (const [name, layout] of layouts)
  describe(`on ${name}`, layout === desktop ? slow : {}, () => {
    test('from the front page to unlimited listening: banner, account, payment, welcome', async () => {
      // A former try may have used the card's trial.
      await site.db.delete(trialCards);
      const { page, quiet } = await open('/', layout);
      const asked = paymentRequests(page);
      await page.locator('main').getByRole('link', { name: 'Start free trial' }).click();
      const modal = modalOf(page);
      if (name === 'desktop') await expectSoundModal(page, 'Every voice, every night');
      await modal.getByText('$4.99', { exact: false }).waitFor();
      const [year, month] = [modal.getByRole('radio').first(), modal.getByRole('radio').last()];
      expect(await year.isChecked()).toBe(true);
      await month.check({ force: true });
      await button(modal, 'Continue').click();
      const { username } = await signUp(page);

      await modal.getByText('Monthly plan, $7.99 per month billed monthly.').waitFor();
      await modal.getByText('Test cards only').waitFor();
      await modal.getByText('Today $0.', { exact: true }).waitFor();
      await modal.getByText(/^7 days free, then \$7\.99 on \d+ \w+ \d{4} and each month after that\.$/).waitFor();
      // Requested only now.
      expect(asked.filter((path) => path === '/stripe-sandbox/v3.js')).toHaveLength(1);
      if (name === 'desktop') {
        // By the keyboard alone.
        await expect.poll(() => hasFocus(cardField(page, 'number'))).toBe(true);
        await page.keyboard.type('4242424242424242');
        await page.keyboard.press('Tab');
        await page.keyboard.type('1240');
        await page.keyboard.press('Tab');
        await page.keyboard.type('123');
        await page.keyboard.press('Tab');
        expect(await hasFocus(field(modal, 'Promo code'))).toBe(true);
        await page.keyboard.press('Tab');
        expect(await hasFocus(subscribe(page))).toBe(true);
        await page.keyboard.press('Enter');
      } else {
        await typeCard(page, '378282246310005', '12/40', '1234');
        await subscribe(page).click();
      }
      await modal.getByRole('heading', { name: `Welcome, ${username}` }).waitFor();
      await seeNotice(page, 'Thank you. You now have unlimited access.');
      await button(modal, 'Continue in the browser').click();
      await modal.waitFor({ state: 'detached' });
      await page.goto('/account/subscription');
      await expect.poll(eventsSeen).toEqual(expect.arrayContaining(events));
      const section = page.locator('#subscription');
      await section.getByText('Free trial', { exact: true }).waitFor();
      await section.getByText(/^(Visa ending 4242|American Express ending 0005), 12\/40$/).waitFor();
      expect(await section.getByText('Sotto monthly').count()).toBe(1);
      await quiet();
    });
  });

test('nothing of the payment provider is asked for before a form for a card is shown', slow, async () => {
  const { page } = await open('/');
  const asked = paymentRequests(page);
  for (const path of ['/', '/about', '/gift-card', '/account']) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
  }
  await openLogIn(page);
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([]);
});

test('the payment is sound in both sizes and themes, with its test cards and its errors', slow, async () => {
  const person = await memberOf(site);
  const page = await openPayment(person, desktop);
  await page.getByText('Test cards only').click();
  await typeCard(page, '4000000000000002', '01/20');
  await field(modalOf(page), 'Promo code').fill('NOBODYS');
  await field(modalOf(page), 'Promo code').press('Enter');
  await modalOf(page).getByText('This promo code does not exist.').waitFor();
  await expectSoundModal(page, 'Payment');
});

test('card errors are shown under their field, and cleared by the next change', slow, async () => {
  const person = await memberOf(site);
  const page = await openPayment(person);
  const events = listenToEvents(page);
  const eventNames = async () =>
    (await events.since()).map(({ name }) => name).filter((name) => name.startsWith('create_'));
  await subscribe(page).click();
  await expect.poll(() => errorsOf(page)).toEqual(['Your card number is incomplete.']);
  expect(await eventNames()).toEqual(['create_payment', 'create_payment_error']);
  for (const [number, text, field] of [
    ['4000000000000002', 'Your card was declined.', ''],
    ['4000000000009995', 'Your card has insufficient funds.', ''],
    ['4000000000000069', 'Your card has expired.', ''],
    ['4000000000000127', 'Your card’s security code is incorrect.', 'Security code'],
    ['4000000000000119', 'Your card could not be charged just now. Please try again in a moment.', ''],
  ] as const) {
    await typeCard(page, number);
    await expect.poll(() => errorsOf(page)).toEqual([]);
    await subscribe(page).click();
    await expect.poll(() => errorsOf(page)).toEqual([text]);
    expect(await eventNames()).toEqual(['create_payment', 'create_subscription', 'create_subscription_error']);
    const inField = modalOf(page).locator('.field', { has: page.locator('.err') });
    expect(await inField.locator('label').allTextContents()).toEqual(field === '' ? [] : [field]);
  }
  await typeCard(page, '4242424242424242', '12/20');
  await cardField(page, 'cvc').focus();
  await cardField(page, 'expiry').fill('12/21');
  await cardField(page, 'expiry').blur();
  await expect.poll(() => errorsOf(page)).toEqual(["Your card's expiration year is in the past."]);
  expect(await stateOf(person)).toEqual(['none', null]);
});

test('two presses make one subscription; meanwhile the button says what it does', slow, async () => {
  const person = await memberOf(site);
  const page = await openPayment(person);
  const gate = Promise.withResolvers<void>();
  const orders: unknown[] = [];
  await page.route('**/stripe/create-subscription', async (route) => {
    orders.push(route.request().postDataJSON());
    await gate.promise;
    await route.continue();
  });
  await typeCard(page, '4242424242424242', '11/39');
  await field(modalOf(page), 'Promo code').fill('  ');
  await subscribe(page).click();
  const busy = button(modalOf(page), 'Subscribing…');
  await busy.waitFor();
  expect(await busy.getAttribute('aria-disabled')).toBe('true');
  await busy.click({ force: true });
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await button(modalOf(page), 'Close').click();
  await modalOf(page)
    .getByText('This window stays open until the payment provider has answered.', { exact: false })
    .waitFor();
  expect(await busy.isVisible()).toBe(true);
  gate.resolve();
  await button(modalOf(page), 'Subscribe without a trial').or(page.locator('.tag.tone-ok').first()).first().waitFor();
  // Trimmed, and absent when empty.
  expect(orders).toEqual([
    {
      paymentMethodId: expect.stringMatching(/^pm_/),
      subIsWeb: true,
      period: 'year',
      withoutTrial: false,
      amount: 5988,
      firstCharge: 5988,
      thenAmount: 5988,
    },
  ]);
});

test('Back during a payment asks; it is completed without its window', slow, async () => {
  await site.db.delete(trialCards);
  const person = await memberOf(site);
  const page = await openPayment(person);
  const modal = modalOf(page);
  const gate = Promise.withResolvers<void>();
  await page.route('**/stripe/create-subscription', async (route) => {
    await gate.promise;
    await route.continue();
  });
  await typeCard(page, '4242424242424242');
  await subscribe(page).click();
  await button(modal, 'Subscribing…').waitFor();
  const address = page.url();
  await page.goBack();
  await expect.poll(() => hasFocus(button(modal, 'Keep waiting'))).toBe(true);
  await button(modal, 'Keep waiting').click();
  await button(modal, 'Keep waiting').waitFor({ state: 'detached' });
  await page.goBack();
  await button(modal, 'Leave').click();
  await modal.waitFor({ state: 'detached' });
  expect(page.url()).toBe(address);
  gate.resolve();
  await seeNotice(page, 'Thank you. You now have unlimited access.');
  expect((await stateOf(person))[1]).toBe('year');
});

test('a card with a used trial shows the price, and is charged at once after confirmation', slow, async () => {
  const order = { paymentMethodId: await site.newCard('good'), period: 'month', promoCode: undefined } as const;
  await site.site.membership.createSubscription((await memberOf(site)).id, { ...order, withoutTrial: false });
  const person = await memberOf(site);
  const page = await openPayment(person, mobile);
  await typeCard(page, '4242424242424242');
  await subscribe(page).click();
  await modalOf(page)
    .getByText('This card has had its free trial already. Without one, $59.88 is charged today.')
    .waitFor();
  expect(await stateOf(person)).toEqual(['none', null]);
  // The amount above the button is the charged amount.
  await modalOf(page).getByText('Today $59.88.', { exact: true }).waitFor();
  await button(modalOf(page), 'Subscribe without a trial').click();
  await modalOf(page).waitFor({ state: 'detached' });
  expect(await stateOf(person)).toEqual(['active', 'year']);
  await page.getByRole('heading', { name: 'Invoices' }).waitFor();
});

test(
  'a link with a promo code fills it in, shows what the price becomes, and loses it when the payment is closed',
  slow,
  async () => {
    const person = await memberOf(site);
    const made = { code: 'CANDLE', percentOff: 50, currency: 'usd', duration: 'once' } as const;
    expect(await site.provider.createPromoCode(made)).toBeDefined();
    const page = await openPayment(person, desktop, '/account/subscription?promoCode=%20candle&tab=x');
    const code = field(modalOf(page), 'Promo code');
    expect(await code.inputValue()).toBe('candle');
    await modalOf(page).getByText('50% off the next payment').waitFor();
    await modalOf(page)
      .getByText(/^On \d+ \w+ \d{4} \$29\.94 for the first year\. Then \$59\.88 each year\.$/)
      .waitFor();
    await code.fill('NOPE');
    await modalOf(page).getByText('This promo code does not exist.').waitFor();
    await modalOf(page)
      .getByText(/^7 days free, then \$59\.88 on /)
      .waitFor();
    await code.fill('CANDLE');
    await typeCard(page, '5555555555554444');
    await subscribe(page).click();
    await modalOf(page).waitFor({ state: 'detached' });
    await page.waitForURL((url) => url.search === '?tab=x');
    await page.locator('#subscription').getByText('50% off the next payment').waitFor();
    await page.locator('#subscription').getByText('$29.94 on', { exact: false }).waitFor();
    expect(await stateOf(person)).toEqual(['trialing', 'year']);
  },
);

test(
  'a bank that says no leaves nothing behind; one that says yes is gone on with, also after a reload',
  slow,
  async () => {
    const person = await memberOf(site);
    const page = await openPayment(person);
    await typeCard(page, '4000002500003155');
    await subscribe(page).click();
    await bankOf(page).getByRole('button', { name: 'Fail authentication' }).click();
    await expect
      .poll(() => errorsOf(page))
      .toEqual([
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      ]);
    expect((await site.site.membership.findSubscriptionState(person.id)).isSubscribed).toBe(false);

    // Closed in the middle.
    await subscribe(page).click();
    await bankOf(page).waitFor();
    await page.reload();
    const section = page.locator('#subscription');
    await section.getByText('Your bank has not confirmed your card yet.').waitFor();
    await button(section, 'Continue at your bank').click();
    await bankOf(page).getByRole('button', { name: 'Fail authentication' }).click();
    await section.getByRole('alert').waitFor();
    await button(section, 'Continue at your bank').click();
    await section.getByText('Your bank did not confirm this payment. Please use another card.').waitFor();
    await button(section, 'Use another card').click();
    await button(modalOf(page), 'Continue').click();
    await cardField(page, 'number').waitFor();
    await typeCard(page, '4000002760003184');
    await subscribe(page).click();
    await bankOf(page).waitFor();
    await page.reload();
    await button(section, 'Use another card').click();
    await button(modalOf(page), 'Continue').click();
    await button(modalOf(page), 'Continue at your bank').click();
    await bankOf(page).getByRole('button', { name: 'Complete authentication' }).click();
    await modalOf(page).waitFor({ state: 'detached' });
    await section.getByText('Free trial', { exact: true }).waitFor();
    expect(await stateOf(person)).toEqual(['trialing', 'year']);
  },
);

test('an answer that was lost is asked for again: what was paid is not paid twice', slow, async () => {
  const person = await memberOf(site);
  const page = await openPayment(person);
  await page.route(
    '**/stripe/create-subscription',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await typeCard(page, '4000000000000341');
  await subscribe(page).click();
  await expect.poll(() => errorsOf(page)).toEqual(['No internet connection']);
  await subscribe(page).click();
  await modalOf(page).waitFor({ state: 'detached' });
  const { data } = await site.stripe.subscriptions.list({ limit: 100 });
  expect(data.filter(({ metadata }) => metadata['userId'] === person.id).length).toBeLessThanOrEqual(1);
  expect(await stateOf(person)).toEqual(['trialing', 'year']);
});

test('users who subscribed in another tab meanwhile are told, and continue', slow, async () => {
  const person = await memberOf(site);
  const page = await openPayment(person);
  await subscribed(site, person, { period: 'month' });
  await typeCard(page, '4000000000000259');
  await subscribe(page).click();
  await modalOf(page).getByText('You already have a subscription. Nothing was charged.').waitFor();
  await button(modalOf(page), 'Keep listening').click();
  await modalOf(page).waitFor({ state: 'detached' });
  expect(await stateOf(person)).toEqual(['active', 'month']);
});

test('the chosen period goes along with a log-in and with a new social account', slow, async () => {
  const { page, quiet } = await open('/');
  const modal = modalOf(page);
  const choose = async () => {
    await page.locator('main').getByRole('link', { name: 'Start free trial' }).click();
    await modal.getByRole('radio').nth(1).check({ force: true });
    await button(modal, 'Continue').click();
    await modal.getByRole('heading', { name: 'Create your account' }).waitFor();
  };
  await choose();
  await button(modal, 'Log in').click();
  await fillLogIn(modal, await registered(site));
  await modal.getByText('Monthly plan, $7.99 per month billed monthly.').waitFor();
  await button(modal, 'Close').click();
  await modal.waitFor({ state: 'detached' });
  await logOut(page);

  await choose();
  const popup = page.waitForEvent('popup');
  await button(modal, 'Facebook').click();
  await allowAs(await popup, { id: '4711', email: newPerson().email });
  await modal.getByRole('heading', { name: 'Choose a username' }).waitFor();
  const { username } = newPerson();
  await field(modal, 'Username').fill(username);
  await modal.getByText('Available', { exact: true }).waitFor();
  await agree(modal);
  await button(modal, 'Continue').click();
  await modal.getByText('Monthly plan, $7.99 per month billed monthly.').waitFor();
  await quiet();
});

describe.each(layouts)('on a fresh page on %s', (_, layout) => {
  test.each(['Google', 'Facebook'] as const)(
    'a month chosen before a new %s account is paid next',
    slow,
    async (name) => {
      const { page, quiet } = await open('/', layout);
      const modal = modalOf(page);
      await page.locator('main').getByRole('link', { name: 'Start free trial' }).click();
      await modal.getByRole('radio', { name: /Monthly/ }).check({ force: true });
      await button(modal, 'Continue').click();
      const popup = page.waitForEvent('popup');
      await button(modal, name).click();
      const { email, username } = newPerson();
      await allowAs(await popup, { id: String(Math.floor(Math.random() * 1e15)), email });
      await modal.getByRole('heading', { name: 'Choose a username' }).waitFor();
      await field(modal, 'Username').fill(username);
      await modal.getByText('Available', { exact: true }).waitFor();
      await agree(modal);
      await button(modal, 'Continue').click();
      await modal.getByText('Monthly plan, $7.99 per month billed monthly.').waitFor();
      await quiet();
    },
  );
});

test('by an advertisement: the banner, an account, home, and the payment with the code of the link', slow, async () => {
  const { page, quiet } = await open('/about?utm_source=facebook&promoCode=CANDLE', mobile);
  const modal = modalOf(page);
  await modal.getByRole('heading', { name: 'Every voice, every night' }).waitFor();
  await button(modal, 'Continue').click();
  await signUp(page);
  await modal.getByRole('heading', { name: 'Payment' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  await cardField(page, 'number').waitFor();
  expect(await field(modal, 'Promo code').inputValue()).toBe('CANDLE');
  await quiet();
});
