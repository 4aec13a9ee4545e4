import type { EarningsOfMonth } from '#domain/earnings/earnings.ts';
import { statementText } from '#domain/earnings/statement-text.ts';
import { inLanguage } from '#i18n';
import { pdfLanguage } from '../account/invoice-pdf.ts';
import { makePdf } from '../pdf.ts';

type Names = { voice: string; site: string };

/** A creator's statement of a month as A4 pages. */
export async function statementPdf(earnings: EarningsOfMonth, { voice, site }: Names): Promise<Buffer> {
  const written = pdfLanguage();
  const { title, facts, heads, lines, total, notes } = inLanguage(written, () => statementText(earnings, voice, site));
  const createdAt = earnings.lockedAt ?? new Date();
  return makePdf({ title, author: site, createdAt, lang: written }, (page) => {
    page.title(title);
    for (const { label, value } of facts) page.fact(label, value);
    page.space(20);
    const [audio = '', ...columns] = heads;
    page.row(audio, columns, { weight: 700 });
    page.rule();
    for (const line of lines) page.row(line.title, line.cells, { note: line.note });
    page.rule();
    page.row(total.title, total.cells, { weight: 700 });
    page.space(20);
    for (const note of notes) page.text(note);
  });
}
