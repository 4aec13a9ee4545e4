import { readCatalogue } from '../../../src/i18n/catalogues.ts';
import { type Token, casesOf, tokensOf } from '../../../src/i18n/tokens.ts';
import { numberMark } from '#formats/choose.ts';

/** A page may begin a word with a capital letter. */
const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const letters = (text: string) => text.replaceAll(/[^\p{L}]+/gu, '').length;

/** A regular expression for a message: values are anything, and a choice is one of its cases. */
function patternOf(tokens: Token[]): string {
  return tokens
    .map((token) => {
      if (token === numberMark) return String.raw`[\d.,\s]+`;
      if (typeof token === 'string') return escaped(token.replaceAll(/\s+/g, ' ').toLowerCase());
      const cases = casesOf(token);
      return cases.length === 0 ? '.*?' : `(?:${cases.map(([, inner]) => patternOf(inner)).join('|')})`;
    })
    .join('');
}

/** @returns whether a text, or the part of one between elements, is a translation into this language */
export function createTranslated(code: string): (text: string) => boolean {
  const whole = new Set<string>();
  const patterns: RegExp[] = [];
  for (const message of readCatalogue(code).values()) {
    const pieces = message.split(/<\/?\d+\/?>/);
    for (const piece of pieces.length > 1 ? [...pieces, pieces.join('')] : pieces) {
      let tokens: Token[];
      try {
        tokens = tokensOf(piece);
      } catch {
        // An element within a choice divides it.
        continue;
      }
      for (const token of tokens) if (typeof token === 'string') whole.add(plain(token));
      const isPlain = tokens.every((token) => typeof token === 'string');
      if (!isPlain && letters(patternOf(tokens)) > 1) patterns.push(new RegExp(`^${patternOf(tokens).trim()}$`, 'u'));
    }
  }
  return (text) => whole.has(plain(text)) || patterns.some((pattern) => pattern.test(plain(text)));
}
