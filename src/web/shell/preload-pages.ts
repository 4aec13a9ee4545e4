import { browserLimits } from '#player/browser-limits.ts';
import { timedFetch } from '#player/timed-fetch.ts';
import { loadScript } from '../load-chunk.ts';

type BuiltRoute = { id: string; module: string; parentId?: string; css?: string[] };

/** Layout route of the listeners’ pages (routes.ts). */
const layoutId = 'routes/listener';

/** In that layout too, with the styles of Admin. */
const isForOperators = ({ id }: BuiltRoute) => id.startsWith('routes/admin/');

/** Code and styles that pages load when something is pressed. */
const lateModules = [
  () => import('../api-client.ts'),
  () => import('./account-modals.tsx'),
  () => import('../community/comments.tsx'),
  () => import('../library/own-playlist.tsx'),
  () => import('../library/playlist-picker.tsx'),
  () => import('../player/expanded-player.tsx'),
  () => import('../listening/lazy-player.ts'),
  () => import('../player/player-menu-items.tsx'),
  () => import('../player/queue-view.tsx'),
  () => import('../player/sleep/sleep-timer-controls.tsx'),
  () => import('../catalogue/audio-menu-items.tsx'),
  () => import('../search/search-combobox.tsx'),
  () => import('../ui/layers/menu-popup.tsx'),
  () => import('../ui/layers/popover-popup.tsx'),
  () => import('../ui/layers/toasts.tsx'),
  () => import('./account-menu-items.tsx'),
  () => import('./site-menu-items.tsx'),
];

/** Loads the scripts and styles of all listeners’ pages, so that they work offline and after a new build. */
export async function preloadPages(): Promise<void> {
  const manifest = (window as { __reactRouterManifest?: { routes: Record<string, BuiltRoute> } }).__reactRouterManifest;
  const routes = manifest?.routes ?? {};
  const isPage = ({ parentId }: BuiltRoute): boolean => {
    const parent = parentId === undefined ? undefined : routes[parentId];
    return parentId === layoutId || (parent !== undefined && isPage(parent));
  };
  const pages = Object.values(routes).filter((route) => isPage(route) && !isForOperators(route));
  const styles = new Set(pages.flatMap(({ css = [] }) => css));
  await Promise.all([
    ...pages.map(({ module }) => loadScript(module)),
    ...[...styles].map((address) => timedFetch(address, { limitMs: browserLimits.asset })),
    ...lateModules.map((load) => load()),
  ]);
}
