import { type DataStrategyResult, type Location, isRouteErrorResponse } from 'react-router';
import { routePath } from '../ui/route-path.ts';
import { withResolvers } from '#player/with-resolvers.ts';
import { wasJustUnanswered } from '../api.ts';
import { retryRouteModules } from './route-modules.ts';

type Results = Record<string, DataStrategyResult>;

/** The current page, and callbacks for a failed refresh or navigation. */
export type PageKeeper = {
  location: Location;
  /** Ids of the routes whose data has loaded. */
  loaded: ReadonlySet<string>;
  onRefreshFailed(): void;
  /** Ends the navigation: returns to the current page, or loads the document at `url`. */
  onPageFailed(url: string, failed: 'script' | 'data'): void;
};

let keeper: PageKeeper | undefined;
let isReturning = false;
let hasRootFailed = false;
let hasSessionEnded = false;

/** @returns removes the keeper */
export function setPageKeeper(next: PageKeeper): () => void {
  keeper = next;
  return () => {
    if (keeper === next) keeper = undefined;
  };
}

/** The next load only returns to the current page, whose data is still there. */
export function returnToPage(): void {
  isReturning = true;
}

/** The root’s data failed to refresh. */
export function hasRootRefreshFailed(): boolean {
  return hasRootFailed;
}

/** The root’s data still shows the user. Nothing is reloaded before a navigation, which leaves typed text anyway. */
export function noteSessionEnd(): void {
  hasSessionEnded = true;
}

/** Whether the next navigation reloads the root’s data. */
export function isRootDataStale(): boolean {
  return hasRootFailed || hasSessionEnded;
}

/**
 * Client middleware of the root route. A failed refresh keeps the old data, a failed navigation keeps the page.
 * Responses about the page itself (404, 400) are shown in its place.
 */
export async function keepPage({ request }: { request: Request }, next: () => Promise<Results>): Promise<Results> {
  const isReturn = isReturning;
  isReturning = false;
  const page = keeper;
  if (page === undefined || request.method !== 'GET') return next();
  const isRefresh = isSamePage(request.url, page.location);
  // The return led to another page: show its error instead of returning once more.
  if (isReturn) return isRefresh ? {} : next();

  // The act that asked for newer data has failed for the same reason, and said so.
  const isToldOf = isRefresh && wasJustUnanswered();
  const results = await orFailedScript(next);
  if (request.signal.aborted) return {};
  const failed = Object.entries(results ?? {}).flatMap(([id, result]) => (isFailure(result) ? [id] : []));
  if (results !== undefined) {
    if ('root' in results) {
      hasRootFailed = failed.includes('root');
      hasSessionEnded = false;
    }
    const retained = failed.filter((id) => (isRefresh || id === 'root') && page.loaded.has(id));
    for (const id of retained) delete results[id];
    if (isRefresh && retained.length > 0 && !isToldOf) page.onRefreshFailed();
    if (isRefresh || retained.length === failed.length) return results;
  }
  page.onPageFailed(request.url, results === undefined ? 'script' : 'data');
  if (!request.signal.aborted)
    await new Promise((resolve) => request.signal.addEventListener('abort', resolve, { once: true }));
  return {};
}

/** @returns undefined when a script of the page failed to load */
async function orFailedScript(next: () => Promise<Results>): Promise<Results | undefined> {
  const { promise, resolve } = withResolvers<undefined>();
  const stop = retryRouteModules(() => resolve(undefined));
  try {
    return await Promise.race([next(), promise]);
  } finally {
    stop();
  }
}

function isSamePage(url: string, { pathname, search }: Location): boolean {
  const asked = new URL(url);
  asked.pathname = routePath(asked.pathname);
  return asked.href === new URL(pathname + search, url).href;
}

function isFailure({ type, result }: DataStrategyResult): boolean {
  if (type !== 'error' || result instanceof Response) return false;
  return !isRouteErrorResponse(result) || result.status >= 500 || result.status === 429;
}
