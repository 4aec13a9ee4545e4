import { transliterate } from 'transliteration';
import { v7, validate } from 'uuid';

/** UUIDv7: made by the site, ordered by time (product.md, "Settled in detail"). */
export function newId(): string {
  return v7();
}

/** Sorts among other ids as if it had been created at that time. */
export function newIdAt(time: Date): string {
  return v7({ msecs: time.getTime() });
}

export function isId(value: string): boolean {
  return validate(value);
}

export function isSlug(value: string): boolean {
  return value.length <= 120 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value);
}

/**
 * A slug of any title: transliterated to Latin, everything except letters and digits becomes a hyphen. Empty for a
 * title without either; `claimSlug` then uses a fallback.
 */
export function toSlug(title: string): string {
  return transliterate(title.normalize('NFKC'))
    .toLowerCase()
    .replace(/['’`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replace(/^-+|-+$/g, '');
}

/**
 * Characters of a sort key. A cursor holds one, in at most 1,200 characters: 200 characters of four bytes, with the order
 * and the id, are 1,184 in base64.
 */
const longestSortKey = 200;

/**
 * A title as A–Z lists compare it: as written, without accents, case and punctuation. NFKD makes a Hangul syllable up to
 * three characters, so a long title is cut; ids order titles that are equal up to there.
 */
export function sortKey(title: string): string {
  const key = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} ]+/gu, '')
    .trim();
  return [...key].slice(0, longestSortKey).join('');
}
