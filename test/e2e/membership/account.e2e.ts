/** @module-tag slow */
import { formatDay as formatLongDate } from '#formats/times.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Member, expectCleanForAxe, expectSoundModal, field, modalOf, visitorOf } from '../../support/accounts.ts';
import { button, hasFocus, openAccount, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, inBothSizes, mobile, sound, useBrowser } from '../../support/browser/browser.ts';
import { createAudio } from '../../support/factories.ts';
import {
  bankOf,
  cardField,
  memberOf,
  ownTime,
  startPayingSite,
  subscribed,
  typeCard,
} from '../../support/payments/paying-site.ts';
import { tone, wavOf } from '../../support/sound/sounds.ts';

const site = await startPayingSite();
const browser = useBrowser({ images: false });
// Uses up the trial of the test card, so that no later subscription starts with one.
await subscribed(site, await memberOf(site));
const open = (person: Member, layout = desktop) => openAccount(browser, site, person, layout, 'subscription');
const sectionOf = (page: Page) => page.locator('#subscription');
const stateOf = ({ id }: Member) => site.site.membership.findSubscriptionState(id);
const file = wavOf(tone(220), { seconds: 60, rate: 8000 });
const dayMs = 24 * 60 * 60 * 1000;
const formatDay = (at: Date | null) => formatLongDate(at ?? Date.now());

/** Checks the current state in both themes. */
async function expectCleanInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectCleanForAxe(page, 'main');
  await page.emulateMedia({ colorScheme: 'light' });
  await expectCleanForAxe(page, 'main', 'colors');
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0);
}

test('a subscription is canceled with two presses, resumed, and made longer at the price that was shown', async () => {
  const person = await memberOf(site);
  await subscribed(site, person);
  const page = await open(person, mobile);
  const section = sectionOf(page);
  const { renewsAt } = await stateOf(person);
  const until = formatDay(renewsAt);
  await section.getByText(`Unlimited access to all audios. Renews on ${until}.`).waitFor();
  await section.getByText(`$7.99 on ${until}`).waitFor();
  await inBothSizes(page, () => expectCleanInBothThemes(page));

  await button(section, 'Cancel subscription').click();
  await modalOf(page)
    .getByText(
      `You can listen without limits until ${until}. After that you keep your library and your account. You will not be charged again.`,
    )
    .waitFor();
  await button(modalOf(page), 'Cancel subscription').click();
  await section.getByText(`Your subscription ends on ${until}. Nothing is charged again.`).waitFor();
  await modalOf(page).waitFor({ state: 'detached' });
  expect(await stateOf(person)).toMatchObject({ state: 'ending', isSubscribed: true });
  await button(section, 'Resume subscription').click();
  await seeNotice(page, 'Your subscription continues');
  await button(section, 'Switch to annual').click();
  await modalOf(page)
    .getByText(/It is \$59\.88 a year, less \$7\.99 for the time/)
    .waitFor();
  expect(await modalOf(page).locator('output > span').first().textContent()).toMatch(/\$51\.89$/);
  await button(modalOf(page), 'Switch to annual').click();
  await section.getByText('Sotto annual').waitFor();
  await modalOf(page).waitFor({ state: 'detached' });
  expect(await stateOf(person)).toMatchObject({ state: 'active', period: 'year' });
  await page.locator('#invoices').getByText('$51.89').waitFor();

  // Downgraded: at the end of the paid time, not before.
  await button(section, 'Switch to monthly').click();
  await modalOf(page)
    .getByText(/^Your plan changes on .+ From then on it is \$7\.99 a month\.$/)
    .waitFor();
  await button(modalOf(page), 'Switch to monthly').click();
  await section.getByText(/^Annual, monthly from /).waitFor();
  await button(section, 'Keep annual').click();
  await button(section, 'Switch to monthly').waitFor();
  expect((await stateOf(person)).nextPeriod).toBeNull();
});

test('each window of the account is sound in both sizes and themes', async () => {
  const person = await memberOf(site);
  await subscribed(site, person);
  const page = await open(person);
  for (const [press, title] of [
    ['Cancel subscription', 'Cancel your subscription?'],
    ['Update payment method', 'Use another card'],
    ['Switch to annual', 'Switch to annual?'],
    ['Add promo code', 'Add a promo code'],
  ] as const) {
    await button(sectionOf(page), press).click();
    if (press === 'Update payment method') await cardField(page, 'number').waitFor();
    await expectSoundModal(page, title);
    await page.keyboard.press('Escape');
    await modalOf(page).waitFor({ state: 'detached' });
    expect([press, await hasFocus(button(sectionOf(page), press))]).toEqual([press, true]);
  }
});

test('another card is taken, with the bank’s step where it asks; a promo code counts from the next payment on', async () => {
  const person = await memberOf(site);
  await subscribed(site, person);
  await site.provider.createPromoCode({ code: 'EMBER', amountOff: 200, currency: 'usd', duration: 'forever' });
  const page = await open(person, mobile);
  const section = sectionOf(page);
  await button(section, 'Update payment method').click();
  await cardField(page, 'number').waitFor();
  await typeCard(modalOf(page), '4000000000000002');
  await button(modalOf(page), 'Save card').click();
  await modalOf(page).getByText('Your card was declined.').waitFor();
  await typeCard(modalOf(page), '4000002500003155');
  await button(modalOf(page), 'Save card').click();
  await bankOf(page).getByRole('button', { name: 'Complete authentication' }).click();
  await section.getByText('Visa ending 3155, 12/40').waitFor();
  await modalOf(page).waitFor({ state: 'detached' });

  await button(section, 'Add promo code').click();
  const code = field(modalOf(page), 'Promo code');
  await code.fill('NOBODYS');
  await code.press('Enter');
  await modalOf(page).getByText('This promo code does not exist.').waitFor();
  await code.fill(' ember ');
  await button(modalOf(page), 'Add').click();
  await section.getByText('$2.00 off every payment').waitFor();
  await section.getByText(/^\$5\.99 on /).waitFor();

  // A canceled subscription announces no discount on a charge, and only the newest notice is shown.
  await button(section, 'Cancel subscription').click();
  await button(modalOf(page), 'Cancel subscription').click();
  await section.getByText('$2.00 off every payment if you resume').waitFor();
  await modalOf(page).waitFor({ state: 'detached' });
  expect(await section.getByText(/^\$5\.99 on /).count()).toBe(0);
  await button(section, 'Resume subscription').click();
  await section.getByText('$2.00 off every payment', { exact: true }).waitFor();
  await section.getByText(/^\$5\.99 on /).waitFor();
  await section.getByText(/^If you cancel, you keep access until /).waitFor();
  await seeNotice(page, 'Your subscription continues');
  expect(await page.locator('.toast').allInnerTexts()).toEqual(['Your subscription continues']);
});

test('after a year, a failed payment is shown on every page and fixed with another card; invoices can be printed', async () => {
  const person = await memberOf(site);
  const moveOn = await ownTime(site, person, new Date(Date.now() - 31 * dayMs));
  await subscribed(site, person, { card: 'good' });
  const page = await open(person);
  await button(sectionOf(page), 'Update payment method').click();
  await cardField(page, 'number').waitFor();
  await typeCard(modalOf(page), '4000000000000341');
  await button(modalOf(page), 'Save card').click();
  await sectionOf(page).getByText('Visa ending 0341, 12/40').waitFor();

  // The next month is charged, and the charge fails.
  await moveOn(31.2);
  await page.goto('/about');
  const bar = page.getByRole('complementary', { name: 'Payment' });
  await bar.getByText(/^Your last payment did not go through\. You can listen until /).waitFor();
  expect((await stateOf(person)).isSubscribed).toBe(true);
  await page.setViewportSize(mobile.viewport);
  await expectCleanForAxe(page);
  await page.setViewportSize(desktop.viewport);
  await bar.getByRole('link', { name: 'Update payment method' }).click();
  const section = sectionOf(page);
  await section.getByText('Payment failed', { exact: true }).waitFor();
  await section.getByText(/^Your last payment of \$7\.99 did not go through\. /).waitFor();
  await expectCleanInBothThemes(page);
  await button(section, 'Pay again').click();
  await section.getByText('Your card was declined.').waitFor();
  await button(section, 'Use another card').click();
  await cardField(page, 'number').waitFor();
  await typeCard(modalOf(page), '5555555555554444');
  await button(modalOf(page), 'Save card').click();
  await section.getByText('Active', { exact: true }).waitFor();
  await bar.waitFor({ state: 'detached' });
  expect(await section.getByText('Your card was declined.').count()).toBe(0);

  await moveOn(365);
  await page.goto('/account/subscription');
  await page.getByRole('heading', { name: 'Subscription', level: 1 }).waitFor();
  await page.locator('#invoices').getByRole('link', { name: 'All invoices' }).click();
  await page.getByRole('heading', { name: 'Invoices', level: 1 }).waitFor();
  await expect.poll(() => page.locator('main .details__row').count()).toBeGreaterThanOrEqual(12);
  await expectCleanInBothThemes(page);
  await page
    .getByRole('link', { name: /^View invoice of/ })
    .first()
    .click();
  await page.getByRole('heading', { name: /^Invoice / }).waitFor();
  await page.getByText(person.email).waitFor();
  await expectCleanInBothThemes(page);
  await page.emulateMedia({ media: 'print' });
  for (const hidden of [
    page.getByRole('banner'),
    button(page, 'Print'),
    page.locator('.player'),
    page.getByRole('contentinfo'),
  ])
    expect(await hidden.isVisible()).toBe(false);
  expect(await page.getByText('$7.99').first().isVisible()).toBe(true);
});

test('a locked audio leads to the unpaid payment once the days of grace are over, and starts when it is made good', async () => {
  const person = await memberOf(site);
  const moveOn = await ownTime(site, person, new Date(Date.now() - 40 * dayMs));
  await subscribed(site, person);
  const page = await open(person, mobile);
  await button(sectionOf(page), 'Update payment method').click();
  await cardField(page, 'number').waitFor();
  await typeCard(modalOf(page), '4000000000000341');
  await button(modalOf(page), 'Save card').click();
  await sectionOf(page).getByText('Visa ending 0341, 12/40').waitFor();
  await moveOn(32);
  const fileMime = 'audio/wav';
  const { id, slug, fileKey } = await createAudio(site.db, {
    publishedAt: new Date(),
    fileMime,
    fileBytes: file.length,
  });
  await site.blobs.write(fileKey, file);
  await page.goto(`/audio/${slug}`);
  await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
  await expectSoundModal(page, 'Your last payment did not go through');
  await modalOf(page).getByRole('link', { name: 'Update payment method' }).click();
  await sectionOf(page)
    .getByText('Your last payment of $7.99 did not go through. You can listen again once a payment succeeds.')
    .waitFor();
  await modalOf(page).waitFor({ state: 'detached' });
  await button(sectionOf(page), 'Use another card').click();
  await cardField(page, 'number').waitFor();
  await typeCard(modalOf(page), '5555555555554444');
  await button(modalOf(page), 'Save card').click();
  await sectionOf(page).getByText('Active', { exact: true }).waitFor();
  await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(0.2);
  expect((await sound(page)).src).toContain(id);
});

test('an invoice of somebody else is not there', async () => {
  const [owner, other] = [await memberOf(site), await memberOf(site)];
  await subscribed(site, owner);
  const { items } = await site.site.membership.listInvoices(owner.id, { limit: 1 });
  const page = await open(other);
  const answer = await page.goto(`/account/invoices/${items[0]?.id}`);
  expect(answer?.status()).toBe(404);
});

test('without script the state is readable, and a note names the missing actions', async () => {
  const person = await memberOf(site);
  await subscribed(site, person);
  const page = await open(person);
  const { cookies } = await page.context().storageState();
  const { page: plain } = await browser.open('/account/subscription', {
    ...visitorOf(site, desktop),
    javaScriptEnabled: false,
    storageState: { cookies, origins: [] },
  });
  await plain.getByText('Sotto monthly').waitFor();
  expect(await plain.locator('#subscription').innerText()).toContain('Changing or canceling it needs JavaScript.');
  expect(await plain.locator('#subscription').getByRole('button').count()).toBe(0);
  await plain.goto(`${site.url}/gift-card`);
  expect(await plain.locator('main').innerText()).toContain('Buying one needs JavaScript.');
});
