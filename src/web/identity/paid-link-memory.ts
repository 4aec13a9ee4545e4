import { tabStore } from '../browser-store.ts';
import type { TabMemory } from './auth-flow.ts';

const key = 'sotto.paid-link';

/** When storage is blocked, the flag lasts for this page only. */
export function paidLinkMemory(): TabMemory {
  let isKeptHere = false;
  return {
    keep() {
      isKeptHere = true;
      tabStore.set(key, '1');
    },
    isKept: () => isKeptHere || tabStore.get(key) === '1',
    clear() {
      isKeptHere = false;
      tabStore.set(key, '');
    },
  };
}
