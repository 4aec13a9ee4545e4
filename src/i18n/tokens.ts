import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { type Choose, numberMark } from '#formats/choose.ts';

/** A message as Lingui compiles it: text, `[name]`, or `[name, 'plural', { one: […], other: […] }]`. */
export type Token = string | [name: string, type?: string, cases?: Record<string, unknown>];
export type Values = Record<string, unknown>;

export const kinds = ['plural', 'selectordinal', 'select'];

/** @throws for a message that ICU MessageFormat does not allow */
export function tokensOf(message: string): Token[] {
  return (compileMessageOrThrow(message) as Token[]).map((token) => marked(token, false));
}

/** @param isCounted within a plural, where `#` is its number */
function marked(token: Token, isCounted: boolean): Token {
  if (typeof token === 'string') return isCounted && token === '#' ? numberMark : token;
  const [name, kind, cases] = token;
  if (kind === undefined || cases === undefined) return token;
  const inner = (tokens: unknown) =>
    Array.isArray(tokens) ? tokens.map((one: Token) => marked(one, isCounted || kind !== 'select')) : tokens;
  return [name, kind, Object.fromEntries(Object.entries(cases).map(([key, tokens]) => [key, inner(tokens)]))];
}

export function casesOf(token: Token): [string, Token[]][] {
  const cases = Object.entries(typeof token === 'string' ? {} : (token[2] ?? {}));
  return cases.filter(([, tokens]) => Array.isArray(tokens)) as [string, Token[]][];
}

/** A message with its values, in pieces: text of the message, a value, text, a value … Only in the text are tags tags. */
export function partsOf(tokens: Token[], values: Values, choose: Choose): unknown[] {
  const parts: unknown[] = [''];
  for (const token of tokens) {
    if (typeof token === 'string') {
      parts.push(`${parts.pop()}${token}`);
      continue;
    }
    const [name, kind] = token;
    if (kind === undefined) parts.push(values[name], '');
    else {
      const cases = casesOf(token).map(([key, inner]) => [key, partsOf(inner, values, choose).join('')]);
      parts.push(`${parts.pop()}${choose(values[name], Object.fromEntries(cases), kind === 'selectordinal')}`);
    }
  }
  return parts;
}
