/** @module-tag slow */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectCleanForAxe, field, modalOf, newPerson, registered, visitorOf } from '../../support/accounts.ts';
import { button, openAccount, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, mobile, useBrowser } from '../../support/browser/browser.ts';
import { cardField, memberOf, startPayingSite, subscribed, typeCard } from '../../support/payments/paying-site.ts';

const site = await startPayingSite();
const browser = useBrowser({ images: false });
const open = (path: string, layout = desktop) => browser.open(path, visitorOf(site, layout));

async function expectCleanInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectCleanForAxe(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectCleanForAxe(page, 'body', 'colors');
}

/** Sends due mails. @returns the code in the mail to that address */
async function codeMailedTo(address: string): Promise<string> {
  await site.site.membership.sendDueMails();
  const mail = site.identity.mails.findLast(({ to, text }) => to === address && text.includes('Your code is'));
  const [, code = ''] = /Your code is (\S+)\./.exec(mail?.text ?? '') ?? [];
  expect(code).not.toBe('');
  return code;
}

test('a gift is bought without an account, mailed with its words, and redeemed once', async () => {
  const { page } = await open('/gift-card', mobile);
  const friend = newPerson().email;
  const form = page.getByRole('form', { name: 'Give a gift card' });
  await form.waitFor();
  await expectCleanInBothThemes(page);
  const next = button(form, 'Continue to payment');
  expect(await next.isDisabled()).toBe(true);
  await field(form, 'Their email').fill('nobody');
  await field(form, 'From').fill('Ada');
  await form.getByText('Enter a valid email address').waitFor();
  await field(form, 'Their email').fill(friend);
  await field(form, 'Message').fill('Sleep well.\nAda');
  await form.getByText('15 / 500').waitFor();
  await field(form, 'Your email').fill('ada@example.org');
  await form.getByText('6 months', { exact: true }).click();
  // A visit to another page loses nothing.
  await page.getByRole('link', { name: 'Redeem a gift card' }).click();
  await page.getByRole('heading', { name: 'Redeem a gift card' }).waitFor();
  await page.goBack();
  expect(await field(form, 'Their email').inputValue()).toBe(friend);
  await next.click();

  await cardField(page, 'number').waitFor();
  await expectCleanInBothThemes(page);
  await page.getByText(`6 months for ${friend}, emailed at once.`).waitFor();
  await typeCard(page, '4000000000009995');
  await button(page, 'Pay $39.99').click();
  await page.getByText('Your card has insufficient funds.').waitFor();
  await typeCard(page, '4242424242424242');
  await button(page, 'Pay $39.99').click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  await page.getByText('Your gift of 6 months of unlimited listening is on its way.').waitFor();
  expect(await page.getByText(friend).count()).toBe(0);
  await expectCleanInBothThemes(page);
  await page.goto('/gift-card');
  await form.waitFor();
  expect(await field(form, 'Their email').inputValue()).toBe('');

  const code = await codeMailedTo(friend);
  await page.goto('/gift-card/redeem');
  await field(page, 'Code').fill(` ${code.toLowerCase()} `);
  await expectCleanInBothThemes(page);
  await button(page.locator('main'), 'Redeem').click();
  const modal = modalOf(page);
  await modal.getByRole('heading', { name: 'Sign in to redeem your gift' }).waitFor();
  await button(modal, 'Log in').click();
  const person = await registered(site);
  await field(modal, 'Email').fill(person.email);
  await field(modal, 'Password').fill(person.password);
  await modal.locator('button[type=submit]').click();
  await page.getByText(/^6 months are yours\. You can listen without limits until /).waitFor();
  expect(await site.site.membership.findSubscriptionState(person.id)).toMatchObject({ isSubscribed: true });
  await page.goto('/account/subscription');
  await page.locator('#subscription').getByText('Gift', { exact: true }).waitFor();
  await page.goto('/gift-card/redeem');
  await field(page, 'Code').fill(code);
  await field(page, 'Code').press('Enter');
  await page.getByText('This gift card was already redeemed.').waitFor();
});

test('a gift for a later day is seen in the account and given back; with a subscription it moves the next payment', async () => {
  const [giver, friend] = [await memberOf(site), await memberOf(site)];
  await subscribed(site, friend);
  const page = await openAccount(browser, site, giver);
  const buy = async (deliverOn: string) => {
    await page.goto('/gift-card');
    const form = page.getByRole('form', { name: 'Give a gift card' });
    await field(form, 'Their email').fill(friend.email);
    await form.getByText('1 month', { exact: true }).click();
    await form.getByLabel('Deliver on').fill(deliverOn);
    expect(await field(form, 'Your email').count()).toBe(0);
    await button(form, 'Continue to payment').click();
    await cardField(page, 'number').waitFor();
    await typeCard(page, '4242424242424242');
    await button(page, 'Pay $7.99').click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  };
  const later = new Date(Date.now() + 20 * 24 * 60 * 60 * 1000);
  await buy(later.toISOString().slice(0, 10));
  await page.getByText(`is emailed to ${friend.email} on`, { exact: false }).waitFor();
  await page.goto('/account/gift-cards');
  const cards = page.locator('#gift-cards');
  await cards.getByText('Paid', { exact: true }).waitFor();
  await cards.getByRole('button', { name: /^Refund/ }).click();
  await modalOf(page).getByText('$7.99 is refunded to your card, and the code stops working.').waitFor();
  await expectCleanForAxe(page, '.modal');
  await button(modalOf(page), 'Refund').click();
  await seeNotice(page, 'Your refund is on its way');
  await cards.getByText('Refunded', { exact: true }).waitFor();
  const { data } = await site.stripe.refunds.list({ limit: 1 });
  expect(data[0]?.amount).toBe(799);

  await buy('');
  const code = await codeMailedTo(friend.email);
  const before = (await site.site.membership.findSubscriptionState(friend.id)).renewsAt;
  const own = await openAccount(browser, site, friend, desktop, 'gift-cards');
  await own.locator('#gift-cards').getByRole('link', { name: 'Redeem a gift card' }).click();
  await field(own, 'Code').fill(code);
  await button(own.locator('main'), 'Redeem').click();
  await own.getByText(/^1 month is yours\. Nothing is charged before /).waitFor();
  const { renewsAt, freeBy } = await site.site.membership.findSubscriptionState(friend.id);
  expect((renewsAt?.getTime() ?? 0) - (before?.getTime() ?? 0)).toBeGreaterThan(27 * 24 * 60 * 60 * 1000);
  expect(freeBy).toBe('gift');
});

test('a gift card that nobody bought is not there', async () => {
  const { page } = await open('/about');
  const answer = await page.goto('/gift-card/019aa000-0000-7000-8000-000000000000');
  expect(answer?.status()).toBe(404);
});
