import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';

const files = globSync('src/web/styles/fonts/*.woff2');

/** Places of tags in the list of known tables (https://www.w3.org/TR/WOFF2/#table_dir_format); 63: the tag follows. */
const known: Record<number, string> = { 5: 'name', 10: 'glyf', 11: 'loca' };

/** The tables of a WOFF 2.0 file, by tag; those without a tag here have a number. */
function tablesOf(file: Buffer): Map<string, Buffer> {
  let at = 48;
  const readNumber = () => {
    let number = 0;
    for (;;) {
      const byte = file.readUInt8(at++);
      number = number * 128 + (byte & 127);
      if (byte < 128) return number;
    }
  };
  const entries = Array.from({ length: file.readUInt16BE(12) }, () => {
    const flags = file.readUInt8(at++);
    const place = flags & 63;
    const tag = place === 63 ? file.toString('latin1', at, (at += 4)) : (known[place] ?? String(place));
    const length = readNumber();
    // For glyf and loca, 3 says that they are not transformed; for others, 0 does.
    const isTransformed = (tag === 'glyf' || tag === 'loca') !== flags >> 6 > 0;
    return { tag, length: isTransformed ? readNumber() : length };
  });
  const data = brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20)));
  let from = 0;
  return new Map(entries.map(({ tag, length }) => [tag, data.subarray(from, (from += length))]));
}

/** Ids of the names of a font (OpenType, "name"). */
function namesIn(table: Buffer): Set<number> {
  return new Set(Array.from({ length: table.readUInt16BE(2) }, (_, place) => table.readUInt16BE(6 + 12 * place + 6)));
}

/** Ids of names that the style attributes of a font refer to (OpenType, "STAT"). */
function namesOfStyles(table: Buffer): number[] {
  const [axisSize, axes, axesAt] = [table.readUInt16BE(4), table.readUInt16BE(6), table.readUInt32BE(8)];
  const [values, valuesAt] = [table.readUInt16BE(12), table.readUInt32BE(14)];
  return [
    ...Array.from({ length: axes }, (_, place) => table.readUInt16BE(axesAt + axisSize * place + 4)),
    ...Array.from({ length: values }, (_, place) => {
      const valueAt = valuesAt + table.readUInt16BE(valuesAt + 2 * place);
      return table.readUInt16BE(valueAt + (table.readUInt16BE(valueAt) === 4 ? 4 : 6));
    }),
    ...(table.readUInt16BE(2) >= 1 ? [table.readUInt16BE(18)] : []),
  ];
}

test('fonts refer to no name that they lack, which Firefox reports in the console of each page', () => {
  let styles = 0;
  for (const path of files) {
    const tables = tablesOf(readFileSync(path));
    const names = namesIn(tables.get('name') ?? Buffer.alloc(6));
    const stat = tables.get('STAT');
    const wanted = stat === undefined ? [] : namesOfStyles(stat);
    styles += wanted.length;
    expect(names.has(1)).toBe(true);
    expect([basename(path), wanted.filter((id) => !names.has(id))]).toEqual([basename(path), []]);
  }
  expect(files.length).toBeGreaterThan(5);
  expect(styles).toBeGreaterThan(0);
});
