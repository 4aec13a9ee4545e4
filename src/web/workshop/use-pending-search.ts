import { useLocation, useNavigation } from 'react-router';

/** Query of the list’s address, as it will be after the navigation that is under way. */
export function usePendingSearch(): string {
  const { pathname, search } = useLocation();
  const { location: next } = useNavigation();
  return next?.pathname === pathname ? next.search : search;
}
