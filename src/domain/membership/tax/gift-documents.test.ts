import { asc, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import { openTestMembership } from '#test/support/payments/membership.ts';
import { operator } from '../../kernel/actor.ts';
import { newId } from '../../kernel/ids.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { hashCode } from '../gift-cards/gift-codes.ts';
import { documentText } from '../invoice-rules.ts';
import { personalData } from '../personal-data.ts';
import { giftCards, invoices } from '../tables.ts';
import { noteRegion, setVatId } from './buyer.ts';
import { issueDocuments } from './documents.ts';
import { withPresets } from './presets.ts';
import { sumTax } from './report.ts';
import { taxSetting } from './settings.ts';
import { taxDocuments } from './tables.ts';

const { db } = await createTestDatabase();
const site = openTestMembership(db);
const { value, revision } = await findSetting(db, taxSetting);
const seller = { name: 'Sotto Audio GmbH', address: 'Berlin', country: 'DE', vatId: 'DE123456789' };
const settings = { ...value, mode: 'table' as const, rates: withPresets([]), seller };
await db.transaction((tx) => changeSetting(tx, taxSetting, { actor: operator, value: settings, revision }));

let codes = 0;

/** A paid card. @returns its code too */
async function sold(buyer: { buyerId?: string; buyerEmail?: string } = {}, paidAt = '2025-06-15T12:00:00Z') {
  codes += 1;
  const [id, code] = [newId(), `GIFT-${codes}`];
  const card = { id, months: 3, amount: 1999, currency: 'eur', deliverAt: new Date(), paidAt: new Date(paidAt) };
  const awaits = { awaitsSaleDocument: true, awaitsRedemptionDocument: true, awaitsRefundDocument: true };
  await db.insert(giftCards).values({ ...card, ...buyer, paymentId: `pi_${id}`, codeHash: hashCode(code), ...awaits });
  return { id, code };
}

const documentsOf = (giftCardId: string) =>
  db.select().from(taxDocuments).where(eq(taxDocuments.giftCardId, giftCardId)).orderBy(asc(taxDocuments.number));

test('the sale has an invoice without tax, for a buyer without an account too, and says why', async () => {
  const { id } = await sold({ buyerEmail: 'grace@example.org' });
  expect(await site.findGiftInvoices(id, undefined)).toBeUndefined();
  expect(await issueDocuments(db)).toBe(1);
  expect(await issueDocuments(db)).toBe(0);
  expect(await documentsOf(id)).toMatchObject([
    {
      kind: 'invoice',
      subject: 'voucher',
      userId: null,
      country: '',
      permille: null,
      net: 1999,
      tax: 0,
      gross: 1999,
      buyer: { email: 'grace@example.org' },
      suppliedAt: new Date('2025-06-15T12:00:00Z'),
    },
  ]);
  const [shown] = (await site.findGiftInvoices(id, undefined)) ?? [];
  if (shown === undefined) throw new Error('the invoice is missing');
  const { lines, notes, facts } = documentText(shown, shown.document);
  expect(lines).toMatchObject([{ description: 'Gift card, 3 months', amounts: ['€19.99'] }]);
  expect(notes.join(' ')).toContain('multi-purpose voucher');
  expect(facts.map(({ label }) => label)).not.toContain('To');
  expect(await site.findGiftInvoices('not-an-id', undefined)).toBeUndefined();
});

test('the invoice of a card bought with an account is for its buyer only, whoever has the address', async () => {
  const buyer = await createUser(db, { email: 'tove@example.org' });
  await setVatId(db, buyer.id, 'FR12345678901');
  const own = await sold({ buyerId: buyer.id, buyerEmail: 'tove@example.org' });
  const nobodys = await sold({ buyerEmail: 'guest@example.org' });
  await issueDocuments(db);
  const stranger = await createUser(db, {});
  expect(await site.findGiftInvoices(own.id, buyer.id)).toMatchObject([
    { document: { buyer: { email: 'tove@example.org', vatId: 'FR12345678901' } } },
  ]);
  for (const viewer of [undefined, stranger.id]) {
    expect(await site.findGiftInvoices(own.id, viewer)).toBeUndefined();
    const shown = await site.findGiftInvoices(nobodys.id, viewer);
    expect(shown).toMatchObject([{ document: { gross: 1999 } }]);
    expect(JSON.stringify(shown)).not.toContain('guest@');
  }
});

test('tax is due when it is redeemed: by the country and the rates of that day, and nobody sees the price', async () => {
  const buyer = await createUser(db, { email: 'buyer@example.org' });
  await setVatId(db, buyer.id, 'FR12345678901');
  const { id, code } = await sold({ buyerId: buyer.id, buyerEmail: 'buyer@example.org' });
  const recipient = await createUser(db, {});
  // Estonia changed its rate on 1 July 2025.
  await noteRegion(db, recipient.id, 'EE');
  expect(await site.redeemGiftCard(recipient.id, code)).toMatchObject({ ok: true });
  await db
    .update(giftCards)
    .set({ redeemedAt: new Date('2025-07-02T08:00:00Z') })
    .where(eq(giftCards.id, id));
  await issueDocuments(db);
  const [sale, redemption] = await documentsOf(id);
  expect(sale).toMatchObject({ subject: 'voucher', userId: buyer.id, buyer: { vatId: 'FR12345678901' } });
  expect(redemption).toMatchObject({
    kind: 'invoice',
    subject: 'redemption',
    userId: null,
    buyer: null,
    country: 'EE',
    permille: 240,
    net: 1612,
    tax: 387,
    gross: 1999,
    evidence: { region: 'EE', payment: null },
  });
  // Sold in the second quarter, supplied in the third.
  expect(await sumTax(db, '2025-Q2')).toEqual([]);
  expect(await sumTax(db, '2025-Q3')).toMatchObject([{ country: 'EE', invoices: 1, tax: 387, gross: 1999 }]);
  const exported = JSON.stringify(await personalData.exportOf(db, recipient.id, 'secret'));
  expect(exported).not.toContain('1999');
  const shown = await site.findGiftInvoices(id, buyer.id);
  expect(shown?.map(({ document }) => document.subject)).toEqual(['voucher']);
});

test('a card that is paid back has a credit note, and if it was redeemed, so has that', async () => {
  const [unused, used] = [await sold(), await sold()];
  const { id } = await createUser(db, {});
  await noteRegion(db, id, 'FI');
  await site.redeemGiftCard(id, used.code);
  await issueDocuments(db);
  const at = new Date('2025-12-01T00:00:00Z');
  await db.update(giftCards).set({ refundedAt: at, refundState: 'asked' }).where(eq(giftCards.id, unused.id));
  expect(await issueDocuments(db)).toBe(0);
  await db.update(giftCards).set({ refundState: 'done' }).where(eq(giftCards.id, unused.id));
  await db.update(giftCards).set({ paidBackAt: at, refundState: 'done' }).where(eq(giftCards.id, used.id));
  expect(await issueDocuments(db)).toBe(3);
  const [sale, note] = await documentsOf(unused.id);
  expect(note).toMatchObject({ kind: 'credit-note', correctsNumber: sale?.number, gross: -1999, tax: 0 });
  const ofUsed = await documentsOf(used.id);
  expect(ofUsed.map(({ kind, subject, tax }) => [kind, subject, tax])).toEqual([
    ['invoice', 'voucher', 0],
    ['invoice', 'redemption', 406],
    ['credit-note', 'voucher', 0],
    ['credit-note', 'redemption', -406],
  ]);
  expect(await sumTax(db, '2025-Q4')).toMatchObject([{ country: 'FI', creditNotes: 1, tax: -406 }]);
  expect((await site.findGiftInvoices(used.id, undefined))?.map(({ document }) => document.kind)).toEqual([
    'invoice',
    'credit-note',
  ]);
});

test('a card that was paid back before its sale had an invoice has both, however many wait', async () => {
  const { id } = await createUser(db, {});
  const cards = [];
  for (let count = 0; count < 101; count++) cards.push(await sold({ buyerId: id }));
  const last = cards.map((one) => one.id).toSorted()[100] ?? '';
  await db.update(giftCards).set({ refundedAt: new Date(), refundState: 'done' }).where(eq(giftCards.id, last));
  expect(await issueDocuments(db, { of: id })).toBe(102);
  expect((await documentsOf(last)).map(({ kind }) => kind).toSorted()).toEqual(['credit-note', 'invoice']);
});

test('cards that operators made, and those of a provider in its own name, have none', async () => {
  const made = await sold();
  await db.update(giftCards).set({ paymentId: null }).where(eq(giftCards.id, made.id));
  const theirs = await sold();
  const none = { awaitsSaleDocument: false, awaitsRedemptionDocument: false, awaitsRefundDocument: false };
  await db.update(giftCards).set(none).where(eq(giftCards.id, theirs.id));
  expect(await issueDocuments(db)).toBe(0);
  const bought = (form: object) => site.buyGiftCard(undefined, form as never);
  const form = { months: 3, recipientEmail: 'a@example.org', buyerEmail: 'b@example.org' };
  const waits = async (id: string) => (await db.select().from(giftCards).where(eq(giftCards.id, id)))[0];
  expect(await waits((await bought(form)).giftCard.id)).toMatchObject({ awaitsSaleDocument: true });
  const { capabilities } = site.parts.payments;
  Object.assign(site.parts.payments, { capabilities: { ...capabilities, sellsInOwnName: true } });
  expect(await waits((await bought(form)).giftCard.id)).toMatchObject({ awaitsSaleDocument: false });
  Object.assign(site.parts.payments, { capabilities });
});

test('a deleted account takes its name off, also from cards that were bought without it', async () => {
  const { id } = await createUser(db, { email: 'gone@example.org' });
  const own = await sold({ buyerId: id, buyerEmail: 'gone@example.org' });
  const before = await sold({ buyerEmail: 'gone@example.org' });
  await issueDocuments(db);
  // Paid a moment ago, and not issued yet.
  await sold({ buyerId: id, buyerEmail: 'gone@example.org' });
  await db.transaction((tx) => personalData.erase(tx, id));
  await issueDocuments(db);
  // The card stays, and so does what it may still be taken back by.
  for (const card of [own, before])
    expect(await documentsOf(card.id)).toMatchObject([{ userId: null, buyer: null, giftCardId: card.id }]);
  const { rows } = await db.execute<{ row: string }>(sql`select to_jsonb(d)::text as row from tax_documents d`);
  expect(rows.map(({ row }) => row).join()).not.toContain('gone@');
});

test('a refund that was asked for before the account was deleted has its credit note', async () => {
  const { id } = await createUser(db, { email: 'asks@example.org' });
  const card = await sold({ buyerId: id, buyerEmail: 'asks@example.org' });
  await db.update(giftCards).set({ refundedAt: new Date(), refundState: 'asked' }).where(eq(giftCards.id, card.id));
  await db.transaction((tx) => personalData.erase(tx, id));
  await db.update(giftCards).set({ refundState: 'done' }).where(eq(giftCards.id, card.id));
  await issueDocuments(db);
  const [sale, note] = await documentsOf(card.id);
  expect(note).toMatchObject({ kind: 'credit-note', correctsNumber: sale?.number, gross: -1999, buyer: null });
});

test('a deleted account takes only its email off the invoices of others', async () => {
  const [ann, ben] = [await createUser(db, { email: 'ann@example.org' }), await createUser(db, {})];
  await setVatId(db, ben.id, 'FR12345678901');
  const card = await sold({ buyerId: ben.id, buyerEmail: 'ann@example.org' });
  await issueDocuments(db);
  await db.transaction((tx) => personalData.erase(tx, ann.id));
  expect(await documentsOf(card.id)).toMatchObject([
    { userId: ben.id, buyer: { name: null, email: null, vatId: 'FR12345678901' } },
  ]);
});

test('a lost dispute has a credit note over what was left, once', async () => {
  const { id } = await createUser(db, {});
  const at = new Date('2026-02-01T00:00:00Z');
  const cents = { subtotal: 799, discount: 0, credit: 0, total: 799, amountDue: 799, amountPaid: 799 };
  const span = { periodStart: at, periodEnd: at, createdAt: at, paidAt: at };
  const row = { id: newId(), userId: id, invoiceId: 'in_lost', status: 'paid', currency: 'eur', ...cents, ...span };
  await db.insert(invoices).values({ ...row, status: 'paid', lines: [], isDisputed: true, paidBy: { country: 'FR' } });
  expect(await issueDocuments(db, { of: id })).toBe(1);
  expect(await issueDocuments(db, { of: id })).toBe(0);
  await db
    .update(invoices)
    .set({ chargedBack: 799, chargedBackAt: new Date('2026-04-02T00:00:00Z') })
    .where(eq(invoices.id, row.id));
  expect(await issueDocuments(db, { of: id })).toBe(1);
  expect(await issueDocuments(db, { of: id })).toBe(0);
  const shown = await site.findInvoice(id, row.id);
  const [{ id: note } = { id: '' }] = shown?.creditNotes ?? [];
  const found = await site.findInvoice(id, note);
  expect(found?.document).toMatchObject({
    kind: 'credit-note',
    gross: -799,
    tax: -133,
    lines: [{ kind: 'charge-back' }],
  });
  expect(await sumTax(db, '2026-Q2')).toMatchObject([{ country: 'FR', creditNotes: 1, tax: -133 }]);
});
