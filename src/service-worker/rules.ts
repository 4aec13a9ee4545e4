/** The parts of a request that the rules read. */
export type Asked = Pick<Request, 'method' | 'mode' | 'url' | 'headers'>;

/** Built files, which never change under their name. Range requests go to the network. */
export function isBuiltFile({ method, url, headers }: Asked, origin: string): boolean {
  const { pathname, origin: host } = new URL(url);
  return method === 'GET' && host === origin && pathname.startsWith('/assets/') && !headers.has('range');
}

/** Sound or cover of an audio that this device keeps. @returns undefined for other requests */
export function keptFileOf(
  { method, url }: Asked,
  origin: string,
): { id: string; part: 'sound' | 'cover' } | undefined {
  const { pathname, origin: host } = new URL(url);
  const [, id, part] = /^\/kept\/([\w-]{1,64})\/(sound|cover)$/.exec(pathname) ?? [];
  if (method !== 'GET' || host !== origin || id === undefined) return undefined;
  return { id, part: part === 'cover' ? 'cover' : 'sound' };
}

/** Addresses that are not pages, though somebody may open one in a tab. */
const noPage =
  /^\/(?:v\d+|media|images|cards|assets|kept|identity|uploads|webhooks|sitemaps|metrics|healthz|readyz)(?:\/|$)|\.(?:xml|txt|js|webmanifest)$/;

/** A page navigation: goes to the network, and gets a page of the device only when that fails. */
export function isPage({ method, mode, url, headers }: Asked, origin: string): boolean {
  const { pathname, origin: host } = new URL(url);
  return method === 'GET' && mode === 'navigate' && host === origin && !headers.has('range') && !noPage.test(pathname);
}

/**
 * Slug of the audio whose page is asked for: the document, or its data (`.data`) as the app loads it.
 * @returns undefined for other requests
 */
export function audioPageOf(
  { method, url, headers }: Asked,
  origin: string,
): { slug: string; isData: boolean } | undefined {
  const { pathname, origin: host } = new URL(url);
  const [, slug, data] = /^\/audio\/([^/.]{1,200})(\.data)?$/.exec(pathname) ?? [];
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

/** Addresses that browsers ask for without this worker, where they can be told so. */
export const bypassed = ['/v1/*', '/v2/*', '/identity/*', '/media/*', '/images/*', '/uploads', '/uploads/*'];
