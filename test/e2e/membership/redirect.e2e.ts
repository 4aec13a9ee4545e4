/** @module-tag slow */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectCleanInBothLooks, fillLogIn, modalOf, visitorOf } from '../../support/accounts.ts';
import { mobile, overflowOf, useBrowser } from '../../support/browser/browser.ts';
import { startDemoSite } from '../../support/demo-site.ts';

/** Payment on the page of a provider that a stand-in plays: its addresses, signatures and postbacks are the provider's. */

const site = await startDemoSite({ PAYMENT_STAND_INS: 'verotel', PAYMENT_STATEMENT: 'VTSUP*SOTTO' });
const browser = useBrowser({ images: false });

/** From a locked audio to the provider's page. */
async function order(page: Page, period: 'Annual' | 'Monthly' = 'Annual'): Promise<void> {
  await page
    .getByRole('button', { name: /^Subscribe/ })
    .first()
    .click();
  await modalOf(page).getByText(period, { exact: true }).click();
  await modalOf(page).getByRole('button', { name: 'Continue' }).click();
  await modalOf(page).getByText('Your statement shows VTSUP*SOTTO.').waitFor();
  expect(await overflowOf(page)).toBe(0);
  await modalOf(page).getByRole('button', { name: 'Continue to Verotel' }).click();
  await page.getByRole('heading', { name: 'Payment' }).waitFor();
}

async function loggedIn(email: string, layout = mobile): Promise<Page> {
  const { page } = await browser.open('/account/subscription', visitorOf(site, layout));
  await page.getByRole('button', { name: 'Log in' }).first().click();
  await fillLogIn(modalOf(page), { email, password: email.split('@')[0] ?? '' });
  await page.getByRole('heading', { name: 'Subscription', exact: true }).first().waitFor();
  return page;
}

test('an order is paid on the provider’s page, and what waited goes on', async () => {
  const page = await loggedIn('listener@sotto.example');
  await order(page);
  // Declined there: nothing is charged, and the same can be tried again.
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('heading', { name: 'The payment did not go through' }).waitFor();
  await expectCleanInBothLooks(page);
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await order(page, 'Monthly');
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByRole('heading', { name: 'You are subscribed' }).waitFor();
  await page.getByText('Verotel, Visa ending').waitFor();
  await expectCleanInBothLooks(page);
  expect(await overflowOf(page)).toBe(0);
  await page.reload();
  await page.getByRole('heading', { name: 'You are subscribed' }).waitFor();
  await page.goto(`${site.url}/account/subscription`);
  await page.getByText('Verotel sells in its own name, so receipts come from Verotel.').waitFor();
  await expectCleanInBothLooks(page);
  for (const absent of ['Switch to annual', 'Add promo code', 'Update payment method', 'Cancel subscription'])
    expect(await page.getByRole('button', { name: absent }).count()).toBe(0);
  await page.getByRole('button', { name: 'Cancel at Verotel' }).click();
  await page.getByRole('button', { name: /Cancel/ }).click();
  await page.goto(`${site.url}/account/subscription`);
  await page.getByText('Nothing is charged again.', { exact: false }).waitFor();
});
