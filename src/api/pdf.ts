import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';

const require = createRequire(import.meta.url);

/** Arimo has one file per alphabet; the first one with a letter draws it. */
const alphabets = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'hebrew', 'vietnamese'];
type Weight = 400 | 700;
const fontFile = (alphabet: string, weight: Weight) =>
  require.resolve(`@fontsource/arimo/files/arimo-${alphabet}-${weight}-normal.woff`);

const ranges: Record<string, [number, number][]> = Object.fromEntries(
  Object.entries(require('@fontsource/arimo/unicode.json') as Record<string, string>).map(([alphabet, text]) => [
    alphabet,
    text.split(',').map((range) => {
      const [from = '', to = from] = range.replace('U+', '').split('-');
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
    }),
  ]),
);

// Points; an A4 page is 595 by 842.
const left = 60;
const right = 535;
const amountWidth = 90;
const bottom = 770;
const footerAt = 796;
const [black, grey] = ['#000000', '#5a5a5a'];

/** `columnWidth`: of each value. */
type Row = { at?: number; size?: number; weight?: Weight; note?: string | undefined; columnWidth?: number };
type Fact = { label: string; lines: string[] };

/** Draws on A4 pages from the top; a row that does not fit begins the next one. */
export type Page = {
  /** A label, and a value at the end of the line, or several columns of them. */
  row(label: string, value: string | string[], options?: Row): void;
  /** A label beside its lines. */
  fact(label: string, value: string): void;
  /** Columns of facts beside each other, each with its label above. */
  facts(columns: Fact[][]): void;
  title(text: string): void;
  /** Begins a part. */
  heading(text: string): void;
  /** A paragraph over the whole width. */
  text(text: string, options?: Pick<Row, 'weight'> & { isSmall?: boolean }): void;
  rule(): void;
  space(points: number): void;
};

/** A document with a title, in a language that its fonts have. @param footer stands on each page, if there are several */
export async function makePdf(
  {
    title,
    author,
    createdAt,
    lang,
    footer = '',
  }: { title: string; author: string; createdAt: Date; lang: string; footer?: string },
  write: (page: Page) => void,
): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang,
    displayTitle: true,
    info: { Title: title, Author: author, CreationDate: createdAt },
  });
  const parts: Buffer[] = [];
  document.on('data', (part: Buffer) => parts.push(part));
  const whole = new Promise<void>((resolve, reject) => {
    document.on('end', resolve);
    document.on('error', reject);
  });

  let y = 72;
  function makeRoom(height: number): void {
    if (y + height <= bottom) return;
    document.addPage();
    y = 72;
  }
  write({
    row(label, value, { at = left, size = 10, weight = 400, note, columnWidth = amountWidth } = {}) {
      const values = [value].flat();
      const wrapped = wrap(document, label, right - columnWidth * values.length - at - 12, size, weight);
      makeRoom(wrapped.length * size * 1.5);
      const top = y;
      for (const line of wrapped) {
        draw(document, line, at, y, size, weight);
        y += size * 1.5;
      }
      for (const [index, text] of values.toReversed().entries()) {
        const end = right - columnWidth * index;
        draw(document, text, end - widthOf(document, text, size, weight), top, size, weight);
      }
      for (const line of note === undefined ? [] : wrap(document, note, right - at, 9, 400)) {
        makeRoom(15);
        draw(document, line, at, y, 9, 400);
        y += 15;
      }
      y += 6;
    },
    fact(label, value) {
      makeRoom(16);
      draw(document, label, left, y, 10, 700);
      for (const line of wrap(document, value, right - left - 80, 10, 400)) {
        makeRoom(16);
        draw(document, line, left + 80, y, 10, 400);
        y += 16;
      }
    },
    facts(columns) {
      const width = (right - left) / columns.length;
      const top = y;
      const ends = columns.map((facts, index) => {
        const x = left + width * index;
        let at = top;
        for (const { label, lines } of facts) {
          draw(document, label, x, at, 9, 400, grey);
          at += 14;
          for (const line of lines.flatMap((one) => wrap(document, one, width - 20, 10, 400))) {
            draw(document, line, x, at, 10, 400);
            at += 15;
          }
          at += 8;
        }
        return at;
      });
      y = Math.max(...ends);
    },
    title(text) {
      draw(document, text, left, y, 24, 700);
      y += 48;
    },
    heading(text) {
      makeRoom(60);
      y += 14;
      for (const line of wrap(document, text, right - left, 13, 700)) {
        draw(document, line, left, y, 13, 700);
        y += 20;
      }
      y += 4;
    },
    text(text, { weight = 400, isSmall = false } = {}) {
      const size = isSmall ? 9 : 10;
      for (const line of wrap(document, text, right - left, size, weight)) {
        makeRoom(16);
        draw(document, line, left, y, size, weight, isSmall ? grey : black);
        y += size * 1.5;
      }
      y += 4;
    },
    rule() {
      document.moveTo(left, y).lineTo(right, y).lineWidth(0.5).stroke('#999999');
      y += 10;
    },
    space(points) {
      y += points;
    },
  });
  const { count } = document.bufferedPageRange();
  for (let index = 0; index < count && count > 1 && footer !== ''; index += 1) {
    document.switchToPage(index);
    const number = `${index + 1} / ${count}`;
    draw(document, footer, left, footerAt, 9, 400, grey);
    draw(document, number, right - widthOf(document, number, 9, 400), footerAt, 9, 400, grey);
  }
  document.end();
  await whole;
  return Buffer.concat(parts);
}

const fontOf = (code: number) =>
  alphabets.find((alphabet) => ranges[alphabet]?.some(([from, to]) => code >= from && code <= to));

/** Whether the fonts have each letter; lines run from left to right, so Hebrew is none of them. */
export function canDraw(text: string): boolean {
  return [...text].every((letter) => {
    const alphabet = fontOf(letter.codePointAt(0) ?? 0);
    return /\s/.test(letter) || (alphabet !== undefined && alphabet !== 'hebrew');
  });
}

/** Pieces of one alphabet each. A letter that no file contains becomes a question mark. */
function runsOf(text: string): { alphabet: string; text: string }[] {
  const runs: { alphabet: string; text: string }[] = [];
  // PDFKit cannot read the no-break spaces of these fonts, which amounts have in many languages.
  for (const letter of text.replaceAll(/[\u00A0\u202F]/g, ' ')) {
    const code = letter.codePointAt(0) ?? 0;
    const last = runs.at(-1);
    const alphabet = fontOf(code);
    const drawn = alphabet === undefined ? '?' : letter;
    if (last !== undefined && last.alphabet === (alphabet ?? 'latin')) last.text += drawn;
    else runs.push({ alphabet: alphabet ?? 'latin', text: drawn });
  }
  return runs;
}

function widthOf(document: PDFKit.PDFDocument, text: string, size: number, weight: Weight): number {
  return runsOf(text).reduce(
    (width, run) => width + document.font(fontFile(run.alphabet, weight)).fontSize(size).widthOfString(run.text),
    0,
  );
}

function draw(
  document: PDFKit.PDFDocument,
  text: string,
  x: number,
  y: number,
  size: number,
  weight: Weight,
  color = black,
): void {
  let at = x;
  for (const run of runsOf(text)) {
    document.font(fontFile(run.alphabet, weight)).fontSize(size).fillColor(color);
    document.text(run.text, at, y, { lineBreak: false });
    at += document.widthOfString(run.text);
  }
}

function wrap(document: PDFKit.PDFDocument, text: string, max: number, size: number, weight: Weight): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).flatMap((one) => one.match(/.{1,80}/gsu) ?? [''])) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(document, longer, size, weight) <= max) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
