/** What the worker looks at of a request. */
export type Asked = Pick<Request, 'method' | 'mode' | 'url' | 'headers'>;

/** Built files, which never change under their name. Whoever wants a part of one has the network. */
export function isKept({ method, url, headers }: Asked, origin: string): boolean {
  const { pathname, origin: host } = new URL(url);
  return method === 'GET' && host === origin && pathname.startsWith('/assets/') && !headers.has('range');
}

/** Addresses that are no page, though somebody may open one in a tab. */
const noPage =
  /^\/(?:v\d+|media|images|cards|assets|identity|webhooks|sitemaps|metrics|healthz|readyz)(?:\/|$)|\.(?:xml|txt|js|webmanifest)$/;

/** Somebody goes to a page: from the network as ever, and only without one is there something to show in its place. */
export function isPage({ method, mode, url, headers }: Asked, origin: string): boolean {
  const { pathname, origin: host } = new URL(url);
  return method === 'GET' && mode === 'navigate' && host === origin && !headers.has('range') && !noPage.test(pathname);
}
