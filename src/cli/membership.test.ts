/** @module-tag slow */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import type { MailMessage } from '#domain/gateways.ts';
import type { MembershipParts } from '#domain/membership/customers.ts';
import { auditEntries } from '#domain/kernel/audit.ts';
import { englishErrors } from '#domain/kernel/errors.ts';
import { newId } from '#domain/kernel/ids.ts';
import { addMonths } from '#domain/kernel/calendar/months.ts';
import { openMembership } from '#domain/membership/open-membership.ts';
import { invoices, paymentEvents } from '#domain/membership/tables.ts';
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

const json = async (...args: string[]) => JSON.parse((await sotto(...args, '--json')).stdout) as unknown;

test('promo codes are made, listed, used, replaced and switched off', async () => {
  const rules = '--percent-off 25 --duration months --months 3 --max-redemptions 2'.split(' ');
  expect(await sotto('promo-codes', 'create', '--code', 'CANDLE', ...rules)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^code +CANDLE$/m) as string,
  });
  expect(
    await sotto('promo-codes', 'create', '--code', 'candle', '--amount-off', '100', '--duration', 'once'),
  ).toMatchObject({ code: 1, stderr: `${englishErrors['promo-code/exists']}\n` });
  const { id } = await createListener(membership);
  const order = orderOf(await harness.newCard('good'), { promoCode: 'CANDLE' });
  expect(await membership.createSubscription(id, order)).toMatchObject({ ok: true });
  expect(await json('promo-codes')).toMatchObject({ items: [{ code: 'CANDLE', redemptions: 1, maxRedemptions: 2 }] });
  expect((await sotto('promo-codes', 'end', 'candle')).code).toBe(0);
  expect(await json('promo-codes')).toMatchObject({ items: [{ isActive: false, state: 'ended' }] });
  expect(await provider.findPromoCode('CANDLE')).toMatchObject({ isActive: false });
  expect(await sotto('promo-codes', 'end', 'nothing')).toMatchObject({
    code: 1,
    stderr: 'There is no promo-code "nothing"\n',
  });
});

test('a subscription is shown, moved in time, and cancelled', async () => {
  const { id, email } = await createListener(membership);
  expect(await json('subscriptions', 'show', email)).toMatchObject({ state: 'none', isSubscribed: false });
  await sotto('subscriptions', 'advance', email);
  await membership.createSubscription(id, orderOf(await harness.newCard('good'), { withoutTrial: true }));
  await sotto('subscriptions', 'advance', email, '--days', '20');
  const shown = (await json('subscriptions', 'show', email)) as { payments: { id: string }[] };
  expect(shown).toMatchObject({ state: 'active', isSubscribed: true, amount: 799, payments: [{ refunded: 0 }] });
  const refund = (amount: number, seen: number) =>
    sotto(...`payments refund ${shown.payments[0]?.id} --reason Asked --amount ${amount} --seen ${seen}`.split(' '));
  expect(await refund(150, 0)).toMatchObject({ code: 0, stdout: 'refunded  150\n' });
  // Typed again, it is refused instead of paid twice.
  expect(await refund(150, 0)).toMatchObject({ code: 1, stderr: `${englishErrors['refund/changed']}\n` });
  expect(await refund(649, 150)).toMatchObject({ code: 0 });
  expect((await refund(1, 799)).code).toBe(1);
  expect((await sotto('subscriptions', 'cancel', email, '--when', 'end', '--reason', 'x')).stdout).toMatch(
    /^endsAt +20/,
  );
  expect((await sotto('subscriptions', 'resume', email)).code).toBe(0);
  await sotto('subscriptions', 'cancel', email, '--when', 'end', '--reason', 'x');
  await sotto('subscriptions', 'advance', email, '--days', '60');
  expect((await sotto('subscriptions', 'sync', email)).stdout).toMatch(/^state +ended$/m);
  expect(await sotto('subscriptions', 'show', 'nobody@example.org')).toMatchObject({ code: 1, stdout: '' });
});

const give = (email: string, months: string) =>
  sotto('users', 'give-months', email, '--months', months, '--reason', 'Thanks');

test('given months move the next charge of a running subscription, and can be taken back', async () => {
  const { id, email } = await createListener(membership);
  await membership.createSubscription(id, orderOf(await harness.newCard('good'), { withoutTrial: true }));
  const chargeOf = async () => (await membership.findSubscription(id)).nextCharge?.at;
  const paidUntil = (await chargeOf()) ?? new Date(Number.NaN);
  expect(await give(email, '2')).toMatchObject({
    code: 0,
    stdout: `until  ${addMonths(paidUntil, 2).toISOString()}\n`,
  });
  expect(await chargeOf()).toEqual(addMonths(paidUntil, 2));
  expect(await membership.findSubscriptionState(id)).toMatchObject({ freeBy: 'gift', giftUntil: null });
  expect((await give(email, '1')).code).toBe(0);
  expect(await chargeOf()).toEqual(addMonths(addMonths(paidUntil, 2), 1));

  const takeBack = () => sotto('users', 'take-months-back', email);
  expect((await takeBack()).code).toBe(0);
  expect(await chargeOf()).toEqual(addMonths(paidUntil, 2));
  expect((await takeBack()).code).toBe(0);
  expect(await chargeOf()).toEqual(paidUntil);
  expect(await takeBack()).toMatchObject({ code: 1, stderr: expect.stringContaining('no free months') as string });
});

test('months without a subscription are taken back too; more than three years are refused', async () => {
  const { id, email } = await createListener(membership);
  expect((await give(email, '37')).code).toBe(2);
  expect((await give(email, '36')).code).toBe(0);
  expect((await membership.findSubscriptionState(id)).isSubscribed).toBe(true);
  expect((await sotto('users', 'take-months-back', email)).code).toBe(0);
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
  const refund = () => sotto('gift-cards', 'refund', giftCard.id, '--reason', 'Asked for it');
  expect((await refund()).code).toBe(1);
  await harness.enterCard(clientSecret, await harness.newCard('good'));
  await membership.refreshGiftCard(giftCard.id, undefined);
  await membership.sendDueMails();
  expect(await json('gift-cards')).toMatchObject({
    items: [{ id: giftCard.id, months: 3, amount: 2199, state: 'sent' }],
  });
  expect((await sotto('gift-cards', 'resend', giftCard.id)).code).toBe(0);
  await membership.sendDueMails();
  expect(mails.filter(({ to }) => to === 'nora@example.org')).toHaveLength(2);
  expect((await refund()).code).toBe(0);
  expect((await refund()).stderr).toContain('This gift card was refunded.');
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
  expect((await sotto('payments', 'replay')).stdout).toBe('replayed  1\n');
  expect((await sotto('webhook-events', 'replay', 'evt_two')).stdout).toMatch(/^status +done$/m);
  expect((await sotto('payments', 'replay', '--since', '2020-01-01')).stdout).toBe('replayed  2\n');
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
  expect((await give(email, '2')).code).toBe(0);
  const before = await sotto('payments', 'detach');
  expect(before.stdout).toMatch(/^customers +[1-9]\d*\nsubscriptions +[1-9]\d*\nnote +Nothing was changed; add --yes/);
  expect((await sotto('payments', 'detach', '--yes')).stdout).toMatch(/^deletedCustomers +[1-9]\d*\n$/);
  expect((await sotto('payments', 'detach', '--yes')).stdout).toBe('deletedCustomers  0\n');
  expect((await membership.findSubscriptionState(id)).isSubscribed).toBe(true);
});

test('payouts are listed, get a pool, and are locked for good', async () => {
  await db.execute(
    `insert into listened_seconds (day, audio_id, voice_id, milliseconds, reports)
     values ('2024-05-02T00:00:00Z', gen_random_uuid(), gen_random_uuid(), 7000, 1)`,
  );
  expect((await sotto('payouts')).stdout).toContain('2024-05  open');
  expect((await sotto('payouts', 'lock', '2024-05')).stderr).toContain('Enter the pool of this month first,');
  expect((await sotto('payouts', 'set-pool', '2024-05', '--pool', '1234')).code).toBe(0);
  expect((await sotto('payouts', 'lock', '2024-05')).code).toBe(0);
  expect(await json('payouts', 'show', '2024-05')).toMatchObject({ milliseconds: 7000, pool: 1234, locked: {} });
  expect((await sotto('payouts', 'set-pool', '2024-05', '--pool', '1')).stderr).toContain('cannot be changed');
  expect((await sotto('payouts', 'export', '2024-05')).stdout).toContain('12.34,USD,Locked');
  expect((await sotto('payouts', 'show', 'May')).code).toBe(2);
});
