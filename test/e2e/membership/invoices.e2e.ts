/** @module-tag slow */
import { asc, eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { createCard } from 'stripe-sandbox/testing';
import { expect, test } from 'vitest';
import { operator } from '#domain/kernel/actor.ts';
import { issueDocuments } from '#domain/membership/tax/documents.ts';
import { withPresets } from '#domain/membership/tax/presets.ts';
import { taxSetting } from '#domain/membership/tax/settings.ts';
import { taxDocuments } from '#domain/membership/tax/tables.ts';
import { giftCards, memberships } from '#domain/membership/tables.ts';
import { changeSetting, findSetting } from '#domain/settings/change-setting.ts';
import { languageSetting } from '#domain/settings/languages.ts';
import { newId } from '#domain/kernel/ids.ts';
import { expectCleanInBothLooks, field, visitorOf } from '../../support/accounts.ts';
import { button } from '../../support/browser/account-page.ts';
import { desktop, mobile, overflowOf, useBrowser } from '../../support/browser/browser.ts';
import { memberState } from '../../support/payments/member-state.ts';
import { memberOf, startPayingSite } from '../../support/payments/paying-site.ts';

const site = await startPayingSite();
const { db } = site;
const browser = useBrowser({ images: false });

const { value, revision } = await findSetting(db, taxSetting);
const seller = {
  name: 'Sotto Audio GmbH',
  address: 'Lindenstraße 14\n10969 Berlin',
  country: 'DE',
  vatId: 'DE123456789',
};
const table = { mode: 'table' as const, rates: withPresets([]), oneStopShop: true, numberPrefix: 'SO' };
await db.transaction((tx) =>
  changeSetting(tx, taxSetting, { actor: operator, value: { ...value, ...table, seller }, revision }),
);
const languages = await findSetting(db, languageSetting);
const offered = { ...languages.value, de: true, ar: true };
await changeSetting(db, languageSetting, { actor: operator, value: offered, revision: languages.revision });

const listener = await memberOf(site);
await db.insert(memberships).values({ userId: listener.id, trialUsedAt: new Date() });
await site.provider.createPromoCode({ code: 'NIGHT20', percentOff: 20, duration: 'once', currency: 'usd' });
const { id: paymentMethodId } = await createCard(site.stripe, '4000002500000003');
await site.site.membership.createSubscription(listener.id, {
  paymentMethodId,
  period: 'year',
  promoCode: 'NIGHT20',
  withoutTrial: true,
});
await site.sandbox.settled();
const [invoice] = await db.select().from(taxDocuments).where(eq(taxDocuments.userId, listener.id));

const giftCard = newId();
await db.insert(giftCards).values({
  id: giftCard,
  months: 6,
  amount: 3999,
  currency: 'usd',
  buyerEmail: 'ada@example.org',
  deliverAt: new Date(),
  paymentId: 'pi_none',
  paidAt: new Date(),
  awaitsSaleDocument: true,
});
await issueDocuments(db);

async function openAs(path: string, layout = desktop): Promise<Page> {
  const { page } = await browser.open(path, {
    ...visitorOf(site, layout),
    storageState: await memberState(site, listener.id),
  });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

test('an invoice is read, printed and saved, in any language', async () => {
  const page = await openAs(`/account/invoices/${invoice?.invoiceId}`);
  await page.getByRole('heading', { name: `Invoice ${invoice?.number}` }).waitFor();
  for (const text of ['VAT France, 20%', 'VAT ID DE123456789', listener.email, 'through Stripe'])
    await page.getByText(text, { exact: true }).waitFor();
  await page.getByText('is declared through the one-stop shop').waitFor();
  await expectCleanInBothLooks(page);
  await page.emulateMedia({ media: 'print' });
  expect(await button(page, 'Print').isVisible()).toBe(false);
  expect(await page.getByRole('banner').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
  const saved = page.waitForEvent('download');
  await button(page, 'Download PDF').press('Enter');
  expect((await saved).suggestedFilename()).toBe(`invoice-${invoice?.number}.pdf`);
  for (const language of ['de', 'ar']) {
    await page.context().addCookies([{ name: 'sotto_language', value: language, url: site.url }]);
    await page.reload();
    await page.locator(`html[lang=${language}]`).waitFor();
    await page.getByRole('heading', { level: 1 }).filter({ hasText: invoice?.number }).waitFor();
    expect(await overflowOf(page)).toBe(0);
    await expectCleanInBothLooks(page);
  }
  await page.locator('html[dir=rtl]').waitFor();
});

test('a credit note is found on its invoice', async () => {
  const intents = await site.stripe.paymentIntents.list({ limit: 1 });
  await site.stripe.refunds.create({ payment_intent: intents.data[0]?.id ?? '', amount: 1000 });
  await site.sandbox.settled();
  const documents = await db
    .select()
    .from(taxDocuments)
    .where(eq(taxDocuments.userId, listener.id))
    .orderBy(asc(taxDocuments.issuedAt));
  const note = documents.find(({ kind }) => kind === 'credit-note');
  const page = await openAs(`/account/invoices/${invoice?.invoiceId}`, mobile);
  await page.getByRole('link', { name: `Credit note ${note?.number}` }).press('Enter');
  await page.getByRole('heading', { name: `Credit note ${note?.number}` }).waitFor();
  await page.getByText(invoice?.number ?? '', { exact: true }).waitFor();
  await expectCleanInBothLooks(page);
});

test('a VAT ID is typed with keys, and a wrong one says so', async () => {
  const page = await openAs('/account/invoices', mobile);
  const typed = field(page, 'VAT ID');
  await typed.fill('FR123');
  await typed.press('Enter');
  await page.getByText('Enter a VAT ID with its country').waitFor();
  expect(await typed.getAttribute('aria-invalid')).toBe('true');
  await expectCleanInBothLooks(page);
  await typed.fill('fr 12 345678901');
  await typed.press('Enter');
  await page.getByText('Saved', { exact: true }).first().waitFor();
  await page.reload();
  expect(await typed.inputValue()).toBe('FR12345678901');
});

test('the invoice of a gift card needs neither an account nor scripts', async () => {
  const { page } = await browser.open(`/gift-card/${giftCard}`, {
    ...visitorOf(site, mobile),
    javaScriptEnabled: false,
  });
  await page.getByRole('link', { name: 'Invoice' }).click();
  await page.getByRole('heading', { name: /^Invoice SO-/ }).waitFor();
  await page.getByText('Gift card, 6 months').waitFor();
  await page.getByText('This gift card is a multi-purpose voucher').waitFor();
  expect(await page.content()).not.toContain('ada@example.org');
  expect(await overflowOf(page)).toBe(0);
  const { page: scripted } = await browser.open(`/gift-card/${giftCard}?invoice`, visitorOf(site, mobile));
  await expectCleanInBothLooks(scripted);
});
