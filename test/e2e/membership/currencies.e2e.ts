/** @module-tag slow */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { operator } from '#domain/kernel/actor.ts';
import { MembershipSettings, membershipSetting } from '#domain/membership/settings.ts';
import { changeSetting } from '#domain/settings/change-setting.ts';
import { expectCleanInBothLooks, field, modalOf, visitorOf, type Member } from '../../support/accounts.ts';
import { button, openAccount, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, mobile, overflowOf, useBrowser } from '../../support/browser/browser.ts';
import { cardField, memberOf, startPayingSite, typeCard } from '../../support/payments/paying-site.ts';

/** The currency is that of the country, can be changed before the first payment, and stays. */

const site = await startPayingSite({ REGION_HEADER: 'CF-IPCountry', TRUST_PROXY: '1' });
const pricesOf = (month: number, countries: string[]) => ({
  countries,
  plans: { month, year: month * 10 },
  giftCards: { 1: month, 3: month * 3, 6: month * 5, 12: month * 10 },
});
await changeSetting(site.db, membershipSetting, {
  actor: operator,
  value: MembershipSettings.parse({ currencies: { eur: pricesOf(849, ['FR']), jpy: pricesOf(1180, ['JP']) } }),
  revision: 0,
});
await site.site.membership.checkPlans();
await site.provider.createPromoCode({ code: 'YEN', amountOff: 300, currency: 'jpy', duration: 'once' });

const browser = useBrowser({ images: false });
const from = (country: string, layout: BrowserContextOptions = mobile) => ({
  ...layout,
  extraHTTPHeaders: { 'cf-ipcountry': country },
});
const currencyOf = (within: Locator) => within.getByRole('combobox', { name: 'Currency' });

async function openPlans(person: Member, country: string, layout: BrowserContextOptions = mobile): Promise<Page> {
  const page = await openAccount(browser, site, person, from(country, layout), 'subscription');
  await button(page.locator('#subscription'), 'Subscribe').click();
  return page;
}

test('a listener in France sees euros, chooses yen, pays in yen, and keeps them', async () => {
  const person = await memberOf(site);
  const page = await openPlans(person, 'FR');
  const modal = modalOf(page);
  const currency = currencyOf(modal);
  await currency.waitFor();
  expect(await currency.inputValue()).toBe('eur');
  await modal.getByText('Chosen for France. It stays for this subscription.').waitFor();
  await modal.getByText('€84.90', { exact: false }).first().waitFor();
  await expectCleanInBothLooks(page);
  expect(await overflowOf(page)).toBe(0);
  expect(await currency.locator('option').allTextContents()).toEqual([
    'USD, US Dollar',
    'EUR, Euro',
    'JPY, Japanese Yen',
  ]);
  // By the keyboard.
  await currency.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => currency.inputValue()).toBe('jpy');
  await modal.getByText('¥11,800', { exact: false }).first().waitFor();
  // The price to pay is asked for, and follows.
  await expect.poll(() => modal.getByText('€').count()).toBe(0);
  expect(await modal.getByText('Chosen for').count()).toBe(0);

  // The tab remembers it, also after a reload.
  await page.reload();
  await button(page.locator('#subscription'), 'Subscribe').click();
  await expect.poll(() => currency.inputValue()).toBe('jpy');
  await modal.getByRole('radio', { name: 'Monthly' }).check({ force: true });
  await button(modal, 'Continue').click();
  await cardField(page, 'number').waitFor();
  await modal.getByText('Monthly plan, ¥1,180 per month billed monthly.').waitFor();
  await field(modal, 'Promo code').fill('YEN');
  await field(modal, 'Promo code').press('Enter');
  await modal.getByText('¥880', { exact: false }).first().waitFor();
  await typeCard(page, '4242424242424242');
  await button(modal, 'Subscribe').click();
  await seeNotice(page, 'Thank you. You now have unlimited access.');
  await site.sandbox.settled();

  // In any country; and the other period is in yen.
  await page.goto('/account/subscription');
  const section = page.locator('#subscription');
  await section.getByText('¥1,180', { exact: false }).first().waitFor();
  await section.getByRole('button', { name: /^Switch to annual/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('¥11,800', { exact: false }).first().waitFor();
  expect(await currencyOf(dialog).count()).toBe(0);
  expect(await overflowOf(page)).toBe(0);

  // Without JavaScript, too.
  const { cookies } = await page.context().storageState();
  const { page: plain } = await browser.open('/account/subscription', {
    ...visitorOf(site, from('FR')),
    javaScriptEnabled: false,
    storageState: { cookies, origins: [] },
  });
  await plain.locator('#subscription').getByText('¥1,180', { exact: false }).first().waitFor();
  expect(await plain.getByText('€').count()).toBe(0);
});

test('a code without an amount in the currency is refused there with its reason, and counts in another', async () => {
  const page = await openPlans(await memberOf(site), 'JP', desktop);
  const modal = modalOf(page);
  await currencyOf(modal).selectOption('usd');
  await button(modal, 'Continue').click();
  await field(modal, 'Promo code').fill('YEN');
  await field(modal, 'Promo code').press('Enter');
  await modal.getByText('This promo code can’t be used in this currency.').waitFor();
});

test('gift cards are priced in the currency of the country, and in any other that is chosen', async () => {
  const { page, quiet } = await browser.open('/gift-card', visitorOf(site, from('JP')));
  const main = page.locator('main');
  await expect.poll(() => currencyOf(main).inputValue()).toBe('jpy');
  await main.getByText('¥3,540').first().waitFor();
  expect(await overflowOf(page)).toBe(0);
  await currencyOf(main).selectOption('eur');
  await main.getByText('€25.47').first().waitFor();
  await quiet();
});
