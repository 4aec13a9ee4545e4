import { decodeHTML } from 'entities';
import { factsOf } from '#formats/format-facts.ts';
import { languageCodes } from '#formats/languages.ts';

const spoken = 'alt|title|placeholder|label|aria-(?:label|description|roledescription|valuetext)';
const described =
  /\s(?:name|property)="(?:description|application-name|og:(?:title|description)|twitter:(?:title|description))"/;

/** Texts that people see, hear or find, in their order; a text and a value beside it are two. */
export function textsIn(html: string): string[] {
  const found: string[] = [];
  const parts = html
    .replaceAll(/<!doctype[^>]*>|<(script|style|template)\b[\s\S]*?<\/\1>/gi, '')
    // In English on purpose.
    .replaceAll(/<(\w+)\b[^>]*\slang="en"[^>]*>[^<]*(?:<!--[^<]*)*<\/\1>/g, '')
    // Marks what was searched for.
    .replaceAll(/<\/?mark\b[^>]*>/g, '')
    .replaceAll(/<[a-z][^>]*>/g, (tag) => {
      for (const [, value = ''] of tag.matchAll(new RegExp(`\\s(?:${spoken})="([^"]*)"`, 'g'))) found.push(value);
      if (described.test(tag)) found.push(/\scontent="([^"]*)"/.exec(tag)?.[1] ?? '');
      return tag;
    })
    .split(/<[^>]*>/);
  return [...found, ...parts].map((text) => decodeHTML(text).replaceAll(/\s+/g, ' ').trim());
}

const withoutSigns = (text: string) => text.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
const hasWord = (text: string) => /\p{L}{2}/u.test(text);
const { months, monthNames, shortMonths, weekdays, shortWeekdays } = factsOf('de');
const namesOfDates = [months, monthNames, shortMonths, weekdays, shortWeekdays].flat();
/** In the language of the page, and units that all languages have. */
const named = new Set([
  ...languageCodes,
  ...namesOfDates.flatMap((name) => name.split(/[^\p{L}]+/u)),
  'UTC',
  'kHz',
  'MB',
  'GB',
  'kB',
  'LUFS',
  'MP3',
  'CSV',
]);

/**
 * @param content what people have written, and names
 * @returns finds what is neither a text of the catalogue nor content
 */
export function createFinder(content: Iterable<string>) {
  const known = new Set<string>();
  let all = '';
  for (const value of content) {
    const plain = value.replaceAll(/[*_#>[\]`\\]/g, '');
    for (const line of [value, ...plain.split('\n')]) known.add(withoutSigns(line.replaceAll(/\s+/g, ' ')));
    all += `${plain.replaceAll(/\s+/g, ' ')}\n`;
  }
  const isKnown = (text: string) => {
    const piece = withoutSigns(text);
    // Sentences of descriptions and articles, which have links and notes in between.
    if (known.has(piece) || (piece.length > 20 && all.includes(piece))) return true;
    // A path, an address, a code, or a name for programs.
    if (/^(?:https?:\S+|\/[\w/-]+|[a-z]+(?:[-._][a-z]+)+|[A-Z_]{3,}|(?=\S*\d)[\w.-]+)$/.test(text.trim())) return true;
    return !hasWord(
      piece
        .split(/[^\p{L}]+/u)
        .filter((word) => !named.has(word))
        .join(' '),
    );
  };
  return (text: string): string[] =>
    text
      .split(/⟦[^⟧]*⟧|\{\w+\}/)
      .flatMap((piece) => piece.split(' · '))
      // A title with its place in a list, or its time.
      .map((piece) => piece.replace(/(?<=\S),? [\d:]+$/, ''))
      .filter((piece) => !isKnown(piece))
      .flatMap((piece) => piece.split(/: |, | – |[“”\n]/))
      .filter((piece) => hasWord(piece) && !isKnown(piece));
}
