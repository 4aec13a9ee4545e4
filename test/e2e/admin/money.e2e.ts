/** @module-tag slow */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { addToMonth } from '#domain/admin/rules.ts';
import { siteDays } from '#domain/admin/tables.ts';
import { operator as commandLine } from '#domain/kernel/actor.ts';
import { membershipSetting } from '#domain/membership/settings.ts';
import { changeSetting, findSetting } from '#domain/settings/change-setting.ts';
import { setAdmin } from '#domain/identity/operators.ts';
import { sessions } from '#domain/identity/tables.ts';
import { memberships, paymentEvents } from '#domain/membership/tables.ts';
import { button } from '../../support/browser/account-page.ts';
import { expectCleanForAxe, field, registered, visitorOf } from '../../support/accounts.ts';
import { desktop, hydrated, mobile, useBrowser } from '../../support/browser/browser.ts';
import { createAudio, createVoice } from '../../support/factories.ts';
import { memberState } from '../../support/payments/member-state.ts';
import { startPayingSite } from '../../support/payments/paying-site.ts';

const site = await startPayingSite({ ADMIN_SECOND_FACTOR: 'optional' });
const { db } = site;
const browser = useBrowser({ images: false });

const operator = await registered(site);
await setAdmin(db, operator.id, true);
const buyer = await registered(site);
/** Over for weeks, so that it can be locked on any day. */
const month = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 2, 1))
  .toISOString()
  .slice(0, 7);

// A subscriber who paid, and a gift card.
await db.insert(memberships).values({ userId: buyer.id, trialUsedAt: new Date() });
const card = { paymentMethodId: await site.newCard('good') };
await site.site.membership.createSubscription(buyer.id, {
  ...card,
  period: 'year',
  promoCode: undefined,
  withoutTrial: true,
});
await db.execute(sql`
  insert into gift_cards (id, months, amount, currency, buyer_email, recipient_email, deliver_at, payment_id, paid_at, sent_at, code_ending)
  values (gen_random_uuid(), 3, 2199, 'usd', 'giver@example.org', 'friend@example.org', now(), ${await paidPayment()}, now(), now(), 'W7XK')`);
for (const [name, seconds] of [
  ['Jun Takeda', 20_000],
  ['Maren Holt', 10_001],
] as const) {
  const audio = await createAudio(db, { voiceId: (await createVoice(db, { name })).id });
  await db.execute(sql`
    insert into listened_seconds (day, audio_id, voice_id, milliseconds, reports)
    values (${`${month}-07T00:00:00Z`}, ${audio.id}, ${audio.voiceId}, ${seconds * 1000}, 1)`);
}
await site.sandbox.settled();

async function paidPayment(): Promise<string> {
  const intent = await site.stripe.paymentIntents.create({
    amount: 2199,
    currency: 'usd',
    payment_method: await site.newCard('good'),
    confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  });
  return intent.id;
}

async function openAdmin(path: string, layout = desktop) {
  const storageState = await memberState(site, operator.id);
  await db.update(sessions).set({ provenAt: new Date() }).where(eq(sessions.userId, operator.id));
  return browser.open(path, { ...visitorOf(site, layout), storageState });
}

const see = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor();

test('an operator refunds, ends, replays and locks', async () => {
  const { page, quiet } = await openAdmin('/admin/subscriptions');
  await heading(page, 'Subscriptions');
  const search = page.getByRole('searchbox', { name: 'Search subscriptions' });
  await search.fill(buyer.email);
  await search.press('Enter');
  await page.getByRole('link', { name: buyer.username }).click();
  await page.getByRole('button', { name: /^Refund / }).click();
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Amount in USD').fill('10.5');
  await field(dialog, 'Reason, for the log').fill('Charged twice');
  await expectCleanForAxe(page);
  await button(dialog, 'Refund $10.50').press('Enter');
  await see(page, /\$10\.50 refunded on .*Charged twice/);
  await see(page, '$10.50 refunded');
  await expectCleanForAxe(page);

  await page.goto('/admin/gift-cards?q=w7xk');
  await page.getByRole('link', { name: '3 months, code ending W7XK' }).click();
  await button(page.locator('main'), 'Refund').click();
  await field(dialog, 'Reason, for the log').fill('Asked for it');
  await button(dialog, 'Refund $21.99').click();
  await see(page, 'The code does not work any more');
  await expectCleanForAxe(page);

  await page.goto('/admin/promo-codes');
  await button(page.locator('main'), 'New promo code').click();
  await field(dialog, 'Code').fill('AUTUMN');
  await button(dialog, 'Create code').click();
  await see(page, 'Choose a percentage or an amount');
  await field(dialog, 'Percent off').fill('25');
  await field(dialog, 'Total uses').fill('40');
  await expectCleanForAxe(page);
  await field(dialog, 'Total uses').press('Enter');
  await page.getByRole('row', { name: /AUTUMN/ }).waitFor();
  await button(page.locator('main'), 'End AUTUMN').click();
  await button(dialog, 'End code').click();
  await page.getByRole('row', { name: /AUTUMN.*Ended/ }).waitFor();
  await expectCleanForAxe(page);

  await page.goto('/admin/webhook-events?q=invoice.');
  await page.getByRole('row').getByRole('link').first().click();
  await button(page.locator('main'), 'Replay').click();
  await page.getByRole('status').filter({ hasText: 'Settled' }).first().waitFor();
  await expectCleanForAxe(page);
  expect(await db.$count(paymentEvents, eq(paymentEvents.status, 'failed'))).toBe(0);
  await site.site.membership.reconcile();
  await page.getByRole('link', { name: 'Webhook events' }).last().click();
  await page.getByRole('link', { name: 'Reconciliation' }).click();
  await see(page, 'Matches exactly');
  await expectCleanForAxe(page);
  const runs = page.getByText('Matches exactly');
  const before = await runs.count();
  await button(page.locator('main'), 'Run now').click();
  await button(page.locator('main'), 'Comparing…').waitFor();
  // No jobs run here. The report appears without a reload.
  await site.site.membership.reconcile();
  await runs.nth(before).waitFor();
  await button(page.locator('main'), 'Run now').waitFor();

  await page.goto(`/admin/payouts?month=${month}`);
  await hydrated(page);
  await field(page, 'Pool in USD').fill('1000');
  await field(page, 'Pool in USD').press('Enter');
  await see(page, '$666.64');
  // The saved pool would be locked, not the typed one.
  await field(page, 'Pool in USD').fill('500');
  await see(page, 'Save the pool before you lock the month.');
  expect(await button(page.locator('main'), 'Lock month').isDisabled()).toBe(true);
  await field(page, 'Pool in USD').fill('1000');
  await button(page.locator('main'), 'Lock month').click();
  await field(dialog, `Type “${month}”`).fill(month);
  await expectCleanForAxe(page);
  await button(dialog, 'Lock month').click();
  await see(page, /was locked on .* by/);
  await expectCleanForAxe(page);

  // Nobody has entered who is paid: only with a deliberate word.
  const missing = page.getByRole('row', { name: /Missing/ });
  const creators = await missing.count();
  await missing.first().getByRole('button', { name: 'Mark as paid' }).click();
  await field(dialog, 'Reference of the payment').fill('SEPA 17');
  expect(await button(dialog, 'Mark as paid').isDisabled()).toBe(true);
  await dialog.getByText('Our own books say who got it').click();
  await expectCleanForAxe(page);
  await button(dialog, 'Mark as paid').click();
  await page.getByRole('row', { name: /Paid .*SEPA 17/ }).waitFor();
  const saved = page.waitForEvent('download');
  await button(page.locator('main'), 'Payments with bank data (CSV)').click();
  const csv = await readFile(await (await saved).path(), 'utf8');
  expect(csv.trim().split('\r\n')).toHaveLength(creators);
  expect(csv).toContain(',IBAN,BIC,');
  await quiet();
});

test('an operator makes a gift card, whose code is only mailed, and ends it', async () => {
  const { page } = await openAdmin('/admin/gift-cards');
  await button(page, 'New gift card').click();
  await button(page, 'Make gift card').click();
  await page.getByText('Please enter email').waitFor();
  await expectCleanForAxe(page);
  await field(page, 'Recipient’s email').fill('winner@example.org');
  await button(page, 'Make gift card').click();
  await see(page, 'The code is on its way to winner@example.org');
  await page
    .getByRole('row', { name: /winner@example.org/ })
    .getByRole('link')
    .click();
  await page.getByText('Nobody: it was made in Admin').waitFor();
  await button(page.locator('main'), 'End').click();
  await field(page, 'Reason, for the log').fill('The wrong address');
  await button(page, 'End gift card').click();
  await page.getByText('The code does not work any more').waitFor();
});

test('on a phone every page fits, and the overview has the figures', async () => {
  const { page, quiet } = await openAdmin('/admin', mobile);
  await see(page, '$59.88');
  for (const path of [
    '/admin',
    '/admin/promo-codes',
    '/admin/gift-cards',
    '/admin/subscriptions',
    `/admin/subscriptions/${buyer.id}`,
    '/admin/webhook-events',
    '/admin/webhook-events/reconciliation',
    '/admin/payment-providers',
    `/admin/payouts?month=${month}`,
  ]) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
      path,
      mobile.viewport.width,
    ]);
    await expectCleanForAxe(page);
  }
  await quiet();
});

test('with several currencies each has its revenue, its pools, and its amount of a promo code', async () => {
  const { value, revision } = await findSetting(db, membershipSetting);
  const jpy = {
    countries: ['JP'],
    plans: { month: 1180, year: 9800 },
    giftCards: { 1: 1180, 3: 3300, 6: 6000, 12: 9800 },
  };
  await changeSetting(db, membershipSetting, {
    actor: commandLine,
    value: { ...value, currencies: { jpy } },
    revision,
  });
  await site.site.membership.checkPlans();
  await db.execute(sql`
    insert into gift_cards (id, months, amount, currency, buyer_email, recipient_email, deliver_at, paid_at, sent_at)
    values (gen_random_uuid(), 3, 3300, 'jpy', 'giver@example.org', 'friend@example.org', now(), now(), now())`);
  const former = addToMonth(month, -1);
  await db.execute(sql`
    insert into listened_seconds (day, audio_id, voice_id, milliseconds, reports)
    select ${`${former}-07T00:00:00Z`}::timestamptz, audio_id, voice_id, milliseconds, 1 from listened_seconds`);
  await db.update(siteDays).set({ computedAt: new Date(0) });

  const { page, quiet } = await openAdmin('/admin');
  const currencies = page.getByRole('navigation', { name: 'Currency' });
  await currencies.getByRole('link', { name: 'JPY' }).click();
  await page.waitForURL(/currency=jpy/);
  await see(page, 'Also $');
  await page.getByRole('heading', { name: 'Revenue this month in JPY' }).waitFor();
  expect(await page.getByRole('table', { name: 'Revenue this month in JPY' }).innerText()).toContain('¥3,300');
  await expectCleanForAxe(page);
  await page.getByRole('navigation', { name: 'Period' }).getByRole('link', { name: '90 days' }).click();
  await page.waitForURL(/period=90&currency=jpy/);
  const file = await page.request.get('/admin/revenue.csv?period=90');
  expect(await file.text()).toMatch(/,JPY,0,0,0,0,0,0,1,3300,0,0\r\n/);

  await page.goto(`/admin/payouts?month=${former}`);
  await hydrated(page);
  for (const [currency, pool, shown] of [
    ['USD', '10', '$10.00'],
    ['JPY', '1000', '¥1,000'],
  ] as const) {
    await field(page, `Pool in ${currency}`).fill(pool);
    await field(page, `Pool in ${currency}`).press('Enter');
    await see(page, shown);
  }
  await page.getByRole('columnheader', { name: 'Amount in JPY' }).waitFor();
  for (const amount of ['$6.67', '$3.33', '¥667', '¥333']) await see(page, amount);
  expect(await button(page.locator('main'), 'Lock month').isEnabled()).toBe(true);
  await expectCleanForAxe(page);
  await page.setViewportSize(mobile.viewport);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(mobile.viewport.width);

  await page.goto('/admin/promo-codes');
  await hydrated(page);
  await button(page, 'New promo code').click();
  await field(page, 'Code').fill('SPRING27');
  await page.getByRole('combobox', { name: 'Discount' }).selectOption('amount');
  await field(page, 'Amount in USD').fill('2');
  await field(page, 'Amount in JPY').fill('300');
  await expectCleanForAxe(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(mobile.viewport.width);
  await button(page, 'Create code').click();
  await see(page, '$2.00 or ¥300 off the first payment');
  await quiet();
});
