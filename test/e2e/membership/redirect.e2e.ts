/** @module-tag slow */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectCleanInBothLooks, fillLogIn, modalOf, visitorOf } from '../../support/accounts.ts';
import { mobile, overflowOf, useBrowser } from '../../support/browser/browser.ts';
import { startDemoSite } from '../../support/demo-site.ts';

/** Payment on the page of a provider that a stand-in plays: its addresses, signatures and postbacks are the provider's. */

const site = await startDemoSite({ PAYMENT_STAND_INS: 'verotel', PAYMENT_STATEMENT: 'VTSUP*SOTTO' });
const browser = useBrowser({ images: false });

/** From a press on this page to the provider's. */
async function order(page: Page, press: string | RegExp, period: 'Annual' | 'Monthly' = 'Annual'): Promise<void> {
  await page.locator('main').getByRole('button', { name: press }).first().click();
  await page.getByRole('radio', { name: period }).check({ force: true });
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
  await page.getByText('You can hear the preview and every free audio.').waitFor();
  await modalOf(page).waitFor({ state: 'detached' });
  return page;
}

test('an order is paid on the provider’s page, and what waited goes on', async () => {
  const page = await loggedIn('listener@sotto.example');
  await order(page, /^Subscribe/);
  // Declined there: nothing is charged, and the same can be tried again.
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('heading', { name: 'The payment did not go through' }).waitFor();
  await expectCleanInBothLooks(page);
  await order(page, 'Try again', 'Monthly');
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
  await page.waitForURL(/cancel-subscription/);
  await page.getByRole('button', { name: /Cancel/ }).click();
  await page.waitForURL((url) => !url.pathname.includes('cancel-subscription'));
  await page.goto(`${site.url}/account/subscription`);
  await page.getByText('Nothing is charged again.', { exact: false }).waitFor();
});
