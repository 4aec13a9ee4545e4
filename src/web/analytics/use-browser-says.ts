import { useSyncExternalStore } from 'react';

/** Client-only value that does not change while the page is open; false during SSR. */
export function useBrowserSays(read: () => boolean): boolean {
  return useSyncExternalStore(
    () => () => {},
    read,
    () => false,
  );
}
