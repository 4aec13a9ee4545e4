/**
 * One line of CSV (RFC 4180). Heads and words of the site stay English, and numbers and times are plain: the same
 * formulas and programs read the files of all operators and creators. A cell that a spreadsheet would run as a formula gets an apostrophe in front
 * (https://owasp.org/www-community/attacks/CSV_Injection); some also run those with wide or small signs.
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

/** Cells of a file (RFC 4180), line by line; lines may end with a line feed alone. Empty lines are left out. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  // An unquoted or quoted cell, and what ends it.
  const pattern = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  while (pattern.lastIndex < text.length || cells.length > 0) {
    const [, quoted, plain = '', end] = pattern.exec(text) ?? [];
    if (end === undefined) break;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (cells.length > 1 || cells[0] !== '') rows.push(cells);
    cells = [];
  }
  return rows;
}
