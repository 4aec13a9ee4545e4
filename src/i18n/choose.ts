import { formatInteger } from '#formats/numbers.ts';

/**
 * The case of a plural or a selection, with `#` as the number.
 * @param tag BCP 47
 * @param cases by number, by plural category of the language, or by the value itself
 */
export function chooseIn(tag: string, value: unknown, cases: Record<string, string>, isOrdinal?: unknown): string {
  const own = cases[String(value)];
  if (typeof value !== 'number') return own ?? cases['other'] ?? '';
  const type = isOrdinal ? 'ordinal' : 'cardinal';
  const found = own ?? cases[new Intl.PluralRules(tag, { type }).select(value)] ?? cases['other'] ?? '';
  return found.replaceAll('#', formatInteger(value, tag));
}
