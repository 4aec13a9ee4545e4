import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser, createVoice } from '#test/support/factories.ts';
import { operator } from '../../kernel/actor.ts';
import { newId } from '../../kernel/ids.ts';
import { MembershipSettings, membershipSetting } from '../../membership/settings.ts';
import { giftCards, invoices } from '../../membership/tables.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { noMoney } from '../site/overview-money.ts';
import { payoutAmounts, payoutMonths, payoutPools, siteDayMoney } from '../tables.ts';
import { lockPayouts, setPayoutPool } from './payout-changes.ts';
import { exportPayouts } from './payout-csv.ts';
import { findPayouts } from './payouts.ts';

const { db } = await createTestDatabase();

const prices = { plans: { month: 1000, year: 9000 }, giftCards: { 1: 1000, 3: 3000, 6: 6000, 12: 9000 } };

async function offer(currencies: string[]): Promise<void> {
  const { revision } = await findSetting(db, membershipSetting);
  const entries = currencies.map((currency) => [currency, { countries: [], ...prices }]);
  const value = MembershipSettings.parse({ currencies: Object.fromEntries(entries) });
  await changeSetting(db, membershipSetting, { actor: operator, value, revision });
}

async function heard(month: string, milliseconds: number): Promise<string> {
  const audio = await createAudio(db, { voiceId: (await createVoice(db)).id });
  await db.execute(sql`
    insert into listened_seconds (day, audio_id, voice_id, milliseconds, reports)
    values (${`${month}-05T00:00:00Z`}, ${audio.id}, ${audio.voiceId}, ${milliseconds}, 1)`);
  return audio.voiceId;
}

const earn = (day: string, currency: string, money: Partial<typeof noMoney>) =>
  db.insert(siteDayMoney).values({ day, currency, ...noMoney, ...money });

const find = async (month: string) => {
  const payouts = await findPayouts(db, operator, month);
  if (payouts === undefined) throw new Error('there is no such month');
  return payouts;
};
const enter = async (month: string, pool: number, currency?: string) =>
  setPayoutPool(db, operator, month, { pool, currency, revision: (await find(month)).revision });
const lock = async (month: string) => lockPayouts(db, operator, month, { checksum: (await find(month)).checksum });

test('each pool is shared out to its last unit, and stays when its month is locked', async () => {
  await offer(['jpy', 'kwd']);
  const month = '2024-03';
  const voices = [await heard(month, 3000), await heard(month, 2000), await heard(month, 2000)];
  expect(await find(month)).toMatchObject({
    currency: 'usd',
    further: [
      { currency: 'jpy', pool: null, hasIncome: false },
      { currency: 'kwd', pool: null, hasIncome: false },
    ],
  });
  const { checksum: alone } = await find(month);
  expect(await enter(month, 1000, 'jpy')).toEqual({ ok: true });
  expect(await enter(month, 2, 'kwd')).toEqual({ ok: true });
  expect(await enter(month, 5000)).toEqual({ ok: true });
  expect(await enter(month, 2000, 'kwd')).toEqual({ ok: true });
  const open = await find(month);
  expect(open.checksum).not.toBe(alone);
  expect(open.shares.map(({ voice, amount, amounts }) => [voice.id, amount, amounts])).toEqual([
    [voices[0], 2143, { jpy: 428, kwd: 857 }],
    ...voices
      .slice(1)
      .toSorted()
      .map((id, index) => [id, index === 0 ? 1429 : 1428, { jpy: 286, kwd: index === 0 ? 572 : 571 }]),
  ]);
  expect(await lock(month)).toEqual({ ok: true });
  const locked = await find(month);
  expect(locked).toMatchObject({ pool: 5000, checksum: open.checksum, shares: open.shares });
  for (const [pool, parts] of [
    [5000, locked.shares.map(({ amount }) => amount ?? 0)],
    [1000, locked.shares.map(({ amounts }) => amounts['jpy'] ?? 0)],
    [2000, locked.shares.map(({ amounts }) => amounts['kwd'] ?? 0)],
  ] as const)
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(pool);
  const lines = ((await exportPayouts(db, operator, month)) ?? '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  expect(lines.map((cells) => `${cells[7]} ${cells[8]}`)).toEqual([
    'Amount Currency',
    ...['21.43', '14.29', '14.28', '50.00'].map((amount) => `${amount} USD`),
    ...['428', '286', '286', '1000'].map((amount) => `${amount} JPY`),
    ...['0.857', '0.572', '0.571', '2.000'].map((amount) => `${amount} KWD`),
  ]);

  // Neither what is offered, nor direct SQL changes it.
  await offer(['eur']);
  expect(await find(month)).toMatchObject({ further: locked.further.map((one) => ({ currency: one.currency })) });
  expect(await enter(month, 1, 'jpy')).toMatchObject({ reason: 'payout/locked' });
  for (const change of [
    () => db.update(payoutPools).set({ pool: 1 }),
    () => db.delete(payoutPools),
    () => db.insert(payoutPools).values({ month: `${month}-01`, currency: 'eur', pool: 1 }),
    () => db.update(payoutAmounts).set({ amount: 1 }),
    () => db.delete(payoutAmounts),
  ])
    await expect(change()).rejects.toThrow();
  expect((await find(month)).shares).toEqual(locked.shares);
});

test('a currency with payments in the month needs a pool, also when it is not offered any more', async () => {
  await offer(['jpy']);
  const month = '2024-04';
  await heard(month, 1000);
  await earn(`${month}-30`, 'eur', { giftIncome: 2199, giftCards: 1 });
  // Refunds of earlier payments, and the months around, need none.
  await earn(`${month}-10`, 'gbp', { refunds: 1, refunded: 500 });
  await earn('2024-03-31', 'chf', { monthlyIncome: 700, monthlyPayments: 1 });
  await earn('2024-05-01', 'chf', { monthlyIncome: 700, monthlyPayments: 1 });
  expect((await find(month)).further).toEqual([
    { currency: 'eur', pool: null, hasIncome: true },
    { currency: 'jpy', pool: null, hasIncome: false },
  ]);
  expect(await enter(month, 100, 'chf')).toMatchObject({ reason: 'payout/other-currency' });
  expect(await enter(month, 100)).toEqual({ ok: true });
  expect(await lock(month)).toMatchObject({ reason: 'payout/no-pool' });
  expect(await enter(month, 0, 'eur')).toEqual({ ok: true });
  const { checksum } = await find(month);
  expect(await enter(month, 900, 'eur')).toEqual({ ok: true });
  expect(await lockPayouts(db, operator, month, { checksum })).toMatchObject({ reason: 'payout/changed' });
  expect(await lock(month)).toEqual({ ok: true });
  expect(await find(month)).toMatchObject({
    further: [{ currency: 'eur', pool: 900 }],
    shares: [{ amount: 100, amounts: { eur: 900 } }],
  });
});

test('a currency whose payments are in no sum of a day yet needs a pool too', async () => {
  const month = '2024-06';
  await heard(month, 1000);
  const { id: userId } = await createUser(db);
  const sums = { subtotal: 900, discount: 0, credit: 0, total: 900, amountDue: 0, lines: [] };
  const pay = (currency: string, paidAt: Date, amountPaid = 900) => {
    const times = { periodStart: paidAt, periodEnd: paidAt, createdAt: paidAt, paidAt };
    const ids = { id: newId(), userId, invoiceId: newId() };
    return db.insert(invoices).values({ ...ids, ...sums, ...times, status: 'paid', currency, amountPaid });
  };
  await pay('sek', new Date('2024-06-30T23:59:59Z'));
  await pay('dkk', new Date('2024-07-01T00:00:00Z'));
  await pay('pln', new Date('2024-06-10T00:00:00Z'), 0);
  const bought = new Date('2024-06-01T00:00:00Z');
  await db
    .insert(giftCards)
    .values({ id: newId(), months: 1, amount: 900, currency: 'nok', deliverAt: bought, paidAt: bought });
  const ofMonth = (await find(month)).further.filter(({ hasIncome }) => hasIncome);
  expect(ofMonth.map(({ currency }) => currency)).toEqual(['nok', 'sek']);
  await enter(month, 100);
  expect(await lock(month)).toMatchObject({ reason: 'payout/no-pool' });
  for (const currency of ['nok', 'sek']) expect(await enter(month, 300, currency)).toEqual({ ok: true });
  expect(await lock(month)).toEqual({ ok: true });
});

test('a month keeps its own currency when the site’s changes, and is never locked without its further amounts', async () => {
  const month = '2024-05';
  await heard(month, 1000);
  await offer(['eur']);
  await enter(month, 700, 'eur');
  await db.execute(sql`update payout_months set currency = 'gbp' where month = '2024-05-01'`);
  expect(await find(month)).toMatchObject({ currency: 'gbp', pool: null });
  expect(await enter(month, 800)).toEqual({ ok: true });
  expect(await find(month)).toMatchObject({
    currency: 'gbp',
    pool: 800,
    further: [{ currency: 'chf' }, { currency: 'eur', pool: 700 }, { currency: 'usd' }],
  });
  // As the former version would.
  await db.execute(sql`
    insert into payout_shares select '2024-05-01', voice_id, 'A', 'a', 1, milliseconds, 800
    from listened_seconds where day = '2024-05-05T00:00:00Z'`);
  const asFormer = { lockedAt: new Date(), countsTrials: true, checksum: 'a'.repeat(64) };
  await expect(
    db
      .update(payoutMonths)
      .set(asFormer)
      .where(sql`month = '2024-05-01'`),
  ).rejects.toMatchObject({ cause: { message: expect.stringContaining('not their pools') } });
});
