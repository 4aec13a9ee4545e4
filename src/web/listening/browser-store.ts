import type { PreferenceStore } from '#player/preferences.ts';

/** Local storage, where it may be had: in private windows and with cookies off, reading and writing throw. */
export const browserStore = storeIn(() => localStorage);

/** The same for what lives as long as the tab. */
export const tabStore = storeIn(() => sessionStorage);

function storeIn(open: () => Storage): PreferenceStore {
  return {
    get(key) {
      try {
        return open().getItem(key);
      } catch {
        return null;
      }
    },
    set(key, value) {
      try {
        open().setItem(key, value);
      } catch {
        // Blocked or full: it holds for this page only.
      }
    },
  };
}
