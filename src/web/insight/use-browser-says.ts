import { useSyncExternalStore } from 'react';

/** Something that only the browser knows, and that does not change while it is open; false on the server. */
export function useBrowserSays(read: () => boolean): boolean {
  return useSyncExternalStore(
    () => () => {},
    read,
    () => false,
  );
}
