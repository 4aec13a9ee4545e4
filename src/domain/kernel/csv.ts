/**
 * One line of CSV (RFC 4180). Heads and words of the site stay English, and numbers and times are plain: the same
 * formulas and programs read the files of all operators and creators. A cell that a spreadsheet would run as a formula
 * gets an apostrophe in front (https://owasp.org/www-community/attacks/CSV_Injection); some also run those with wide or
 * small signs.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r\n]/.test(value.slice(0, 1).normalize('NFKC')) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A row of CSV. `line`: of the file, on which it begins. */
type CsvRow = { line: number; cells: string[] };

/**
 * Rows of CSV (RFC 4180) as spreadsheets of all countries write it: the first line says whether commas, semicolons or
 * tabs separate the cells. Leaves out empty rows, and the apostrophes that `csvLine` puts before formulas.
 * @returns undefined when a quoted cell does not end
 */
export function readCsv(file: string): CsvRow[] | undefined {
  const text = file.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const separator = separatorOf(text.slice(0, text.indexOf('\n') + 1 || undefined));
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let line = 1;
  let begin = 1;
  const endCell = () => {
    cells.push(/^'[=+\-@\t]/.test(cell.slice(0, 2).normalize('NFKC')) ? cell.slice(1) : cell);
    cell = '';
  };
  const endRow = () => {
    endCell();
    if (cells.some((one) => one.trim() !== '')) rows.push({ line: begin, cells });
    cells = [];
    begin = line;
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\n') line += 1;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text.charAt(at + 1) === '"') {
        cell += sign;
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell === '') isQuoted = true;
    else if (sign === separator) endCell();
    else if (sign === '\n') endRow();
    else cell += sign;
  }
  if (isQuoted) return undefined;
  endRow();
  return rows;
}

/** The most frequent one of the head; a comma without any. */
function separatorOf(head: string): string {
  const count = (sign: string) => head.split(sign).length;
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}
