import { splitPrefix } from '#formats/languages.ts';

/** The parts of a request that the rules use. */
export type RequestFacts = Pick<Request, 'method' | 'mode' | 'url' | 'headers'>;

/** Built files, which never change under their name. Range requests go to the network. */
export function isBuiltFile({ method, url, headers }: RequestFacts, origin: string): boolean {
  const { pathname, origin: host } = new URL(url);
  return method === 'GET' && host === origin && pathname.startsWith('/assets/') && !headers.has('range');
}

/** Sound or cover of a download. @returns undefined for other requests */
export function downloadFileOf(
  { method, url }: RequestFacts,
  origin: string,
): { id: string; part: 'sound' | 'cover' } | undefined {
  const { pathname, origin: host } = new URL(url);
  const [, id, part] = /^\/kept\/([\w-]{1,64})\/(sound|cover)$/.exec(pathname) ?? [];
  if (method !== 'GET' || host !== origin || id === undefined) return undefined;
  return { id, part: part === 'cover' ? 'cover' : 'sound' };
}

/** Addresses that are not pages, although someone may open one in a tab. */
const noPage =
  /^\/(?:v\d+|media|images|cards|embed|assets|kept|identity|uploads|webhooks|sitemaps|metrics|healthz|readyz)(?:\/|$)|\.(?:xml|txt|js|webmanifest)$/;

/** A page navigation: goes to the network, and falls back to a stored page. */
export function isPage({ method, mode, url, headers }: RequestFacts, origin: string): boolean {
  const { pathname, origin: host } = new URL(url);
  return method === 'GET' && mode === 'navigate' && host === origin && !headers.has('range') && !noPage.test(pathname);
}

/**
 * Slug of the requested audio page: the document, or its data (`.data`) for the app.
 * @returns undefined for other requests
 */
export function audioPageOf(
  { method, url, headers }: RequestFacts,
  origin: string,
): { slug: string; isData: boolean } | undefined {
  const { pathname, origin: host } = new URL(url);
  const [, slug, data] = /^\/audio\/([^/.]{1,200})(\.data)?$/.exec(splitPrefix(pathname).path) ?? [];
  if (method !== 'GET' || host !== origin || headers.has('range') || slug === undefined) return undefined;
  return { slug: decoded(slug), isData: data !== undefined };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Requests that browsers make without this worker, if they support static routes. */
export const bypassed = ['/v1/*', '/v2/*', '/identity/*', '/media/*', '/images/*', '/uploads', '/uploads/*'];
