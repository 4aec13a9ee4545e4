import { use } from 'react';
import { UNSAFE_DataRouterContext as DataRouterContext, type Path, useLocation, useNavigation } from 'react-router';
import { routePath } from './ui/route-path.ts';

/** Target of the navigation in progress, without the prefix of a language, as in `useLocation`. */
export function useNextLocation(): Path | undefined {
  const { location } = useNavigation();
  return location && { ...location, pathname: routePath(location.pathname) };
}

/** Query of the list’s address after the navigation in progress. */
export function usePendingSearch(): string {
  const { pathname, search } = useLocation();
  const next = useNextLocation();
  return next?.pathname === pathname ? next.search : search;
}

/**
 * For handlers: the same at the time of the call, which a slow render does not show yet. The hooks of React Router know
 * only the last render; its router is in this context.
 * @returns reads the query; undefined while another page loads
 */
export function useReadPendingSearch(): () => string | undefined {
  const { pathname } = useLocation();
  const router = use(DataRouterContext)?.router;
  return () => {
    if (router === undefined) throw new Error('useReadPendingSearch needs a data router around it');
    const { location, navigation } = router.state;
    const next = navigation.location ?? location;
    return routePath(next.pathname) === pathname ? next.search : undefined;
  };
}

/**
 * For handlers.
 * @returns keys of the current entry of the history, and of the one that a navigation in progress leads to
 */
export function useReadEntries(): () => { current: string | undefined; next: string | undefined } {
  const router = use(DataRouterContext)?.router;
  return () => ({ current: router?.state.location.key, next: router?.state.navigation.location?.key });
}
