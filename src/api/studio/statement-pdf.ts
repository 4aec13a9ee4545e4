import type { EarningsOfMonth } from '#domain/earnings/earnings.ts';
import type { StatementParties } from '#domain/earnings/statement-parties.ts';
import { statementText } from '#domain/earnings/statement-text.ts';
import { inLanguage } from '#i18n';
import { pdfLanguage } from '../account/invoice-pdf.ts';
import { makePdf } from '../pdf.ts';

type Names = { voice: string; site: string };

/** A creator's statement of a month as A4 pages. */
export async function statementPdf(earnings: EarningsOfMonth, names: Names, sides: StatementParties): Promise<Buffer> {
  const written = pdfLanguage();
  const text = inLanguage(written, () => statementText(earnings, names, sides));
  const { title, parties, facts, heads, lines, total, notes } = text;
  const longest = [heads.slice(1), ...[...lines, total].map(({ cells }) => cells)]
    .flat()
    .reduce((most, cell) => Math.max(most, cell.length), 0);
  // Points that a bold text of so many letters takes, and its distance.
  const columnWidth = Math.min(Math.max(64, longest * 6 + 12), 120);
  const createdAt = earnings.lockedAt ?? new Date();
  const footer = earnings.number ?? title;
  return makePdf({ title, author: names.site, createdAt, lang: written, footer }, (page) => {
    page.title(title);
    page.facts([parties, facts]);
    page.space(16);
    const [audio = '', ...columns] = heads;
    page.row(audio, columns, { weight: 700, columnWidth });
    page.rule();
    for (const line of lines) page.row(line.title, line.cells, { note: line.note, columnWidth });
    page.rule();
    page.row(total.title, total.cells, { weight: 700, columnWidth });
    page.space(20);
    for (const note of notes) page.text(note, { isSmall: true });
  });
}
