/** @module-tag slow */
import { expect, test } from 'vitest';
import { fillSignUp, modalOf, newPerson } from '../../support/accounts.ts';
import { button } from '../../support/browser/account-page.ts';
import { mobile, sound, useBrowser } from '../../support/browser/browser.ts';
import { cardField, typeCard } from '../../support/payments/paying-site.ts';

const browser = useBrowser({ images: false });
const title = 'A Long Rain on the Conservatory Roof, with Marvell’s Garden Read Very Quietly Underneath';

test('a locked audio starts automatically after prompt, banner, account, payment and welcome', async () => {
  const { page, quiet } = await browser.open('/audio/a-long-rain', mobile);
  await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
  const modal = modalOf(page);
  await modal.getByRole('heading', { name: `“${title}” is for subscribers` }).waitFor();
  await modal.getByText('Start a 7-day free trial, or log in.', { exact: true }).waitFor();
  await button(modal, 'Start free trial').click();
  await modal.getByText(`Hear “${title}”, with unlimited access to all audios. Cancel anytime.`).waitFor();
  await modal.getByText(/^7 days free, then \$59\.88 on \d+ \w+ \d{4} and each year after that\.$/).waitFor();
  expect((await sound(page)).paused).toBe(true);
  await button(modal, 'Continue').click();
  await (await fillSignUp(modal, newPerson())).click();
  await cardField(page, 'number').waitFor();
  await typeCard(modal, '4242424242424242');
  await button(modal, 'Subscribe').click();
  await button(modal, 'Continue in the browser').click();
  await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(0.2);
  expect(await modal.count()).toBe(0);
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Pause' }).first().waitFor();
  await quiet();
});
