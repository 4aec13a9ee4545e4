/** Set aside of each ten places, from 0; the first three are the best that is known. */
const places = new Set([3, 7]);

/** @param place in a list of any length, from 0 */
export const isForLittleHeard = (place: number) => places.has(place % 10);

/**
 * Puts two of each ten places aside for what few have heard, so that it is found at all: people hear what they are shown,
 * and are shown what people heard.
 * @param best in order; may have those of `little`, which is in order too. @returns each once, up to `limit`
 */
export function withLittleHeard<Item>(best: readonly Item[], little: readonly Item[], limit: number): Item[] {
  const mixed = new Set<Item>();
  const [known, rare] = [best.values(), little.values()];
  const next = (from: Iterator<Item>) => {
    let one = from.next();
    while (one.done !== true && mixed.has(one.value)) one = from.next();
    return one;
  };
  while (mixed.size < limit) {
    const aside = isForLittleHeard(mixed.size) ? next(rare) : undefined;
    const one = aside === undefined || aside.done === true ? next(known) : aside;
    if (one.done === true) break;
    mixed.add(one.value);
  }
  return [...mixed];
}
