import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser, createVoice } from '#test/support/factories.ts';
import { testSecret } from '#test/support/identity.ts';
import { readRows } from '#test/support/read-rows.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { lockPayouts, setPayoutPool } from '../../admin/money/payout-changes.ts';
import { findPayouts } from '../../admin/money/payouts.ts';
import { payoutStatements } from '../../admin/tables.ts';
import { setVoiceOwner } from '../../community/voice-owners.ts';
import { statementText } from '../../earnings/statement-text.ts';
import type { MailMessage } from '../../gateways.ts';
import { users } from '../../identity/tables.ts';
import { operator } from '../../kernel/actor.ts';
import { auditEntries } from '../../kernel/audit.ts';
import { newId } from '../../kernel/ids.ts';
import type { User } from '../../kernel/viewer.ts';
import { eraseUser, exportUser } from '../../privacy/personal-data.ts';
import { PayeeForm } from './forms.ts';
import { isBic, isIban } from './rules.ts';
import { resealPayees } from './reseal.ts';
import { openPaidPayee, readOwnPayee } from './sealed-payees.ts';
import { payees, paymentPayees, voicePayees } from './tables.ts';

const { db } = await createTestDatabase();
const mails: MailMessage[] = [];
const { studio, earnings } = await openTestSite(db, undefined, undefined, mails);
const secret = testSecret;

const iban = 'DE89370400440532013000';
const form: PayeeForm = PayeeForm.parse({
  kind: 'person',
  name: 'Maren Holt',
  address: 'Lindenstraße 14\n10969 Berlin',
  country: 'DE',
  way: 'iban',
  iban: 'de89 3704 0044 0532 0130 00',
  bic: '',
  account: '',
  vatId: 'DE 123456789',
  taxNumber: '12/345/67890',
  taxForm: '',
});

const userOf = (id: string, voiceId: string, role: 'owner' | 'editor'): User => ({
  kind: 'user',
  id,
  isSubscribed: false,
  isComplete: true,
  voiceRoles: { [voiceId]: role },
});

async function newOwner(voiceId: string) {
  const { id } = await createUser(db);
  const email = `${id}@example.org`;
  await db.update(users).set({ email }).where(eq(users.id, id));
  await setVoiceOwner(db, voiceId, id, true);
  return { id, email, owner: userOf(id, voiceId, 'owner'), editor: userOf(id, voiceId, 'editor') };
}

async function newVoice() {
  const { id, name } = await createVoice(db, { name: `Maren ${newId()}` });
  return { voiceId: id, name, ...(await newOwner(id)) };
}

async function lockedMonth(month: string, pool: number, ...voiceIds: string[]): Promise<void> {
  for (const voiceId of voiceIds) {
    const audio = await createAudio(db, { voiceId, slug: `audio-${newId()}` });
    await db.execute(sql`
      insert into listened_seconds (day, audio_id, voice_id, milliseconds, reports)
      values (${`${month}-05T00:00:00Z`}, ${audio.id}, ${voiceId}, 1000, 1)`);
  }
  await setPayoutPool(db, operator, month, { pool, revision: 0 });
  const checksum = (await findPayouts(db, operator, month))?.checksum ?? '';
  expect(await lockPayouts(db, operator, month, { checksum })).toEqual({ ok: true });
}

/** All rows that could have it. */
async function storedText(): Promise<string> {
  const { rows } = await db.execute<{ text: string }>(sql`
    select t::text as text from payees t union all select t::text from payment_payees t
    union all select t::text from audit_entries t`);
  return rows.map(({ text }) => text).join('\n');
}

test('an IBAN needs its check digits, a BIC its form, and the account fits the way of payment', () => {
  for (const right of [iban, 'GB82WEST12345698765432', 'NO9386011117947', 'MT84MALT011000012345MTLCAST001S'])
    expect([right, isIban(right)]).toEqual([right, true]);
  for (const wrong of ['DE89370400440532013001', 'DE98370400440532013000', 'DE8937040044', '', 'DE89 3704'])
    expect([wrong, isIban(wrong)]).toEqual([wrong, false]);
  expect([isBic('COBADEFFXXX'), isBic('COBADEFF'), isBic('COBADEF')]).toEqual([true, true, false]);
  const faultsOf = (change: object) =>
    PayeeForm.safeParse({ ...form, ...change }).error?.issues.map(({ path }) => path.join('.'));
  expect(faultsOf({})).toBeUndefined();
  expect(faultsOf({ iban: 'DE89370400440532013001' })).toEqual(['iban']);
  expect(faultsOf({ way: 'other' })).toEqual(['account']);
  expect(faultsOf({ way: 'kept', iban: '' })).toBeUndefined();
  expect(faultsOf({ bic: 'x' })).toEqual(['bic']);
  expect(faultsOf({ vatId: 'DE12' })).toEqual(['vatId']);
  expect(faultsOf({ country: 'Germany' })).toEqual(['country']);
  expect(new Set(faultsOf({ name: ' ', address: '' }))).toEqual(new Set(['address', 'name']));
  expect(faultsOf({ taxNumber: 'two\nlines' })).toEqual(['taxNumber']);
});

test('an owner is paid once they entered it; the others learn only who it is, and every owner is mailed', async () => {
  const { voiceId, name, ...maren } = await newVoice();
  const idris = await newOwner(voiceId);
  const stranger = await createUser(db);
  expect(await studio.findPayee(maren.owner, voiceId)).toEqual({ payee: null, own: null, mayEnter: true });
  const before = await db.$count(payees);
  for (const by of [maren.editor, userOf(stranger.id, newId(), 'owner'), operator])
    expect(await studio.savePayee(by, voiceId, form)).toEqual({ ok: false, reason: 'not-found' });
  // The session still says owner.
  expect(await studio.savePayee(userOf(stranger.id, voiceId, 'owner'), voiceId, form)).toMatchObject({ ok: false });
  expect(await studio.savePayee({ ...maren.owner, voiceRoles: {}, isAdmin: true }, voiceId, form)).toMatchObject({
    ok: false,
  });
  expect(await db.$count(payees)).toBe(before);

  mails.length = 0;
  expect(await studio.savePayee(maren.owner, voiceId, form)).toEqual({ ok: true });
  expect(mails.map(({ to }) => to).toSorted()).toEqual([maren.email, idris.email].toSorted());
  expect(mails[0]?.subject).toContain(name);
  expect(await studio.findPayee(maren.owner, voiceId)).toMatchObject({
    payee: { isOwn: true },
    own: { name: 'Maren Holt', way: 'iban', accountEnd: '3000', vatId: 'DE123456789' },
  });
  const seen = await studio.findPayee(idris.owner, voiceId);
  expect(seen).toMatchObject({ payee: { isOwn: false }, own: null, mayEnter: true });
  const asOperator = await studio.findPayee({ ...idris.owner, voiceRoles: {}, isAdmin: true }, voiceId);
  expect(asOperator).toMatchObject({ own: null, mayEnter: false });
  expect(await studio.findPayee(maren.editor, voiceId)).toBeUndefined();
  const all = [await storedText(), JSON.stringify(mails), JSON.stringify([seen, asOperator])].join();
  for (const part of [iban, '013000', 'Lindenstraße', 'DE123456789', '12/345/67890', 'Maren Holt'])
    expect(all).not.toContain(part);

  // Kept, with other facts; and readable by nobody else, even if the row is copied.
  const kept = { ...form, way: 'kept', iban: '', name: 'Maren A. Holt' } as const;
  expect(await studio.savePayee(maren.owner, voiceId, kept)).toEqual({ ok: true });
  expect((await studio.findPayee(maren.owner, voiceId))?.own).toMatchObject({
    name: 'Maren A. Holt',
    accountEnd: '3000',
  });
  expect(await studio.savePayee(idris.owner, voiceId, kept)).toEqual({ ok: false, reason: 'no-account' });
  const [{ sealed } = { sealed: '' }] = await db.select().from(payees).where(eq(payees.userId, maren.id));
  await db.insert(payees).values({ userId: idris.id, sealed });
  expect(await studio.savePayee(idris.owner, voiceId, kept)).toEqual({ ok: false, reason: 'no-account' });

  // Another owner takes over, and takes it back.
  const other = { ...form, way: 'other', account: 'Bank of Oslo, 021000021, 123456789', iban: '' } as const;
  expect(await studio.savePayee(idris.owner, voiceId, other)).toEqual({ ok: true });
  expect(await studio.findPayee(maren.owner, voiceId)).toMatchObject({ payee: { isOwn: false } });
  expect(await studio.removePayee(maren.owner, voiceId)).toBe(false);
  expect(await studio.removePayee(idris.owner, voiceId)).toBe(true);
  expect(await studio.findPayee(idris.owner, voiceId)).toEqual({ payee: null, own: null, mayEnter: true });
  const acts = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, voiceId));
  expect(acts.map(({ action }) => action).filter((action) => action.startsWith('payee.'))).toEqual([
    'payee.save',
    'payee.save',
    'payee.save',
    'payee.remove',
  ]);
});

test('who is no owner any more is not paid', async () => {
  const [maren, idris] = [await newVoice(), await newVoice()];
  await studio.savePayee(maren.owner, maren.voiceId, form);
  await studio.savePayee(idris.owner, idris.voiceId, form);
  const isNamed = async ({ voiceId }: typeof maren) => (await studio.findPayee(operator, voiceId))?.payee !== null;
  expect([await isNamed(maren), await isNamed(idris)]).toEqual([true, true]);
  await db.execute(sql`update voice_owners set role = 'editor' where user_id = ${maren.id}`);
  await setVoiceOwner(db, idris.voiceId, idris.id, false);
  expect([await isNamed(maren), await isNamed(idris)]).toEqual([false, false]);
  expect(await db.$count(voicePayees, eq(voicePayees.userId, idris.id))).toBe(0);
});

test('a payment needs a payee or a deliberate word; the file for the bank has the data, and the log says who read it', async () => {
  const [maren, idris] = [await newVoice(), await newVoice()];
  const month = '2025-03';
  await lockedMonth(month, 1000, maren.voiceId, idris.voiceId);
  await studio.savePayee(maren.owner, maren.voiceId, { ...form, bic: 'COBADEFFXXX', taxForm: '=1+1' });
  const listed = (await earnings.listBalances(operator, month))?.items;
  expect(listed?.find(({ voice }) => voice.id === maren.voiceId)?.payeeSince).toBeInstanceOf(Date);
  expect(listed?.find(({ voice }) => voice.id === idris.voiceId)?.payeeSince).toBeNull();
  expect(JSON.stringify(listed)).not.toContain('Lindenstraße');

  await expect(earnings.exportPayees(maren.owner, month)).rejects.toMatchObject({ code: 'request/not-found' });
  expect(await earnings.exportPayees(operator, '2025-04')).toBeUndefined();
  const file = (await earnings.exportPayees(operator, month)) ?? '';
  expect(file).toContain(`5.00,USD,`);
  expect(file).toContain(
    `Maren Holt,person,"Lindenstraße 14, 10969 Berlin",DE,${iban},COBADEFFXXX,,DE123456789,12/345/67890,'=1+1`,
  );
  expect(file.split('\r\n').find((line) => line.includes(idris.voiceId))).toMatch(/,{9}$/);
  const logged = await db.select().from(auditEntries).where(eq(auditEntries.action, 'payout.export-payees'));
  expect(logged).toMatchObject([{ subjectId: month, actorRole: 'operator', after: { payments: 2, payees: 1 } }]);
  expect(JSON.stringify(logged)).not.toContain(iban);

  const pay = (voiceId: string, more: object = {}) =>
    earnings.payEarnings(operator, month, { voiceId, currency: 'usd', amount: 500, reference: 'SEPA 1', ...more });
  expect(await pay(idris.voiceId)).toEqual({ ok: false, reason: 'payout/no-payee' });
  expect(await pay(idris.voiceId, { withoutPayee: true })).toEqual({ ok: true });
  expect(await pay(maren.voiceId)).toEqual({ ok: true });
  const kept = await db.select().from(paymentPayees);
  expect(kept).toHaveLength(1);
  const paid = kept[0] && openPaidPayee(secret, kept[0]);
  expect(paid).toMatchObject({ name: 'Maren Holt', country: 'DE', vatId: 'DE123456789' });
  expect(JSON.stringify(paid)).not.toContain('3000');
  // Paid creators are not in the file again.
  expect(await earnings.exportPayees(operator, month)).not.toContain('Maren Holt');

  // The statement names the payee to that person alone, as it was when it was paid.
  await studio.savePayee(maren.owner, maren.voiceId, { ...form, way: 'kept', name: 'Maren New' });
  const partiesOf = (by: User | typeof operator) => earnings.findStatementParties(by, maren.voiceId, month);
  const own = await earnings.findEarnings(maren.owner, maren.voiceId, month);
  if (own === undefined) throw new Error('no earnings');
  const names = { voice: 'Maren', site: 'Sotto' };
  const facts = JSON.stringify(statementText(own, names, await partiesOf(maren.owner)));
  for (const part of ['Maren Holt', 'Lindenstraße 14', 'Germany', 'VAT ID DE123456789', own.number])
    expect(facts).toContain(part);
  const other = await newOwner(maren.voiceId);
  for (const by of [other.owner, operator]) expect((await partiesOf(by)).payee).toBeNull();

  // Deleted accounts: what was entered goes at once, who was paid after the years of the setting.
  const exported = await exportUser(db, maren.id, secret);
  expect(exported['payee']).toMatchObject({ entered: { name: 'Maren New', account: { iban } } });
  const payments = await readRows((exported['payee'] as { payments: unknown }).payments);
  expect(payments).toMatchObject([{ amount: 500, currency: 'usd', payee: { name: 'Maren Holt' } }]);
  await eraseUser(db, maren.id);
  expect(await db.$count(payees, eq(payees.userId, maren.id))).toBe(0);
  expect(await db.select({ userId: paymentPayees.userId }).from(paymentPayees)).toEqual([{ userId: null }]);
  expect(await earnings.purgePaidPayees()).toBe(0);
  await db.transaction(async (tx) => {
    await tx.execute(sql`alter table payout_payments disable trigger payout_payments_kept`);
    await tx.execute(sql`update payout_payments set paid_at = now() - interval '11 years'`);
    await tx.execute(sql`alter table payout_payments enable trigger payout_payments_kept`);
  });
  expect(await earnings.purgePaidPayees()).toBe(1);
});

test('a changed secret: payees are sealed anew with the former one, once, and what it does not open stays', async () => {
  const [maren, idris] = [await newVoice(), await newVoice()];
  for (const one of [maren, idris]) await studio.savePayee(one.owner, one.voiceId, form);
  await db.update(payees).set({ sealed: 'AAAA' }).where(eq(payees.userId, idris.id));
  const next = 'n'.repeat(40);
  const { resealed, unreadable } = await resealPayees(db, { former: testSecret, secret: next });
  expect(resealed).toBeGreaterThan(0);
  expect(unreadable).toBeGreaterThan(0);
  expect(await resealPayees(db, { former: testSecret, secret: next })).toEqual({ resealed: 0, unreadable });
  expect((await studio.findPayee(maren.owner, maren.voiceId))?.own).toBeNull();
  expect(await readOwnPayee(db, next, maren.id)).toMatchObject({ name: 'Maren Holt', account: { iban } });
  await resealPayees(db, { former: next, secret: testSecret });
  expect((await studio.findPayee(maren.owner, maren.voiceId))?.own).toMatchObject({ name: 'Maren Holt' });
});

test('what was sealed under another secret counts as missing, not as an error', async () => {
  const maren = await newVoice();
  await studio.savePayee(maren.owner, maren.voiceId, form);
  await db.update(payees).set({ sealed: 'AAAA' }).where(eq(payees.userId, maren.id));
  expect(await studio.findPayee(maren.owner, maren.voiceId)).toEqual({ payee: null, own: null, mayEnter: true });
  expect(await studio.savePayee(maren.owner, maren.voiceId, { ...form, way: 'kept' })).toMatchObject({ ok: false });
  expect(await studio.savePayee(maren.owner, maren.voiceId, form)).toEqual({ ok: true });
});

test('statements are numbered without gaps within a year, and name the day of the payment', async () => {
  const creators = await Promise.all(Array.from({ length: 3 }, () => newVoice()));
  const ids = creators.map(({ voiceId }) => voiceId);
  await lockedMonth('2024-02', 900, ...ids.slice(0, 2));
  const { termRevision = 0 } = (await earnings.listBalances(operator, '2024-02')) ?? {};
  await earnings.setPayoutTerm(operator, { days: 10, revision: termRevision });
  // Two months at once.
  await Promise.all([lockedMonth('2024-04', 900, ...ids), lockedMonth('2024-05', 900, ...ids.slice(1))]);
  await lockedMonth('2023-12', 900, ...ids);
  const rows = await db.select().from(payoutStatements);
  const numbersOf = (year: number) => rows.filter((row) => row.year === year).map(({ number }) => number);
  expect(numbersOf(2024).toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(numbersOf(2023).toSorted((one, other) => one - other)).toEqual([1, 2, 3]);
  const [maren] = creators;
  if (maren === undefined) throw new Error('no creator');
  const due = new Date();
  due.setUTCDate(due.getUTCDate() + 10);
  expect(await earnings.findEarnings(maren.owner, maren.voiceId, '2024-04')).toMatchObject({
    number: expect.stringMatching(/^ST-2024-04-000[3-7]$/),
    dueOn: due.toISOString().slice(0, 10),
  });
  for (const change of [
    () => db.update(payoutStatements).set({ number: 99 }),
    () => db.delete(payoutStatements),
    () => db.insert(payoutStatements).values({ month: '2024-02-01', voiceId: newId(), year: 2024, number: 8 }),
  ])
    await expect(change()).rejects.toThrow();
  await db.execute(sql`insert into payout_months (month, pool, currency) values ('2024-09-01', 0, 'usd')`);
  await db.execute(sql`
    insert into payout_shares values ('2024-09-01', ${newId()}, 'A', 'a', 1, 1000, 0)`);
  await expect(
    db.execute(sql`
      update payout_months set locked_at = now(), counts_trials = true, checksum = repeat('a', 64), root = repeat('b', 64)
      where month = '2024-09-01'`),
  ).rejects.toThrow();
});
