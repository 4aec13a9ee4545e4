/**
 * Cost of a match: the cheapest document comes first, and equal ones by plays. A missing word costs more than any
 * misspelling, a misspelling more than any field, a field more than a prefix (product.md, "Content").
 */

/** A typed word that the document lacks. Long words are more significant than short ones. */
export function costOfMissing(typed: string): number {
  return 40 + 5 * Math.min(typed.length, 8);
}

/** Each edit of a misspelled word. */
export const costOfEdit = 14;

/** Added for a wrong first letter, which people rarely mistype. */
export const costOfFirstLetter = 3;

/** By place in `searchedFields`. */
export const costsOfFields = [0, 2, 4, 7] as const;

/** A word that only begins with the typed text. */
export const costOfPrefix = 1;

/** Subtracted when the name has as many words as were typed; less than any cost. */
export const bonusForWholeName = 0.5;
