import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ServerBuild } from 'react-router';

const file = fileURLToPath(new URL('../../build/server/index.js', import.meta.url));
const build = (await import(pathToFileURL(file).href)) as ServerBuild;

/** Paths of all pages, such as `/audio/:slug`; from the built routes, so that new pages are included. */
export function listPages(): string[] {
  return pathsOf(({ module }) => 'default' in module);
}

/** Also those of files, such as `/admin/log.csv`. */
export function listAddresses(): string[] {
  return pathsOf(() => true);
}

type Route = NonNullable<ServerBuild['routes'][string]>;

function pathsOf(isWanted: (route: Route) => boolean): string[] {
  const routes = Object.values(build.routes).flatMap((route) => (route === undefined ? [] : [route]));
  const pathOf = (id: string | undefined): string => {
    const route = routes.find((one) => one.id === id);
    if (route === undefined) return '';
    const before = pathOf(route.parentId);
    return route.path === undefined || route.path === '' ? before : `${before}/${route.path}`;
  };
  const parents = new Set(routes.map(({ parentId }) => parentId));
  const ends = routes.filter((route) => route.index === true || !parents.has(route.id));
  return [...new Set(ends.filter(isWanted).map(({ id }) => pathOf(id)))];
}
