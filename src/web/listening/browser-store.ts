import type { PreferenceStore } from '#player/preferences.ts';

/** Local storage, where it may be had: in private windows and with cookies off, reading and writing throw. */
export const browserStore: PreferenceStore = {
  get(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Blocked or full: it holds for this page only.
    }
  },
};
