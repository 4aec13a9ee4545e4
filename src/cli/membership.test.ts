/** @module-tag slow */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import type { MailMessage } from '#domain/gateways.ts';
import type { MembershipParts } from '#domain/membership/customers.ts';
import { auditEntries } from '#domain/kernel/audit.ts';
import { newId } from '#domain/kernel/ids.ts';
import { addMonths } from '#domain/membership/free-time.ts';
import { openMembership } from '#domain/membership/open-membership.ts';
import { giftCards, invoices, paymentEvents } from '#domain/membership/tables.ts';
import { runSotto } from '#test/support/processes/command-line.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { mailInto } from '#test/support/servers/mail-box.ts';
import { createListener, orderOf } from '#test/support/payments/membership.ts';
import { stripeHarness } from '#test/support/payments/payment-harness.ts';

vi.setConfig({ testTimeout: 60_000 });

const { db, url } = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'sotto-cli-membership-'));
const harness = await stripeHarness(url);
const { provider } = harness;
const mails: MailMessage[] = [];
const site = { name: 'Sotto', url: 'https://sotto.example' };
const parts: MembershipParts = { db, payments: provider, mail: mailInto(mails), site };
const membership = { ...openMembership({ ...parts, secret: 'test' }), parts };
await membership.checkPlans();
afterAll(async () => {
  await harness.sandbox.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs a command on the database whose sandbox simulates the running site's. */
const sotto = (...args: string[]) =>
  runSotto(args, { environment: { DATA_DIR: dataDir, DATABASE_URL: url }, startFolder: dataDir });

test('promo codes are made, listed, used and switched off', async () => {
  expect(await sotto('promo', 'create', 'CANDLE', '--percent', '25', '--months', '3', '--times', '2')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('25 % off for 3 months, 0 of 2 used, active') as string,
  });
  expect(await sotto('promo', 'create', 'candle', '--amount', '100')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('An active code candle already exists') as string,
  });
  const { id } = await createListener(membership);
  const order = orderOf(await harness.newCard('good'), { promoCode: 'CANDLE' });
  expect(await membership.createSubscription(id, order)).toMatchObject({ ok: true });
  expect((await sotto('promo', 'list')).stdout).toContain('1 of 2 used');
  expect((await sotto('promo', 'disable', 'candle')).code).toBe(0);
  expect((await sotto('promo', 'list')).stdout).toContain('off');
  expect(await provider.findPromoCode('CANDLE')).toMatchObject({ isActive: false });
  expect((await sotto('promo', 'disable', 'nothing')).code).toBe(1);
});

test('a subscription is shown, moved in time, and cancelled', async () => {
  const { id, email } = await createListener(membership);
  expect((await sotto('subscription', 'show', email)).stdout).toContain('none; can hear what is free');
  await sotto('subscription', 'advance', email);
  await membership.createSubscription(id, orderOf(await harness.newCard('good'), { withoutTrial: true }));
  await sotto('subscription', 'advance', email, '--days', '20');
  expect((await sotto('subscription', 'show', email)).stdout).toMatch(
    /^active; can hear everything\nplan {9}\$7\.99 a month/,
  );
  expect((await sotto('subscription', 'refund', email, '--cents', '150')).stdout).toMatch(
    /^\$1\.50 of invoice .* refunded/,
  );
  expect((await sotto('subscription', 'refund', email)).code).toBe(0);
  expect((await sotto('subscription', 'refund', email)).stderr).toContain('Nothing is left of this payment');
  expect((await sotto('subscription', 'cancel', email)).stdout).toContain('ends on');
  await sotto('subscription', 'advance', email, '--days', '60');
  expect((await sotto('subscription', 'sync', email)).stdout).toContain('ended; can hear what is free');
  expect(await sotto('subscription', 'show', 'nobody@example.org')).toMatchObject({ code: 1, stdout: '' });
});

test('a gift moves the next charge of a running subscription, and can be taken back', async () => {
  const { id, email } = await createListener(membership);
  await membership.createSubscription(id, orderOf(await harness.newCard('good'), { withoutTrial: true }));
  const chargeOf = async () => (await membership.findSubscription(id)).nextCharge?.at;
  const paidUntil = (await chargeOf()) ?? new Date(Number.NaN);
  const given = await sotto('gift', email, '2');
  expect(given).toMatchObject({ code: 0, stdout: expect.stringContaining('is charged next on') as string });
  expect(await chargeOf()).toEqual(addMonths(paidUntil, 2));
  expect(await membership.findSubscriptionState(id)).toMatchObject({ freeBy: 'gift', giftUntil: null });
  expect((await sotto('gift', email, '1')).code).toBe(0);
  expect(await chargeOf()).toEqual(addMonths(addMonths(paidUntil, 2), 1));

  expect((await sotto('gift', 'take-back', email)).stdout).toContain('(1 month taken back)');
  expect(await chargeOf()).toEqual(addMonths(paidUntil, 2));
  expect((await sotto('gift', 'take-back', email)).stdout).toContain('(2 months taken back)');
  expect(await chargeOf()).toEqual(paidUntil);
  expect(await sotto('gift', 'take-back', email)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no free months') as string,
  });
});

test('gift time without a subscription is taken back too; more than three years are refused', async () => {
  const { id, email } = await createListener(membership);
  expect((await sotto('gift', email, '37')).code).toBe(2);
  expect((await sotto('gift', email, '36')).code).toBe(0);
  expect((await membership.findSubscriptionState(id)).isSubscribed).toBe(true);
  expect((await sotto('gift', 'take-back', email)).code).toBe(0);
  expect((await membership.findSubscriptionState(id)).isSubscribed).toBe(false);
});

test('a gift card is mailed again, and given back once', async () => {
  const { giftCard, clientSecret } = await membership.buyGiftCard(undefined, {
    months: 3,
    recipientEmail: 'nora@example.org',
    buyerEmail: 'ada@example.org',
    senderName: undefined,
    message: undefined,
  });
  expect((await sotto('gift-card', 'refund', giftCard.id)).code).toBe(1);
  await harness.enterCard(clientSecret, await harness.newCard('good'));
  await membership.refreshGiftCard(giftCard.id, undefined);
  await membership.sendDueMails();
  expect((await sotto('gift-card', 'list')).stdout).toContain(`${giftCard.id}  3 months     $21.99  sent`);
  expect((await sotto('gift-card', 'resend', giftCard.id)).code).toBe(0);
  await membership.sendDueMails();
  expect(mails.filter(({ to }) => to === 'nora@example.org')).toHaveLength(2);
  expect((await sotto('gift-card', 'refund', giftCard.id)).stdout).toContain('$21.99 is on its way back.');
  expect((await sotto('gift-card', 'refund', giftCard.id)).stderr).toContain('This gift card was refunded.');
  await db
    .update(giftCards)
    .set({ refundedAt: null, redeemedAt: new Date(), paidBackAt: new Date() })
    .where(eq(giftCards.id, giftCard.id));
  expect((await sotto('gift-card', 'list')).stdout).toContain(`${giftCard.id}  3 months     $21.99  paid back`);
});

test('events are settled again, and what the site missed is found', async () => {
  const { id } = await createListener(membership);
  await membership.createSubscription(id, orderOf(await harness.newCard('good'), { withoutTrial: true }));
  const [subscription] = (await harness.stripe.subscriptions.list({ limit: 1 })).data;
  const customerId = String(subscription?.customer);
  await db.insert(paymentEvents).values([
    { eventId: 'evt_one', type: 'invoice.paid', customerId, createdAt: new Date() },
    { eventId: 'evt_two', type: 'invoice.paid', customerId, createdAt: new Date(), status: 'done' },
  ]);
  expect((await sotto('payments', 'replay')).stdout).toContain('1 event settled again, 0 failed.');
  expect((await sotto('payments', 'replay', '--event', 'evt_two')).stdout).toContain('1 event settled again');
  expect((await sotto('payments', 'replay', '--since', '2020-01-01')).stdout).toContain('2 events settled again');
  // One entry for each event, however it was selected.
  const entries = await db.select().from(auditEntries).where(eq(auditEntries.action, 'payment-event.replay'));
  expect(entries.map(({ subjectId, actorRole }) => `${subjectId} ${actorRole}`).toSorted()).toEqual(
    ['evt_one', 'evt_one', 'evt_two', 'evt_two'].map((event) => `${event} operator`),
  );
  await harness.stripe.subscriptions.cancel(subscription?.id ?? '');
  expect((await membership.findSubscriptionState(id)).isSubscribed).toBe(true);
  expect((await sotto('payments', 'reconcile')).stdout).toMatch(/1 mended, 0 given up, 0 failed\./);
  expect((await membership.findSubscriptionState(id)).isSubscribed).toBe(false);
  const [paid] = await db.select().from(invoices).where(eq(invoices.userId, id));
  if (paid === undefined) throw new Error('nothing was paid');
  const invented = { invoiceId: 'invented', paymentId: 'invented', amountPaid: 799, paidAt: new Date() };
  await db.insert(invoices).values({ ...paid, ...invented, id: newId(), status: 'paid' });
  const { code, stderr } = await sotto('payments', 'reconcile');
  const [provider, here] =
    / (\S+) at the provider, (\S+) here/
      .exec(stderr)
      ?.slice(1)
      .map((text) => Number(text.slice(1))) ?? [];
  expect([code, ((here ?? 0) - (provider ?? 0)).toFixed(2)]).toEqual([1, '7.99']);
  expect(stderr).toMatch(/^Paid in \w+ \d{4}: \$/m);
  await db.delete(invoices).where(eq(invoices.invoiceId, 'invented'));
});

test('a copy of a site forgets whom the provider knows; gift time stays', async () => {
  const { id, email } = await createListener(membership);
  expect((await sotto('gift', email, '2')).code).toBe(0);
  const before = await sotto('payments', 'detach');
  expect(before.stdout).toMatch(/^Goes: {2}[1-9]\d* customers? of the payment provider and [1-9]\d* subscriptions?;/);
  expect(before.stdout).toContain('Nothing was changed; add --yes');
  expect((await sotto('payments', 'detach', '--yes')).stdout).toMatch(
    /^[1-9]\d* customers? of the payment provider deleted here\.\n$/,
  );
  expect((await sotto('payments', 'detach', '--yes')).stdout).toContain('0 customers');
  expect((await membership.findSubscriptionState(id)).isSubscribed).toBe(true);
});

test('payouts are listed, get a pool, and are locked for good', async () => {
  await db.execute(
    `insert into listened_seconds (day, audio_id, voice_id, milliseconds, reports)
     values ('2024-05-02T00:00:00Z', gen_random_uuid(), gen_random_uuid(), 7000, 1)`,
  );
  expect((await sotto('payouts', 'list')).stdout).toContain('2024-05  open');
  expect((await sotto('payouts', 'lock', '2024-05')).stderr).toContain('Enter the pool of this month first.');
  expect((await sotto('payouts', 'pool', '2024-05', '--cents', '1234')).stdout).toContain('pool $12.34, open');
  expect((await sotto('payouts', 'lock', '2024-05')).stdout).toContain('7 seconds in all, pool $12.34, locked on');
  expect((await sotto('payouts', 'pool', '2024-05', '--cents', '1')).stderr).toContain('cannot be changed');
  await sotto('payouts', 'show', '2024-05', '--csv', 'may.csv');
  expect(await readFile(join(dataDir, 'may.csv'), 'utf8')).toContain('12.34,USD,Locked');
  expect((await sotto('payouts', 'show', 'May')).code).toBe(2);
});
