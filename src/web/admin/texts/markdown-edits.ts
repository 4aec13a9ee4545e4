/** A text and its selection. */
export type Selected = { text: string; start: number; end: number };

/** A replacement for a part of the text, and the selection afterwards, with positions in the new text. */
export type TextEdit = { from: number; to: number; insert: string; start: number; end: number };

/** Adds a mark such as `**` around the selection, or removes it. */
export function toggleMark({ text, start, end }: Selected, mark: string): TextEdit {
  const inner = text.slice(start, end);
  const { length } = mark;
  // `*` inside `**` is a different mark.
  const other = mark[0] ?? '';
  const isMarked =
    text.slice(start - length, start) === mark &&
    text.slice(end, end + length) === mark &&
    (length > 1 || (text[start - 2] !== other && text[end + 1] !== other));
  if (isMarked)
    return { from: start - length, to: end + length, insert: inner, start: start - length, end: end - length };
  return { from: start, to: end, insert: mark + inner + mark, start: start + length, end: end + length };
}

/** Turns the selection into the text of a link, and selects its address. */
export function toLink({ text, start, end }: Selected): TextEdit {
  const words = text.slice(start, end);
  const isAddress = /^(https?:\/\/|\/)\S+$/.test(words);
  const address = isAddress ? words : 'https://';
  const label = isAddress ? '' : words;
  const insert = `[${label}](${address})`;
  const at = start + (isAddress || label === '' ? 1 : label.length + 3);
  return { from: start, to: end, insert, start: at, end: isAddress || label === '' ? at : at + address.length };
}

/** Adds a prefix such as `> ` to each selected line, or removes it when all lines have it. */
export function togglePrefix({ text, start, end }: Selected, prefix: string | ((line: number) => string)): TextEdit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next === -1 ? text.length : next;
  const prefixOf = typeof prefix === 'string' ? () => prefix : prefix;
  const lines = text.slice(from, to).split('\n');
  const hasAll = lines.every((line, index) => line.startsWith(prefixOf(index)));
  const insert = lines
    .map((line, index) => (hasAll ? line.slice(prefixOf(index).length) : prefixOf(index) + line))
    .join('\n');
  return { from, to, insert, start: from, end: from + insert.length };
}
