import type { EarningsOfMonth } from '#domain/earnings/earnings.ts';
import type { StatementParties } from '#domain/earnings/statement-parties.ts';
import { statementText } from '#domain/earnings/statement-text.ts';
import { inLanguage } from '#i18n';
import { pdfLanguage } from '../account/invoice-pdf.ts';
import { makePdf } from '../pdf.ts';

type Names = { voice: string; site: string };

/** A creator's statement of a month as A4 pages. */
export async function statementPdf(
  earnings: EarningsOfMonth,
  names: Names,
  parties: StatementParties,
): Promise<Buffer> {
  const written = pdfLanguage();
  const text = inLanguage(written, () => statementText(earnings, names, parties));
  const { title, facts, heads, lines, total, notes } = text;
  const createdAt = earnings.lockedAt ?? new Date();
  return makePdf({ title, author: names.site, createdAt, lang: written }, (page) => {
    page.title(title);
    for (const { label, lines: values } of facts)
      for (const [index, value] of values.entries()) page.fact(index === 0 ? label : '', value);
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
