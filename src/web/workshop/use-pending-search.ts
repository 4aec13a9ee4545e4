import { useLocation, useNavigation } from 'react-router';

/** Query of the list’s address after the navigation in progress. */
export function usePendingSearch(): string {
  const { pathname, search } = useLocation();
  const { location: next } = useNavigation();
  return next?.pathname === pathname ? next.search : search;
}
