import { type CommandContext, countOf } from './command.ts';

/** Longest cell of a table. */
const maxWidth = 60;

/** Prints an answer for people: a list in columns, one thing in lines. */
export function printAnswer(answer: object | undefined, isJson: boolean, { print, note }: CommandContext): void {
  if (isJson) {
    print(JSON.stringify(answer ?? null, null, 2));
    return;
  }
  if (answer === undefined || (!Array.isArray(answer) && Object.keys(answer).length === 0)) {
    print('Done.');
    return;
  }
  // As in JSON: times are texts, and undefined fields are not there.
  const { items, ...rest } = JSON.parse(JSON.stringify(Array.isArray(answer) ? { items: answer } : answer)) as {
    items?: Row[];
  };
  if (!Array.isArray(items)) {
    for (const line of linesOf({ ...rest, ...(items !== undefined && { items }) })) print(line);
    return;
  }
  const [head, ...lines] = tableOf(items);
  // Apart from the lines, which other programs read.
  if (lines.length > 0) note(String(head));
  for (const line of lines) print(line);
  note(`${countOf(lines.length, 'line')}.`);
}

type Row = Record<string, unknown>;

function linesOf(thing: Row): string[] {
  const entries = Object.entries(thing).filter(([, value]) => !isEmpty(value));
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.flatMap(([name, value]) => {
    const [first = '', ...more] = (Array.isArray(value) ? listOf(value) : textOf(value)).split('\n');
    return [
      `${name.padEnd(width)}  ${first}`.trimEnd(),
      ...more.map((line) => `${' '.repeat(width)}  ${line}`.trimEnd()),
    ];
  });
}

/** One line for each. */
function listOf(values: unknown[]): string {
  return values.every((value) => typeof value === 'object') ? tableOf(values as Row[]).join('\n') : values.join(', ');
}

/**
 * The names of the columns, then the rows. Leaves out columns in which nothing stands, addresses of pictures, and ids
 * beside slugs.
 */
function tableOf(rows: Row[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.filter(
    (name) =>
      rows.some((row) => !isEmpty(row[name])) &&
      !/url$|color$|outline|icon/i.test(name) &&
      !(name === 'id' && names.includes('slug')),
  );
  const cells = [columns, ...rows.map((row) => columns.map((name) => cellOf(name, row[name])))];
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** A mark such as `isHidden` is shown as a word. */
function cellOf(name: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? name.replace(/^is(?=[A-Z])/, '').toLowerCase() : '';
  const text = textOf(value).replaceAll(/\s+/g, ' ');
  return text.length > maxWidth ? `${text.slice(0, maxWidth - 1)}…` : text;
}

/** A thing is shown by its name. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value !== 'object') return String(value);
  const { slug, name, title, username, label } = value as Record<string, unknown>;
  const named = slug ?? username ?? name ?? label ?? title;
  return typeof named === 'string' ? named : JSON.stringify(value);
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}
