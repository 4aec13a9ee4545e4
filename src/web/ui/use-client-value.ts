import { useSyncExternalStore } from 'react';

const subscribe = () => () => {};

/** A value that only the browser has, and that does not change while the page is open. @param atFirst during SSR */
export function useClientValue<Value>(read: () => Value, atFirst: Value): Value {
  return useSyncExternalStore(subscribe, read, () => atFirst);
}

/** False on the server and in the first render of the browser: for controls that differ until scripts run. */
export function useHydrated(): boolean {
  return useClientValue(() => true, false);
}
