/** In place of `#` in compiled texts, so that a `#` in a value stays. */
export const numberMark = '\u0001';

export type Choose = (value: unknown, cases: Record<string, string>, isOrdinal?: unknown) => string;

/**
 * Finds the case of a plural or a selection in a language: by number, by plural category, or by the value itself.
 * @param tag BCP 47
 * @param write the number in place of `numberMark`
 */
export function createChoose(tag: string, write: (count: number) => string): Choose {
  const cardinal = new Intl.PluralRules(tag);
  return (value, cases, isOrdinal) => {
    const own = cases[value as string];
    if (typeof value !== 'number') return own ?? cases['other'] ?? '';
    const rules = isOrdinal ? new Intl.PluralRules(tag, { type: 'ordinal' }) : cardinal;
    return (own ?? cases[rules.select(value)] ?? cases['other'] ?? '').replaceAll(numberMark, write(value));
  };
}
