import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import type { InvoiceDetail } from '#domain/membership/shapes.ts';
import type { Language } from '#formats/languages.ts';
import { inLanguage } from '#i18n';
import { invoiceFileName, invoicePdf } from './invoice-pdf.ts';

const at = new Date('2026-11-29T10:00:00Z');
const invoice: InvoiceDetail = {
  id: '0197b0c0-0000-7000-8000-000000000001',
  number: 'SOTTO-0007',
  status: 'paid',
  amount: 4491,
  refunded: 0,
  currency: 'usd',
  createdAt: at,
  paidAt: at,
  period: { start: at, end: at },
  subtotal: 5988,
  discount: 1497,
  credit: 0,
  amountDue: 4491,
  amountPaid: 4491,
  lines: [
    {
      description: '1 × Sotto annual (at $59.88 / year)',
      amount: 5988,
      start: '2026-11-29T10:00:00Z',
      end: '2027-11-29T10:00:00Z',
    },
  ],
  billedTo: 'ada@example.org',
  seller: 'Sotto — Łódź, Київ, Αθήνα, 夜',
  soldBy: null,
  document: null,
  countryName: null,
  creditNotes: [],
};

async function readBack(changes: Partial<InvoiceDetail> = {}) {
  const document = await getDocumentProxy(new Uint8Array(await invoicePdf({ ...invoice, ...changes })));
  const { text, totalPages } = await extractText(document, { mergePages: true });
  return { text: text.replaceAll(/\s+/g, ' '), totalPages };
}

test('an invoice reads as it is printed, in one format of dates and in every alphabet that the site has', async () => {
  const { text, totalPages } = await readBack();
  expect(totalPages).toBe(1);
  for (const part of [
    'Invoice SOTTO-0007',
    'From Sotto — Łódź, Київ, Αθήνα, ?',
    'To ada@example.org',
    'Date 29 November 2026',
    'Status Paid on 29 November 2026',
    'Description',
    '1 × Sotto annual (at $59.88 / year)',
    '29 November 2026 to 29 November 2027',
    'Subtotal',
    '-$14.97',
    '$44.91',
  ])
    expect(text).toContain(part);
});

test('an invoice is in the language of its reader, and in English where its fonts have no letters', async () => {
  const textIn = async (language: Language) => (await inLanguage(language, () => readBack())).text;
  expect(await textIn('de')).toContain('Rechnung SOTTO-0007');
  expect(await textIn('fr')).toMatch(/44,91 \$US/);
  expect(await textIn('ar')).toContain('Invoice SOTTO-0007');
});

test('a refunded invoice says how much was given back', async () => {
  expect((await readBack()).text).not.toContain('Refunded');
  expect((await readBack({ refunded: 200 })).text).toMatch(/Paid \$44\.91 Refunded -\$2\.00$/);
});

test('an open invoice says what is due, and one of many lines takes several pages', async () => {
  const lines = Array.from({ length: 24 }, (_, index) => ({
    description: `Line ${index} ${'of a long description '.repeat(4)}`.trim(),
    amount: 100,
    start: '2026-11-29T10:00:00Z',
    end: '2026-12-29T10:00:00Z',
  }));
  const { text, totalPages } = await readBack({ status: 'open', paidAt: null, lines, credit: 100 });
  expect(totalPages).toBe(3);
  expect(text).toContain('Status Open');
  expect(text).toContain('Line 23 of a long');
  expect(text).toMatch(/Due ?\$44\.91$/);
});

test('a file name has nothing that a header or a file system could take for something else', () => {
  expect(invoiceFileName(invoice)).toBe('invoice-SOTTO-0007.pdf');
  expect(invoiceFileName({ ...invoice, number: '..\\"\r\nX: 1/ü' })).toBe('invoice-X-1.pdf');
  expect(invoiceFileName({ ...invoice, number: null })).toBe(`invoice-${invoice.id}.pdf`);
});
