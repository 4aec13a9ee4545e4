import type { TabMemory } from './entrance.ts';

const key = 'sotto.paid-link';

/** Where storage is blocked, it holds for this page only. */
export function paidLinkMemory(): TabMemory {
  let isKeptHere = false;
  return {
    keep() {
      isKeptHere = true;
      attempt(() => sessionStorage.setItem(key, '1'));
    },
    isKept: () => isKeptHere || attempt(() => sessionStorage.getItem(key)) === '1',
    forget() {
      isKeptHere = false;
      attempt(() => sessionStorage.removeItem(key));
    },
  };
}

function attempt<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
