type Formats = { number: Intl.NumberFormat; cardinal: Intl.PluralRules; ordinal: Intl.PluralRules };

/** By BCP 47 tag. */
const known = new Map<string, Formats>();

function formatsOf(tag: string): Formats {
  const formats = known.get(tag) ?? {
    number: new Intl.NumberFormat(tag, { maximumFractionDigits: 0 }),
    cardinal: new Intl.PluralRules(tag),
    ordinal: new Intl.PluralRules(tag, { type: 'ordinal' }),
  };
  known.set(tag, formats);
  return formats;
}

/**
 * The case of a plural or a selection, with `#` as the number.
 * @param tag BCP 47
 * @param cases by number, by plural category of the language, or by the value itself
 */
export function chooseIn(tag: string, value: unknown, cases: Record<string, string>, isOrdinal?: unknown): string {
  const own = cases[String(value)];
  if (typeof value !== 'number') return own ?? cases['other'] ?? '';
  const { number, cardinal, ordinal } = formatsOf(tag);
  const found = own ?? cases[(isOrdinal ? ordinal : cardinal).select(value)] ?? cases['other'] ?? '';
  return found.replaceAll('#', number.format(value));
}
