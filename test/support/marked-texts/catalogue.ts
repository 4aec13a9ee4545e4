import type { readCatalogue as Original } from '../../../src/i18n/catalogues.ts';
import { type Token, casesOf, tokensOf } from '../../../src/i18n/tokens.ts';

// Its plain address leads here (register.ts).
const address = '../../../src/i18n/catalogues.ts?plain';
const { readCatalogue: read } = (await import(address)) as { readCatalogue: typeof Original };

/**
 * In place of `src/i18n/catalogues.ts` (register.ts): each language has the English texts between brackets. What a page
 * in German shows outside of them is content, or was never translatable.
 */
export function readCatalogue(): Map<string, string> {
  const texts = [...read('en')].map(([id, text]) => [id, marked(tokensOf(text))] as const);
  return new Map(texts);
}

/** Values and elements stay outside of the brackets, and so do signs, such as those of Markdown. */
function marked(tokens: Token[]): string {
  return tokens
    .map((token) => {
      if (typeof token === 'string') {
        const quoted = token.replaceAll("'", "''").replaceAll(/[{}]/g, "'$&'");
        return quoted.replaceAll(/<\/?\d+\/?>|[^<>[\]{}\n]*\p{L}[^<>[\]{}\n]*/gu, (part) =>
          part.startsWith('<') ? part : `⟦${part}⟧`,
        );
      }
      const [name, kind] = token;
      if (kind === undefined) return `{${name}}`;
      const cases = casesOf(token).map(([key, inner]) => `${key} {${marked(inner)}}`);
      return `{${name}, ${kind}, ${cases.join(' ')}}`;
    })
    .join('');
}
