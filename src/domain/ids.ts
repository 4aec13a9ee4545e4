import { v7, validate } from 'uuid';

/** UUIDv7: made by the site, ordered by time (product.md, "Settled in detail"). */
export function newId(): string {
  return v7();
}

/** Ordered among the others as if it had been made then. */
export function newIdAt(time: Date): string {
  return v7({ msecs: time.getTime() });
}

export function isId(value: string): boolean {
  return validate(value);
}

export function isSlug(value: string): boolean {
  return value.length <= 120 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value);
}

/** A slug of any title: accents dropped, everything else that is no letter or digit becomes one hyphen. */
export function toSlug(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replace(/^-+|-+$/g, '');
}

/** What A–Z lists compare: accents, case, quotes and a leading article do not count. */
export function sortKey(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} ]+/gu, '')
    .trim();
  return plain.replace(/^(the|a|an) (?=\S)/, '');
}
