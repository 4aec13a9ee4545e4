import { withoutEndSlashes } from '#formats/own-path.ts';
import { filterNames } from '#domain/catalogue/filters/rules.ts';

/** Query parameters that pages read; others are ignored in the cache key. */
const knownParameters = [
  'about',
  // The loaders whose data is requested (React Router).
  '_routes',
  ...filterNames,
  'comment',
  'cursor',
  'filters',
  'invoice',
  'languages',
  'mix',
  'page',
  'received',
  'search',
  'sort',
  'standalone',
  'tab',
  'to',
  'topics',
  'transcript',
  'utm_source',
  'why',
];

/** The same in each language. Search terms are unlimited, and new user playlists must be found at once, so search is never cached. */
export const searchAddress = /^\/search(?:\.data)?$/i;

/** Private pages of one notice are never cached, either. */
const reportAddress = /^\/report(?:\/.+|\.data)?$/i;

export function isUncached(path: string): boolean {
  return searchAddress.test(path) || reportAddress.test(path);
}

/** The router ignores case; the site's own addresses are lower-case. */
const slugAddress = /^\/(?:audio|creators|series|categories|playlists|blog)\/[\da-z-]+(?:\.data)?$/i;

/** The query reduced to known parameters in a fixed order, so that equal pages share a key. */
export function knownQuery(search: string): string {
  if (search === '') return '';
  const parameters = new URLSearchParams(search);
  const relevant = knownParameters.flatMap((name) => parameters.getAll(name).map((value) => [name, value]));
  return relevant.length === 0 ? '' : `?${new URLSearchParams(relevant)}`;
}

/**
 * Without a slash at its end, and in lower case where it names something of the catalogue.
 * @returns the path to redirect to; undefined for a canonical path
 */
export function canonicalPath(path: string): string | undefined {
  // A path that begins with two slashes would lead to another host.
  const isTrimmed = path === '/' || !path.endsWith('/');
  const trimmed = isTrimmed ? path : withoutEndSlashes(path).replace(/^\/*/, '/');
  const lowerCase = trimmed.toLowerCase();
  const canonical = slugAddress.test(lowerCase) ? lowerCase : trimmed;
  return canonical === path ? undefined : canonical;
}

/** Escapes the percent signs of broken escapes: people get the 404 page, and the router logs no warning. */
export function withoutBrokenEscapes(path: string): string {
  return path
    .split('/')
    .map((part) => (isDecodable(part) ? part : part.replaceAll('%', '%25')))
    .join('/');
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
