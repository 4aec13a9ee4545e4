import { useSyncExternalStore } from 'react';

/** False on the server and in the first render of the browser: for controls that differ until scripts run. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}

function subscribe(): () => void {
  return () => {};
}
