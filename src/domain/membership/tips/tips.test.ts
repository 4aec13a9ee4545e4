import { asc, eq, isNull, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '#demo/random.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser, createVoice } from '#test/support/factories.ts';
import { readRows } from '#test/support/read-rows.ts';
import { openTestMembership } from '#test/support/payments/membership.ts';
import { stripeHarness } from '#test/support/payments/payment-harness.ts';
import { setVoiceOwner } from '../../community/voice-owners.ts';
import { refundTip } from '../../admin/money/tips.ts';
import { payoutCorrections } from '../../admin/tables.ts';
import { documentText } from '../invoice-rules.ts';
import { operator } from '../../kernel/actor.ts';
import { newId } from '../../kernel/ids.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { mailOwners } from '../../verification/verifications.ts';
import { doDueWork } from '../due-work.ts';
import { personalData } from '../personal-data.ts';
import { issueDocuments } from '../tax/documents.ts';
import { withPresets } from '../tax/presets.ts';
import { taxSetting } from '../tax/settings.ts';
import { taxDocuments } from '../tax/tables.ts';
import { refreshSinglePayment } from '../sync/single-payments.ts';
import { reconcile } from '../sync/reconcile.ts';
import { reconciliationRuns } from '../tables.ts';
import { tipSetting } from './settings.ts';
import { tips } from './tables.ts';
import { startTip } from './tips.ts';

/** Against the sandbox, over HTTP. */

const { db, url } = await createTestDatabase();
const stripe = await stripeHarness(url);
afterAll(() => stripe.sandbox.close());
const site = openTestMembership(db, { provider: stripe.provider } as never);
const parts = {
  ...site.parts,
  mailOwners: (tx: typeof db, voiceId: string, write: Parameters<typeof mailOwners>[2]) =>
    mailOwners({ db: tx, mail: site.parts.mail }, voiceId, write),
};

const admin = operator;
const owner = await createUser(db, { email: 'maren@example.org' });
const voice = await createVoice(db, { name: 'Maren Holt', takesTips: true });
await setVoiceOwner(db, voice.id, owner.id, true);
const giver = await createUser(db, { email: 'nora@example.org', username: 'nora' });

async function set(change: object): Promise<void> {
  const { value, revision } = await findSetting(db, tipSetting);
  await db.transaction((tx) =>
    changeSetting(tx, tipSetting, { actor: operator, value: { ...value, ...change }, revision }),
  );
}
beforeAll(() => set({ isOn: true, sharePermille: 100 }));

type Given = Partial<Parameters<typeof startTip>[2]>;
const order = (given: Given = {}) => ({
  voice: voice.id,
  amount: 500,
  note: 'For the long nights',
  isAnonymous: false,
  audioId: undefined,
  region: 'DE',
  ...given,
});

async function begin(given: Given = {}) {
  const { tip, clientSecret } = await startTip(parts, giver.id, order(given));
  const [row] = await db.select().from(tips).where(eq(tips.id, tip.id));
  return { id: tip.id, clientSecret, paymentId: row?.paymentId ?? '' };
}

/** Pays as the browser does, and settles what the provider tells. */
async function give(given: Given = {}, card: 'good' | 'disputed' = 'good') {
  const begun = await begin(given);
  await stripe.enterCard(begun.clientSecret, await stripe.newCard(card));
  await refreshSinglePayment(parts, begun.paymentId);
  return begun;
}

const rowOf = async (id: string) => (await db.select().from(tips).where(eq(tips.id, id)))[0];
const entriesOf = async (id: string) =>
  (
    await db
      .select({ amount: payoutCorrections.amount })
      .from(payoutCorrections)
      .where(eq(payoutCorrections.tipId, id))
      .orderBy(asc(payoutCorrections.createdAt))
  ).map(({ amount }) => amount);

test('a tip that is paid is in the creator’s month, less the site’s part, and both are told', async () => {
  site.mails.length = 0;
  const { id, paymentId } = await give();
  expect(await rowOf(id)).toMatchObject({ amount: 500, tax: 0, earned: 450, refundState: null });
  expect(await entriesOf(id)).toEqual([450]);
  await refreshSinglePayment(parts, paymentId);
  await reconcile(parts);
  expect(await entriesOf(id)).toEqual([450]);
  expect(site.mails.map(({ to }) => to).toSorted()).toEqual(['maren@example.org', 'nora@example.org']);
  for (const mail of site.mails) {
    expect(mail.text).toContain('$5.00');
    expect(JSON.stringify(mail)).not.toContain('long nights');
    expect(mail.to === 'maren@example.org' && JSON.stringify(mail).includes('nora')).toBe(false);
  }
});

test('one that is not paid, declined, or only begun earns nothing, and is forgotten after a week', async () => {
  const { id, clientSecret, paymentId } = await begin();
  await expect(stripe.enterCard(clientSecret, await stripe.newCard('declining'))).rejects.toThrow(/declined/i);
  await refreshSinglePayment(parts, paymentId);
  expect(await rowOf(id)).toMatchObject({ paidAt: null, earned: 0 });
  expect(await entriesOf(id)).toEqual([]);
  await db
    .update(tips)
    .set({ createdAt: sql`now() - interval '8 days'` })
    .where(eq(tips.id, id));
  await reconcile(parts);
  expect(await rowOf(id)).toBeUndefined();
  await expect(stripe.enterCard(clientSecret, await stripe.newCard('good'))).rejects.toThrow();
});

test('a lost answer at the start makes one payment, and a silent provider none', async () => {
  const count = async () => (await stripe.stripe.paymentIntents.list({ limit: 100 })).data.length;
  const before = await count();
  stripe.lost.method = 'POST';
  const { paymentId } = await begin();
  expect(stripe.lost.method).toBeUndefined();
  expect(await count()).toBe(before + 1);
  expect((await stripe.provider.findPayment(paymentId))?.status).toBe('waiting');
  const payments = { ...stripe.provider, startPayment: async () => Promise.reject(new Error('away')) };
  await expect(startTip({ ...parts, payments }, giver.id, order())).rejects.toThrow('away');
  const [left] = await db.select().from(tips).where(isNull(tips.paymentId));
  expect(left).toMatchObject({ paidAt: null, earned: 0 });
  await db
    .update(tips)
    .set({ createdAt: sql`now() - interval '8 days'` })
    .where(isNull(tips.paymentId));
  await reconcile(parts);
  expect(await db.$count(tips, isNull(tips.paymentId))).toBe(0);
});

test('an operator refunds a tip once, also after a lost answer, and takes it off the month that runs', async () => {
  const { id, paymentId } = await give();
  stripe.lost.method = 'POST';
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => refundTip(parts, admin, id, { reason: 'Asked' })));
  expect(outcomes.filter((one) => one.status === 'fulfilled' && one.value.ok)).toHaveLength(1);
  expect(await rowOf(id)).toMatchObject({ refundState: 'done' });
  expect(await entriesOf(id)).toEqual([450, -450]);
  expect(await refundTip(parts, admin, id, { reason: 'Again' })).toEqual({ ok: false, reason: 'tip/refunded' });
  await doDueWork(parts);
  const { data } = await stripe.stripe.refunds.list({ payment_intent: paymentId });
  expect(data.map(({ amount }) => amount)).toEqual([500]);
  expect(site.mails.filter(({ text }) => text.includes('We have refunded $5.00'))).toHaveLength(1);
});

test('a refund whose process died is completed by the job', async () => {
  const { id, paymentId } = await give();
  const asked = { refundedAt: sql`now() - interval '2 minutes'`, refundState: 'asked' as const };
  await db.update(tips).set(asked).where(eq(tips.id, id));
  expect(await entriesOf(id)).toEqual([450]);
  await doDueWork(parts);
  expect(await entriesOf(id)).toEqual([450, -450]);
  expect((await stripe.provider.findPayment(paymentId))?.status).toBe('refunded');
});

test('a disputed tip stays with the creator until the dispute is lost, and cannot be refunded', async () => {
  const { id, paymentId } = await give({}, 'disputed');
  await stripe.sandbox.settled();
  await refreshSinglePayment(parts, paymentId);
  expect(await rowOf(id)).toMatchObject({ refundedAt: null, earned: 450 });
  expect((await rowOf(id))?.disputedAt).not.toBeNull();
  await expect(refundTip(parts, admin, id, { reason: 'Asked' })).rejects.toMatchObject({ code: 'payment/unavailable' });
  expect(await rowOf(id)).toMatchObject({ refundedAt: null, refundState: null });
  expect(await entriesOf(id)).toEqual([450]);
  const { data } = await stripe.stripe.disputes.list({ payment_intent: paymentId });
  await stripe.stripe.disputes.close(data[0]?.id ?? '');
  await refreshSinglePayment(parts, paymentId);
  expect(await rowOf(id)).toMatchObject({ refundState: 'done' });
  expect(await entriesOf(id)).toEqual([450, -450]);
});

test('what is refunded at the provider itself is found, also before the site knew that it was paid', async () => {
  const { id, clientSecret, paymentId } = await begin();
  await stripe.enterCard(clientSecret, await stripe.newCard('good'));
  await stripe.refundByHand(paymentId, 500);
  await refreshSinglePayment(parts, paymentId);
  expect(await entriesOf(id)).toEqual([450, -450]);
});

test('tips are off unless the operator and the creator want them, and amounts have bounds', async () => {
  const off = await createVoice(db, {});
  const hidden = await createVoice(db, { takesTips: true, hiddenAt: new Date() });
  const code = (given: Given) =>
    begin(given).then(
      () => undefined,
      (error: { code: string }) => error.code,
    );
  expect(await code({ voice: off.id })).toBe('tip/off');
  expect(await code({ voice: hidden.id })).toBe('request/not-found');
  expect(await code({ voice: newId() })).toBe('request/not-found');
  expect(await code({ amount: 199 })).toBe('tip/amount');
  expect(await code({ amount: 20_001 })).toBe('tip/amount');
  await set({ isOn: false });
  expect(await code({})).toBe('tip/off');
  await set({ isOn: true });
  expect(await code({})).toBeUndefined();
});

test('a later change of the share does not count for a tip that was begun', async () => {
  const begun = await begin();
  await set({ sharePermille: 500 });
  await stripe.enterCard(begun.clientSecret, await stripe.newCard('good'));
  await refreshSinglePayment(parts, begun.paymentId);
  await set({ sharePermille: 100 });
  expect(await entriesOf(begun.id)).toEqual([450]);
});

test('tax is taken out first, and the invoice and the credit note have it', async () => {
  const { value, revision } = await findSetting(db, taxSetting);
  const seller = { name: 'Sotto Audio GmbH', address: 'Berlin', country: 'DE', vatId: 'DE123456789' };
  const taxed = { ...value, mode: 'table' as const, rates: withPresets([]), seller };
  await db.transaction((tx) => changeSetting(tx, taxSetting, { actor: operator, value: taxed, revision }));
  await issueDocuments(db);
  const { id } = await give({ amount: 1190, region: 'DE' });
  expect(await rowOf(id)).toMatchObject({ taxPermille: 190, tax: 190, earned: 900 });
  await issueDocuments(db);
  await issueDocuments(db);
  const [shown, ...others] = (await site.findTipInvoices(giver.id, id)) ?? [];
  if (shown === undefined) throw new Error('the invoice is missing');
  expect(others).toEqual([]);
  expect(shown.document).toMatchObject({ net: 1000, tax: 190, gross: 1190, country: 'DE' });
  expect(documentText(shown, shown.document).lines).toMatchObject([{ description: 'Tip' }]);
  expect(await site.findTipInvoices(owner.id, id)).toBeUndefined();
  await refundTip(parts, admin, id, { reason: 'Asked' });
  await issueDocuments(db);
  const documents = await db.select().from(taxDocuments).where(eq(taxDocuments.tipId, id)).orderBy(taxDocuments.kind);
  expect(documents.map(({ kind, gross, tax }) => [kind, gross, tax])).toEqual([
    ['credit-note', -1190, -190],
    ['invoice', 1190, 190],
  ]);
});

test('any order of payments and refunds ends with what the provider has', async () => {
  const random = seededRandom(49);
  const given: string[] = [];
  for (let count = 0; count < 12; count += 1) {
    const amount = 200 + Math.floor(random() * 5000);
    const begun = await begin({ amount, region: ['DE', 'FR', 'US'][Math.floor(random() * 3)] });
    if (random() < 0.2) continue;
    await stripe.enterCard(begun.clientSecret, await stripe.newCard('good'));
    given.push(begun.id);
    if (random() < 0.7) await refreshSinglePayment(parts, begun.paymentId);
    const end = random();
    if (end < 0.3) await stripe.refundByHand(begun.paymentId, amount);
    else if (end < 0.6) await refundTip(parts, admin, begun.id, { reason: 'Asked' });
  }
  await reconcile(parts);
  const [run] = await db
    .select()
    .from(reconciliationRuns)
    .orderBy(sql`id desc`)
    .limit(1);
  expect(run?.totals.length).toBeGreaterThan(0);
  for (const { atProvider, here } of run?.totals ?? []) expect(here).toBe(atProvider);
  const { rows } = await db.execute<{ here: number; booked: number }>(sql`
    select (select coalesce(sum(earned) filter (where refund_state is null), 0)::int from tips where paid_at is not null) as here,
      (select coalesce(sum(amount), 0)::int from payout_corrections where tip_id is not null) as booked`);
  expect(rows[0]?.booked).toBe(rows[0]?.here);
  const charges = await stripe.stripe.charges.list({ limit: 100 }).autoPagingToArray({ limit: 1000 });
  const kept = charges.filter((one) => one.status === 'succeeded' && !one.refunded && !one.disputed);
  const { rows: known } = await db.execute<{ sum: number }>(sql`
    select coalesce(sum(amount), 0)::int as sum from tips where paid_at is not null and refunded_at is null`);
  expect(known[0]?.sum).toBe(kept.reduce((sum, { amount }) => sum + amount, 0));
  expect(given.length).toBeGreaterThan(3);
});

test('the export has what somebody gave, and erasing leaves the money and nobody', async () => {
  const exported = await readRows(await personalData.exportOf(db, giver.id, 'secret'));
  expect(exported).toMatchObject({
    tips: expect.arrayContaining([expect.objectContaining({ voiceName: 'Maren Holt', note: 'For the long nights' })]),
  });
  const before = await db.select().from(payoutCorrections);
  await personalData.erase(db, giver.id);
  expect(await db.$count(tips, sql`giver_id is not null or note is not null or region is not null`)).toBe(0);
  expect(await db.select().from(payoutCorrections)).toEqual(before);
});
