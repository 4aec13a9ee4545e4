import { invoiceText } from '#domain/membership/invoice-rules.ts';
import type { InvoiceDetail } from '#domain/membership/shapes.ts';
import { type Language, sourceLanguage } from '#formats/languages.ts';
import { inLanguage, language, languageFacts } from '#i18n';
import { makePdf } from '../pdf.ts';

/** The fonts have no Arabic, and lines run from left to right. */
export function pdfLanguage(): Language {
  return languageFacts().direction === 'rtl' ? sourceLanguage : language();
}

/** One invoice as an A4 page, with the content of the printable page. */
export async function invoicePdf(invoice: InvoiceDetail): Promise<Buffer> {
  const written = pdfLanguage();
  const { title, from, facts, heads, lines, sums, notes } = inLanguage(written, () => invoiceText(invoice));
  return makePdf({ title, author: invoice.seller, createdAt: invoice.createdAt, lang: written }, (page) => {
    page.title(title);
    for (const { label, lines: values } of [from, ...facts])
      for (const [index, value] of values.entries()) page.fact(index === 0 ? label : '', value);
    page.space(20);
    const [description = '', ...amounts] = heads;
    page.row(description, amounts, { weight: 700 });
    page.rule();
    for (const line of lines) page.row(line.description, line.amounts, { note: line.period });
    page.rule();
    for (const { label, amount: sum, isTotal } of sums) page.row(label, sum, { weight: isTotal ? 700 : 400 });
    page.space(20);
    for (const note of notes) page.text(note);
  });
}

/** Only ASCII letters, digits and hyphens, which are safe in headers and file systems. */
export function invoiceFileName({ number, id }: Pick<InvoiceDetail, 'number' | 'id'>): string {
  const name = (number ?? id).replaceAll(/[^A-Za-z0-9-]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return `invoice-${(name === '' ? id : name).slice(0, 60)}.pdf`;
}
