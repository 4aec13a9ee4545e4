import { asc, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import { openTestMembership } from '#test/support/payments/membership.ts';
import { operator } from '../../kernel/actor.ts';
import { newId } from '../../kernel/ids.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { invoiceText } from '../invoice-rules.ts';
import { findInvoice } from '../invoices.ts';
import { personalData } from '../personal-data.ts';
import { invoiceRefunds, invoices, type PaidBy } from '../tables.ts';
import { noteRegion, setVatId } from './buyer.ts';
import { issueDocuments } from './documents.ts';
import { withPresets } from './presets.ts';
import { purgeDocuments } from './purge.ts';
import { sumTax, taxCsv } from './report.ts';
import { type TaxSettings, taxSetting } from './settings.ts';
import { taxDocuments, taxNumbers } from './tables.ts';

const { db } = await createTestDatabase();
const site = openTestMembership(db);
const year = new Date().getUTCFullYear();

async function setTax(change: Partial<TaxSettings>): Promise<void> {
  const { value, revision } = await findSetting(db, taxSetting);
  await db.transaction((tx) =>
    changeSetting(tx, taxSetting, { actor: operator, value: { ...value, ...change }, revision }),
  );
}
await setTax({
  mode: 'table',
  rates: withPresets([]),
  numberPrefix: 'SO',
  seller: { name: 'Sotto Audio GmbH', address: 'Lindenstraße 14\n10969 Berlin', country: 'DE', vatId: 'DE123456789' },
});

type Paid = { amount: number; discount?: number; credit?: number; at?: string; currency?: string; paidBy?: PaidBy };

async function paid(userId: string, given: Paid): Promise<string> {
  const { amount, discount = 0, credit = 0, at = '2026-05-05T12:00:00Z', currency = 'eur', paidBy } = given;
  const id = newId();
  const [on, cents] = [new Date(at), { subtotal: amount, discount, credit, total: amount - discount }];
  const due = amount - discount - credit;
  const span = { periodStart: on, periodEnd: on, createdAt: on, paidAt: on };
  const lines = [{ description: 'Annual', amount, start: on.toISOString(), end: on.toISOString() }];
  const money = { amountDue: due, amountPaid: due, currency, ...cents };
  await db.insert(invoices).values({ id, userId, invoiceId: id, status: 'paid', ...money, ...span, lines, paidBy });
  return id;
}

async function refunded(invoiceId: string, amount: number, at = '2026-05-06T12:00:00Z'): Promise<string> {
  const [invoice] = await db.select().from(invoices).where(eq(invoices.id, invoiceId));
  const { userId = '', currency = '' } = invoice ?? {};
  const refund = { id: newId(), invoiceId, userId, amount, currency, state: 'done' as const, createdAt: new Date(at) };
  await db.insert(invoiceRefunds).values(refund);
  return refund.id;
}

const documentsOf = (userId: string) =>
  db.select().from(taxDocuments).where(eq(taxDocuments.userId, userId)).orderBy(asc(taxDocuments.number));

test('an invoice has a line for the discount, the tax of each line, and the seller and buyer of its day', async () => {
  const { id } = await createUser(db, { email: 'ada@lovelace.example', username: 'ada.m' });
  await setVatId(db, id, 'fr 12 345678901');
  await noteRegion(db, id, 'FR');
  const invoiceId = await paid(id, {
    amount: 5988,
    discount: 1198,
    paidBy: { country: 'FR' },
  });
  expect(await issueDocuments(db, { of: id })).toBe(1);
  const [document] = await documentsOf(id);
  expect(document).toMatchObject({
    kind: 'invoice',
    number: expect.stringMatching(new RegExp(`^SO-${year}-\\d{6}$`)),
    country: 'FR',
    permille: 200,
    net: 3992,
    tax: 798,
    gross: 4790,
    lines: [
      { kind: 'plan', net: 4990, tax: 998, gross: 5988 },
      { kind: 'discount', net: -998, tax: -200, gross: -1198 },
    ],
    seller: { name: 'Sotto Audio GmbH', vatId: 'DE123456789' },
    buyer: { name: 'ada.m', email: 'ada@lovelace.example', vatId: 'FR12345678901' },
    evidence: { region: 'FR', payment: 'FR' },
  });
  const shown = await findInvoice(site.parts, id, invoiceId);
  expect(shown).toMatchObject({ number: document?.number, countryName: 'France', document: { tax: 798 } });
  // Evidence is kept, never shown.
  expect(JSON.stringify(shown)).not.toContain('evidence');
  expect(await issueDocuments(db, { of: id })).toBe(0);
});

test('both pieces of evidence are kept when they disagree, and the payment decides', async () => {
  const { id } = await createUser(db, {});
  await noteRegion(db, id, 'US-TX');
  await paid(id, { amount: 799, paidBy: { country: 'FI' } });
  await paid(id, { amount: 799, at: '2026-05-05T13:00:00Z' });
  const other = await createUser(db, {});
  await paid(other.id, { amount: 799 });
  await issueDocuments(db);
  const own = await documentsOf(id);
  expect(own.map(({ country, permille, evidence }) => ({ country, permille, evidence }))).toEqual([
    { country: 'FI', permille: 255, evidence: { region: 'US', payment: 'FI' } },
    // The table has no rate for it.
    { country: 'US', permille: null, evidence: { region: 'US', payment: null } },
  ]);
  expect(own[1]).toMatchObject({ net: 799, tax: 0, gross: 799 });
  expect((await documentsOf(other.id))[0]).toMatchObject({ country: 'DE', permille: 190 });
});

test('nothing is issued for trials, open invoices, and what a provider sells in its own name', async () => {
  const { id } = await createUser(db, {});
  await paid(id, { amount: 0 });
  const open = await paid(id, { amount: 799 });
  await db.update(invoices).set({ status: 'open', paidAt: null }).where(eq(invoices.id, open));
  const theirs = await paid(id, { amount: 799 });
  await db.update(invoices).set({ awaitsDocument: false }).where(eq(invoices.id, theirs));
  await refunded(theirs, 799);
  expect(await issueDocuments(db, { of: id })).toBe(0);
  expect(await documentsOf(id)).toEqual([]);
});

test('refunds in parts have a credit note each, which together take back the whole tax', async () => {
  const { id } = await createUser(db, {});
  const invoiceId = await paid(id, { amount: 1001, paidBy: { country: 'FI' } });
  await issueDocuments(db, { of: id });
  await refunded(invoiceId, 333);
  await issueDocuments(db, { of: id });
  await refunded(invoiceId, 333);
  await refunded(invoiceId, 335, '2026-05-07T12:00:00Z');
  await issueDocuments(db, { of: id });
  const all = await documentsOf(id);
  const invoice = all.find(({ kind }) => kind === 'invoice');
  const notes = all.filter(({ kind }) => kind === 'credit-note');
  expect(notes.map(({ gross }) => gross)).toEqual([-333, -333, -335]);
  expect(notes.map(({ correctsNumber }) => correctsNumber)).toEqual(notes.map(() => invoice?.number));
  for (const part of ['net', 'tax', 'gross'] as const) expect(all.reduce((sum, one) => sum + one[part], 0)).toBe(0);
  expect(notes[0]?.number).toMatch(new RegExp(`^SO-CN-${year}-\\d{6}$`));
  const shown = await findInvoice(site.parts, id, notes[0]?.id ?? '');
  expect(shown).toMatchObject({ number: notes[0]?.number, document: { kind: 'credit-note', gross: -333 } });
  expect((await findInvoice(site.parts, id, invoiceId))?.creditNotes).toHaveLength(3);
  const stranger = await createUser(db, {});
  expect(await findInvoice(site.parts, stranger.id, notes[0]?.id ?? '')).toBeUndefined();
});

test('refunds and lost disputes wait until their invoice has a number, however many wait', async () => {
  const { id } = await createUser(db, {});
  for (let count = 0; count < 100; count++) await paid(id, { amount: 799 });
  const later = '2026-05-05T13:00:00Z';
  const [back, lost] = [await paid(id, { amount: 799, at: later }), await paid(id, { amount: 799, at: later })];
  await refunded(back, 799);
  await db.update(invoices).set({ chargedBack: 799, chargedBackAt: new Date() }).where(eq(invoices.id, lost));
  expect(await issueDocuments(db, { of: id })).toBe(104);
  const notes = (await documentsOf(id)).filter(({ kind }) => kind === 'credit-note');
  expect(notes.map(({ invoiceId }) => invoiceId).toSorted()).toEqual([back, lost].toSorted());
});

test('numbers follow each other without gaps when many issue at once and some fail', async () => {
  const people = await Promise.all(Array.from({ length: 30 }, () => createUser(db, {})));
  for (const { id } of people) await paid(id, { amount: 799 });
  const failing = people.slice(0, 6).map(({ id }) =>
    db
      .transaction(async (tx) => {
        await issueDocuments(tx, { of: id });
        throw new Error('after the numbers were taken');
      })
      .catch((error: Error) => error.message),
  );
  const [messages] = await Promise.all([
    Promise.all(failing),
    ...people.slice(6).map(({ id }) => issueDocuments(db, { of: id })),
    issueDocuments(db),
  ]);
  expect(new Set(messages)).toEqual(new Set(['after the numbers were taken']));
  await issueDocuments(db);
  const rows = await db.select().from(taxDocuments).where(eq(taxDocuments.kind, 'invoice'));
  const numbers = rows.map(({ number }) => Number(number.slice(-6))).toSorted((one, other) => one - other);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  const [series] = await db.select().from(taxNumbers).where(eq(taxNumbers.series, 'invoice'));
  expect(series?.last).toBe(numbers.length);
});

test('each year begins at one', async () => {
  const { id } = await createUser(db, {});
  await paid(id, { amount: 799, at: '2031-12-31T23:59:59Z' });
  await issueDocuments(db, { of: id, now: new Date('2032-01-01T00:00:01Z') });
  expect((await documentsOf(id))[0]?.number).toBe('SO-2032-000001');
});

test('a quarter is the sum of its invoices less its credit notes, and refunds count when they were made', async () => {
  const { id } = await createUser(db, {});
  const paidBy = { country: 'FI' };
  const old = await paid(id, { amount: 5988, at: '2024-03-31T23:59:59.999Z', paidBy });
  await paid(id, { amount: 799, at: '2024-04-01T00:00:00Z', paidBy });
  await paid(id, { amount: 799, at: '2024-06-30T23:59:59Z', paidBy: { country: 'FR' } });
  await paid(id, { amount: 800, at: '2024-05-01T00:00:00Z', paidBy, currency: 'jpy' });
  await paid(id, { amount: 799, at: '2024-07-01T00:00:00Z', paidBy });
  await issueDocuments(db, { of: id });
  await refunded(old, 5988, '2024-06-01T00:00:00Z');
  await issueDocuments(db, { of: id });
  const totals = (await sumTax(db, '2024-Q2')) ?? [];
  expect(totals).toEqual([
    {
      country: 'FI',
      permille: 240,
      currency: 'eur',
      invoices: 1,
      creditNotes: 1,
      net: 644 - 4829,
      tax: 155 - 1159,
      gross: 799 - 5988,
    },
    { country: 'FI', permille: 240, currency: 'jpy', invoices: 1, creditNotes: 0, net: 645, tax: 155, gross: 800 },
    { country: 'FR', permille: 200, currency: 'eur', invoices: 1, creditNotes: 0, net: 666, tax: 133, gross: 799 },
  ]);
  expect(taxCsv('2024-Q2', totals).split('\r\n')).toEqual([
    'Quarter,Country,Rate (%),Currency,Invoices,Credit notes,Net,Tax,Gross',
    '2024-Q2,FI,24,EUR,1,1,-41.85,-10.04,-51.89',
    '2024-Q2,FI,24,JPY,1,0,645,155,800',
    '2024-Q2,FR,20,EUR,1,0,6.66,1.33,7.99',
    '',
  ]);
  const sums = await db
    .select({ gross: sql<number>`sum(gross)`.mapWith(Number) })
    .from(taxDocuments)
    .where(sql`supplied_at >= '2024-04-01Z' and supplied_at < '2024-07-01Z'`);
  expect(totals.reduce((sum, { gross }) => sum + gross, 0)).toBe(sums[0]?.gross);
  expect(await sumTax(db, '2024-Q5')).toBeUndefined();
});

test('taxes of two countries on one invoice count for each, at its own rate', async () => {
  const { id } = await createUser(db, {});
  const invoiceId = await paid(id, { amount: 1200, at: '2023-05-01T00:00:00Z' });
  const ofState = { country: 'US', name: 'Sales Tax' };
  const taxes = [
    { ...ofState, state: 'NY', percentage: 4, amount: 20 },
    { ...ofState, state: null, percentage: 4.875, amount: 25 },
    { country: 'FR', state: null, name: 'VAT', percentage: 20, amount: 100 },
  ];
  await db.update(invoices).set({ taxes }).where(eq(invoices.id, invoiceId));
  await paid(id, { amount: 1200, at: '2023-05-02T00:00:00Z', paidBy: { country: 'FR' } });
  await issueDocuments(db, { of: id });
  expect((await documentsOf(id))[0]).toMatchObject({ country: 'FR', permille: 200, net: 1055, tax: 145 });
  const [french, american] = [
    { country: 'FR', permille: 200, currency: 'eur' },
    { country: 'US', permille: 89, currency: 'eur' },
  ];
  expect(await sumTax(db, '2023-Q2')).toEqual([
    { ...french, invoices: 2, creditNotes: 0, net: 728 + 1000, tax: 100 + 200, gross: 828 + 1200 },
    { ...american, invoices: 1, creditNotes: 0, net: 327, tax: 45, gross: 372 },
  ]);
  await refunded(invoiceId, 1200, '2023-06-01T00:00:00Z');
  await issueDocuments(db, { of: id });
  expect(await sumTax(db, '2023-Q2')).toEqual([
    { ...french, invoices: 2, creditNotes: 1, net: 1000, tax: 200, gross: 1200 },
    { ...american, invoices: 1, creditNotes: 1, net: 0, tax: 0, gross: 0 },
  ]);
});

test('with tax off an invoice has its number and seller, and no tax', async () => {
  await setTax({ mode: 'off' });
  const { id } = await createUser(db, {});
  await paid(id, { amount: 799, paidBy: { country: 'FR' } });
  await issueDocuments(db, { of: id });
  await setTax({ mode: 'table' });
  expect((await documentsOf(id))[0]).toMatchObject({
    permille: null,
    net: 799,
    tax: 0,
    seller: { vatId: 'DE123456789' },
  });
});

test('invoices say the one-stop shop and the seller’s note, which credit notes repeat', async () => {
  await setTax({ oneStopShop: true, note: 'Managing director: Ada' });
  const [{ id }, home] = [await createUser(db, {}), await createUser(db, {})];
  const invoiceId = await paid(id, { amount: 799, paidBy: { country: 'FR' } });
  await paid(home.id, { amount: 799, paidBy: { country: 'DE' } });
  await issueDocuments(db);
  await refunded(invoiceId, 799);
  await setTax({ oneStopShop: false, note: '' });
  await issueDocuments(db);
  const shown = await findInvoice(site.parts, id, invoiceId);
  if (shown === undefined) throw new Error('the invoice is missing');
  expect(invoiceText(shown).notes).toEqual([
    'The VAT is that of France, and is declared through the one-stop shop of the European Union.',
    'Managing director: Ada',
    'This invoice was made by a computer and is valid without a signature.',
  ]);
  const [, note] = await documentsOf(id);
  expect(note).toMatchObject({ kind: 'credit-note', seller: { oneStopShop: true } });
  expect((await documentsOf(home.id))[0]?.seller.oneStopShop).toBeUndefined();
});

test('a credit for unused time is a line, and lines that the provider cut short are one', async () => {
  const { id } = await createUser(db, {});
  await paid(id, { amount: 5988, credit: 400, paidBy: { country: 'FR' } });
  const cut = await paid(id, { amount: 5000, at: '2026-05-05T13:00:00Z', paidBy: { country: 'FR' } });
  await db.update(invoices).set({ amountPaid: 6000 }).where(eq(invoices.id, cut));
  await issueDocuments(db, { of: id });
  const [credited, short] = await documentsOf(id);
  expect(credited).toMatchObject({ gross: 5588, lines: [{ gross: 5988 }, { kind: 'credit', gross: -400, tax: -67 }] });
  expect(short).toMatchObject({ gross: 6000, net: 5000, lines: [{ kind: 'plan', gross: 6000 }] });
});

test('a deleted account leaves its invoices without the person, for the years of the setting', async () => {
  const { id } = await createUser(db, { email: 'gone@example.org', username: 'gone' });
  await noteRegion(db, id, 'FR');
  const invoiceId = await paid(id, { amount: 799, paidBy: { country: 'FR' } });
  await refunded(invoiceId, 100);
  await issueDocuments(db, { of: id });
  // Paid a moment ago, and not issued yet.
  await paid(id, { amount: 5988, paidBy: { country: 'FR' } });
  const before = await documentsOf(id);
  await db.transaction((tx) => personalData.erase(tx, id));
  const kept = await db
    .select()
    .from(taxDocuments)
    .where(sql`user_id is null`);
  expect(kept).toHaveLength(before.length + 1);
  for (const document of kept) {
    expect(document).toMatchObject({
      userId: null,
      invoiceId: null,
      refundId: null,
      buyer: null,

      evidence: null,
    });
    expect(document).toMatchObject({ country: 'FR', permille: 200, number: expect.any(String) });
  }
  expect(JSON.stringify(kept)).not.toMatch(/gone/);
  const old = kept.find(({ gross }) => gross === 799)?.id ?? '';
  const age = (text: string) =>
    db.execute(sql`update tax_documents set supplied_at = now() - ${text}::interval where id = ${old}`);
  await age('10 years -1 day');
  expect(await purgeDocuments(db)).toBe(0);
  await age('10 years 1 day');
  expect(await purgeDocuments(db)).toBe(1);
  // Those of people who are here stay.
  await db.execute(sql`update tax_documents set supplied_at = now() - interval '11 years' where user_id is not null`);
  expect(await purgeDocuments(db)).toBe(0);
});
