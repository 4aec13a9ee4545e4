import type { PreferenceStore } from '#player/stored.ts';

/** Local storage that never throws: in private windows and with cookies off, the browser’s own reads and writes do. */
export const browserStore = storeIn(() => globalThis.localStorage);

/** The same over session storage, which lasts as long as the tab. */
export const tabStore = storeIn(() => globalThis.sessionStorage);

/** Removes every key with the prefix from both stores, except `kept`. */
export function clearStores(prefix: string, kept: readonly string[]): void {
  for (const open of [() => localStorage, () => sessionStorage]) {
    try {
      const storage = open();
      for (const key of Object.keys(storage))
        if (key.startsWith(prefix) && !kept.includes(key)) storage.removeItem(key);
    } catch {
      // Blocked: there is nothing to remove.
    }
  }
}

/** @param open undefined on the server */
function storeIn(open: () => Storage | undefined): PreferenceStore {
  return {
    get(key) {
      try {
        return open()?.getItem(key) ?? null;
      } catch {
        return null;
      }
    },
    set(key, value) {
      try {
        // An empty value removes the key, so that a log-out leaves not even the key’s name.
        if (value === '') open()?.removeItem(key);
        else open()?.setItem(key, value);
      } catch {
        // Blocked or full: the value is lost when the page is left.
      }
    },
  };
}
