import type { MiddlewareHandler } from 'hono';
import { sessionTokenOf } from './viewer.ts';

export type FromReplica = <Result>(work: () => Result) => Result;

/** Lists, details, search, feeds and sitemaps; excludes purchases and confirmations that may have just happened. */
const catalogue =
  /^(?:\/v\d+\/api)?\/(?:(?:audios?|content|creators|voices|series|categories|playlists|users-playlists|users|tags|blog|search|sitemaps|suggestions)(?:[/.]|$)|(?:sitemap\.xml|_root\.data)?$)/;

/**
 * Lets a database replica answer visitors. Users with a session read the primary, and so see their own writes at once.
 */
export function readForVisitors(fromReplica: FromReplica): MiddlewareHandler {
  return ({ req }, next) => (isVisitorsRead(req.raw, req.path) ? fromReplica(next) : next());
}

function isVisitorsRead(request: Request, path: string): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (!catalogue.test(path) || path.includes('/play/') || path.endsWith('/play')) return false;
  return request.headers.get('authorization') === null && sessionTokenOf(request) === undefined;
}
