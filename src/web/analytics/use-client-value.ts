import { useSyncExternalStore } from 'react';

/** Client-only value that does not change while the page is open; false during SSR. */
export function useClientValue(read: () => boolean): boolean {
  return useSyncExternalStore(
    () => () => {},
    read,
    () => false,
  );
}
