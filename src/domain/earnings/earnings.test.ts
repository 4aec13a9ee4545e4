import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser, createVoice } from '#test/support/factories.ts';
import { lockPayouts, setPayoutPool } from '../admin/money/payout-changes.ts';
import { findPayouts } from '../admin/money/payouts.ts';
import { payoutCorrections, payoutEarnings, payoutLines, payoutNodes, payoutPayments } from '../admin/tables.ts';
import { operator } from '../kernel/actor.ts';
import { newId } from '../kernel/ids.ts';
import type { User } from '../kernel/viewer.ts';
import { correctEarnings, listBalances, listCorrections, payEarnings, setPayoutMinimum } from './balances.ts';
import { findEarnings, listEarnings, listRoots } from './earnings.ts';
import { exportEarnings, exportStatement } from './statement-file.ts';
import { statementText } from './statement-text.ts';
import { verifyStatement } from './verify-statement.ts';

const { db } = await createTestDatabase();
const secret = 's'.repeat(32);
const parties = { seller: { name: '', address: '' }, payee: null };

const actorOf = (voiceId: string, role: 'owner' | 'editor'): User => ({
  kind: 'user',
  id: newId(),
  isSubscribed: false,
  isComplete: true,
  voiceRoles: { [voiceId]: role },
});

async function newVoice(name?: string) {
  const voice = await createVoice(db, name === undefined ? {} : { name });
  return { id: voice.id, owner: actorOf(voice.id, 'owner'), editor: actorOf(voice.id, 'editor') };
}

async function hear(month: string, voiceId: string, milliseconds: number, { trial = 0, title = 'An audio' } = {}) {
  const audio = await createAudio(db, { voiceId, title, slug: `audio-${newId()}` });
  await addSeconds(month, voiceId, audio.id, milliseconds, trial);
  return audio.id;
}

const addSeconds = (month: string, voiceId: string, audioId: string, milliseconds: number, trial = 0) =>
  db.execute(sql`
    insert into listened_seconds (day, audio_id, voice_id, milliseconds, reports, trial_ms, free_ms)
    values (${`${month}-05T00:00:00Z`}, ${audioId}, ${voiceId}, ${milliseconds}, 1, ${trial}, 0)`);

async function lock(month: string, pool: number): Promise<void> {
  const revision = (await findPayouts(db, operator, month))?.revision ?? 0;
  expect(await setPayoutPool(db, operator, month, { pool, revision })).toEqual({ ok: true });
  const checksum = (await findPayouts(db, operator, month))?.checksum ?? '';
  expect(await lockPayouts(db, operator, month, { checksum })).toEqual({ ok: true });
}

const statementOf = async (owner: User, voiceId: string, month: string) =>
  (await exportStatement(db, owner, voiceId, month))?.text ?? '';

test('a month is an estimate until it is locked, then its amounts are the pool to the cent and never change', async () => {
  const [maren, idris] = [await newVoice(), await newVoice()];
  const month = '2024-03';
  const [one, two] = [await hear(month, maren.id, 20_000, { trial: 5000 }), await hear(month, maren.id, 10_000)];
  await hear(month, idris.id, 60_000);
  const open = await findEarnings(db, maren.owner, maren.id, month);
  expect(open).toMatchObject({ state: 'open', share: 1 / 3, amounts: {}, root: null });
  await setPayoutPool(db, operator, month, { pool: 10_000, revision: 0 });
  expect(await findEarnings(db, maren.owner, maren.id, month)).toMatchObject({ amounts: { usd: 3333 }, poolsOf: null });
  const checksum = (await findPayouts(db, operator, month))?.checksum ?? '';
  expect(await lockPayouts(db, operator, month, { checksum })).toEqual({ ok: true });
  const locked = await findEarnings(db, maren.owner, maren.id, month);
  expect(locked).toMatchObject({
    state: 'locked',
    amounts: { usd: 3333 },
    root: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(locked?.own.map(({ audioId, amounts }) => [audioId, amounts])).toEqual([
    [one, { usd: 2222 }],
    [two, { usd: 1111 }],
  ]);
  const earned = await db
    .select()
    .from(payoutEarnings)
    .where(eq(payoutEarnings.month, `${month}-01`));
  expect(earned.reduce((sum, { amount }) => sum + amount, 0)).toBe(10_000);

  await addSeconds(month, maren.id, await hear(month, idris.id, 1), 900_000);
  await db.execute(sql`delete from listened_seconds where audio_id = ${one}`);
  expect(await findEarnings(db, maren.owner, maren.id, month)).toEqual(locked);
  for (const change of [
    () => db.update(payoutLines).set({ milliseconds: 1 }),
    () => db.delete(payoutLines),
    () => db.delete(payoutNodes),
    () => db.update(payoutEarnings).set({ amount: 1 }),
    () => db.insert(payoutEarnings).values({ month: `${month}-01`, voiceId: newId(), currency: 'usd', amount: 1 }),
  ])
    await expect(change()).rejects.toThrow();
  expect((await listRoots(db)).map((row) => [row.month, row.root])).toContainEqual([month, locked?.root]);
});

test('owners and operators see earnings; editors, other creators and others do not', async () => {
  const [maren, idris] = [await newVoice(), await newVoice()];
  const month = '2024-04';
  await hear(month, maren.id, 1000);
  const { id } = await createUser(db);
  const stranger: User = { kind: 'user', id, isSubscribed: true, isComplete: true };
  const admin: User = { ...stranger, isAdmin: true };
  const moderator: User = { ...stranger, isModerator: true };
  for (const [actor, sees] of [
    [maren.owner, true],
    [operator, true],
    [admin, true],
    [maren.editor, false],
    [idris.owner, false],
    [stranger, false],
    [moderator, false],
  ] as const)
    for (const read of [listEarnings, exportEarnings]) {
      expect((await read(db, actor, maren.id)) !== undefined).toBe(sees);
      expect((await findEarnings(db, actor, maren.id, month)) !== undefined).toBe(sees);
      expect((await exportStatement(db, actor, maren.id, month)) !== undefined).toBe(sees);
    }
  expect(await findEarnings(db, maren.owner, maren.id, '2999-01')).toBeUndefined();
  expect(await findEarnings(db, maren.owner, maren.id, 'nonsense')).toBeUndefined();
});

test('hours of fewer than ten listeners are not shown, the amount is', async () => {
  const [maren, idris] = [await newVoice(), await newVoice()];
  const month = '2024-05';
  const few = await hear(month, maren.id, 1000);
  const many = await hear(month, idris.id, 1000);
  const marks = (count: number) => Buffer.from(Array.from({ length: count }, (_, at) => [at, 17]).flat());
  for (const [voiceId, audioId, count] of [
    [maren.id, few, 9],
    [idris.id, many, 10],
  ] as const) {
    await db.execute(
      sql`insert into voice_days (voice_id, day, members) values (${voiceId}, ${`${month}-05`}, ${marks(count)})`,
    );
    await db.execute(
      sql`insert into audio_days (audio_id, day, members) values (${audioId}, ${`${month}-05`}, ${marks(count)})`,
    );
  }
  await lock(month, 500);
  const hidden = {
    milliseconds: null,
    sources: null,
    amounts: { usd: 250 },
    own: [{ milliseconds: null, amounts: { usd: 250 } }],
  };
  expect(await findEarnings(db, maren.owner, maren.id, month)).toMatchObject(hidden);
  expect(await findEarnings(db, idris.owner, idris.id, month)).toMatchObject({
    milliseconds: 1000,
    own: [{ milliseconds: 1000 }],
  });
  const list = await listEarnings(db, maren.owner, maren.id);
  expect(list?.months.find((one) => one.month === month)).toMatchObject({ state: 'locked', milliseconds: null });
});

test('a statement carries its proof; one changed second, cent, pool or proof is found', async () => {
  const month = '2024-06';
  const voices = [await newVoice(), await newVoice(), await newVoice(), await newVoice(), await newVoice()];
  for (const [index, { id }] of voices.entries())
    for (let count = 0; count <= index; count += 1)
      await hear(month, id, 61_000 + 7000 * count, { title: `=An “odd”, title ${count}\nof two lines` });
  await lock(month, 123_457);
  const [{ root } = { root: '' }] = (await listRoots(db)).filter((row) => row.month === month);
  for (const [index, { id, owner }] of voices.entries()) {
    const text = await statementOf(owner, id, month);
    expect(verifyStatement(text)).toMatchObject({ ok: true, month, voiceId: id, root, lines: index + 1 });
    const proof = text.split('\r\n').find((line) => line.startsWith('proof,')) ?? '';
    expect(proof.length).toBeLessThan(2048);
    const other = await statementOf(voices[(index + 1) % 5]?.owner ?? owner, voices[(index + 1) % 5]?.id ?? '', month);
    const otherProof = other.split('\r\n').find((line) => line.startsWith('proof,')) ?? '';
    for (const [what, changed] of [
      // In both places, so that the statement itself adds up.
      [
        'second',
        text
          .replaceAll('61000', '62000')
          .replace(/^(total,[^\n]*,,,)(\d+)/m, (_, head: string, ms: string) => `${head}${Number(ms) + 1000}`),
      ],
      ['second of one line', text.replace('61000', '62000')],
      ['pool', text.replace('1234.57 USD', '1234.58 USD')],
      ['proof', text.replace(proof, otherProof.replaceAll(voices[(index + 1) % 5]?.id ?? '', id))],
      ['no proof', text.replace(`${proof}\r\n`, '')],
      [
        'amount',
        text.replace(/(\d)(\.\d\d USD,)/, (_, digit: string, rest: string) => `${(Number(digit) + 1) % 10}${rest}`),
      ],
      [
        'root',
        text.replace(
          root,
          root.replace(/^./, (first) => (first === '0' ? '1' : '0')),
        ),
      ],
    ] as const) {
      expect(changed, what).not.toBe(text);
      expect(verifyStatement(changed), what).toMatchObject({ ok: false });
    }
  }
  expect(verifyStatement('nonsense')).toMatchObject({ ok: false });
});

test('sums over many lines are those of the ledger to the millisecond, and of the pool to the cent', async () => {
  const month = '2024-07';
  const voices = await Promise.all(Array.from({ length: 30 }, () => newVoice()));
  await db.execute(sql`
    insert into listened_seconds (day, audio_id, voice_id, milliseconds, reports)
    select ${`${month}-05T00:00:00Z`}::timestamptz, gen_random_uuid(), (${sql.param(voices.map(({ id }) => id))}::uuid[])[1 + n % 30],
      1000 * (1 + n % 977), 1 from generate_series(1, 25000) n`);
  await lock(month, 9_999_999);
  const { rows } = await db.execute<{ ms: number; lines: number }>(sql`
    select sum(milliseconds)::float8 as ms, count(*)::int as lines from listened_seconds where day = ${`${month}-05T00:00:00Z`}`);
  let [sum, cents, lines] = [0, 0, 0];
  for (const { id, owner } of voices) {
    const earnings = await findEarnings(db, owner, id, month);
    const verified = verifyStatement(await statementOf(owner, id, month));
    if (!verified.ok) throw new Error(verified.fault);
    sum += verified.milliseconds;
    lines += verified.lines;
    cents += earnings?.amounts['usd'] ?? 0;
    expect(earnings?.own.reduce((all, { amounts }) => all + (amounts['usd'] ?? 0), 0)).toBe(earnings?.amounts['usd']);
  }
  expect({ sum, lines, cents }).toEqual({ sum: rows[0]?.ms, lines: rows[0]?.lines, cents: 9_999_999 });
});

test('corrections count in a later month, small sums are carried over, and a payment pays what is due once', async () => {
  const [maren, idris] = [await newVoice(), await newVoice()];
  const [first, second] = ['2024-08', '2024-09'];
  await hear(first, maren.id, 1000);
  await hear(first, idris.id, 9000);
  await lock(first, 1000);
  const correction = { voice: maren.id, currency: 'usd', amount: -30, reason: 'Counted twice' };
  expect(await correctEarnings(db, operator, first, correction)).toMatchObject({ reason: 'payout/locked' });
  expect(await correctEarnings(db, operator, second, { ...correction, currency: 'jpy' })).toMatchObject({
    reason: 'payout/other-currency',
  });
  expect(await correctEarnings(db, operator, second, { ...correction, voice: newId() })).toMatchObject({
    reason: 'request/not-found',
  });
  expect(await correctEarnings(db, operator, second, correction)).toEqual({ ok: true });
  await hear(second, maren.id, 1000);
  await hear(second, idris.id, 1000);

  const { minimumRevision = 0 } = (await listBalances(db, operator, first)) ?? {};
  await setPayoutMinimum(db, operator, { currency: 'usd', minimum: 500, revision: minimumRevision });
  await expect(
    setPayoutMinimum(db, operator, { currency: 'usd', minimum: 1, revision: minimumRevision }),
  ).rejects.toMatchObject({ code: 'payout/changed' });
  const due = async (month: string) =>
    (await listBalances(db, operator, month))?.items
      .filter(({ voice }) => voice.id === maren.id || voice.id === idris.id)
      .map((one) => [one.voice.id === maren.id ? 'maren' : 'idris', one.due, one.state])
      .toSorted();
  expect(await due(first)).toEqual([
    ['idris', 900, 'due'],
    ['maren', 100, 'carried'],
  ]);
  expect(await listBalances(db, operator, second)).toBeUndefined();
  const pay = (voiceId: string, month: string, amount: number) =>
    payEarnings({ db, secret }, operator, month, {
      voiceId,
      currency: 'usd',
      amount,
      reference: 'SEPA 1',
      withoutPayee: true,
    });
  expect(await pay(maren.id, first, 100)).toMatchObject({ reason: 'payout/below-minimum' });
  expect(await pay(idris.id, second, 900)).toMatchObject({ reason: 'payout/not-locked' });
  expect(await pay(idris.id, first, 899)).toMatchObject({ reason: 'payout/changed' });
  const both = await Promise.all([pay(idris.id, first, 900), pay(idris.id, first, 900)]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await findEarnings(db, idris.owner, idris.id, first)).toMatchObject({
    state: 'paid',
    payment: { reference: 'SEPA 1' },
  });

  await lock(second, 1000);
  // 100 carried over, half of the pool, and the correction.
  expect(await due(second)).toEqual([
    ['idris', 500, 'due'],
    ['maren', 570, 'due'],
  ]);
  expect(await findEarnings(db, maren.owner, maren.id, second)).toMatchObject({
    amounts: { usd: 470 },
    corrections: [{ amount: -30, reason: 'Counted twice' }],
  });
  expect(await pay(maren.id, second, 570)).toEqual({ ok: true });
  const list = await listEarnings(db, maren.owner, maren.id);
  expect(list?.months.filter(({ state }) => state === 'paid').map(({ month }) => month)).toEqual([second, first]);
  expect(list).toMatchObject({ waiting: { usd: 0 }, paid: { amounts: { usd: 570 }, payments: 1 } });
  for (const change of [
    () => db.update(payoutPayments).set({ amount: 1 }),
    () => db.delete(payoutPayments),
    () => db.delete(payoutCorrections),
    () => db.update(payoutCorrections).set({ amount: 1 }),
  ])
    await expect(change()).rejects.toThrow();
  const text = await statementOf(maren.owner, maren.id, second);
  expect(text).toContain('Counted twice');
  expect(verifyStatement(text)).toMatchObject({ ok: true });
});

test('only operators list balances, pay, correct and set the minimum', async () => {
  const maren = await newVoice();
  const notFound = { code: 'request/not-found' };
  const form = { currency: 'usd', amount: 1, reason: 'x', reference: 'x' };
  for (const act of [
    () => listBalances(db, maren.owner, '2024-08'),
    () => listCorrections(db, maren.owner, '2024-08'),
    () => payEarnings({ db, secret }, maren.owner, '2024-08', { ...form, voiceId: maren.id }),
    () => correctEarnings(db, maren.owner, '2024-08', { ...form, voice: maren.id }),
    () => setPayoutMinimum(db, maren.owner, { currency: 'usd', minimum: 0, revision: 0 }),
  ])
    await expect(act()).rejects.toMatchObject(notFound);
});

test('a month that a former version locked has its sums, and says that it has no audios', async () => {
  const [maren, idris] = [await newVoice(), await newVoice()];
  const month = '2023-11';
  await db.execute(sql`insert into payout_months (month, pool, currency) values (${`${month}-01`}, 1000, 'usd')`);
  await db.execute(sql`
    insert into payout_shares (month, voice_id, voice_name, voice_slug, audios, milliseconds, amount)
    values (${`${month}-01`}, ${maren.id}, 'M', 'm', 2, 30000, 750), (${`${month}-01`}, ${idris.id}, 'I', 'i', 1, 10000, 250)`);
  // As the migration finds it, and what it adds.
  await db.transaction(async (tx) => {
    await tx.execute(sql`alter table payout_months disable trigger payout_months_kept`);
    await tx.execute(sql`
      insert into payout_earnings select month, voice_id, 'usd', amount from payout_shares where month = ${`${month}-01`}`);
    await tx.execute(sql`
      update payout_months set locked_at = now(), counts_trials = true, checksum = repeat('a', 64) where month = ${`${month}-01`}`);
    await tx.execute(sql`alter table payout_months enable trigger payout_months_kept`);
  });
  const marks = Buffer.from(Array.from({ length: 10 }, (_, at) => [at, 17]).flat());
  await db.execute(
    sql`insert into voice_days (voice_id, day, members) values (${maren.id}, ${`${month}-05`}, ${marks})`,
  );
  expect(await findEarnings(db, maren.owner, maren.id, month)).toMatchObject({
    state: 'locked',
    hasAudios: false,
    root: null,
    milliseconds: 30_000,
    share: 0.75,
    sources: null,
    own: [],
    ownAmounts: { usd: 750 },
    ownYours: { usd: 750 },
    amounts: { usd: 750 },
  });
  const list = await listEarnings(db, maren.owner, maren.id);
  expect(list?.months.find((one) => one.month === month)).toMatchObject({
    milliseconds: 30_000,
    share: 0.75,
    amounts: { usd: 750 },
  });
  const text = await statementOf(maren.owner, maren.id, month);
  expect(text).toContain('total,2023-11');
  expect(text).toMatch(/,30000,7\.50 USD,7\.50 USD,/);
  expect(text).toContain('by an earlier version, without a list of audios');
  expect(verifyStatement(text)).toMatchObject({ ok: false, fault: expect.stringContaining('no root') });
  const earnings = await findEarnings(db, maren.owner, maren.id, month);
  const written = earnings && statementText(earnings, { voice: 'Maren', site: 'Sotto' }, parties);
  expect(written?.lines).toEqual([]);
  expect(written?.total.cells).toEqual(['30', '$7.50', '$7.50']);
  expect(written?.notes.join(' ')).toContain('locked by an earlier version');
});
