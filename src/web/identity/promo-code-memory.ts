import { tabStore } from '../browser-store.ts';

const key = 'sotto.promo-code';
// Fallback for this page only, when storage is blocked.
let keptHere: string | undefined;

/** Keeps a link’s promo code for this tab, because the payment may start on another page. */
export function keepPromoCode(code: string): void {
  keptHere = code;
  tabStore.set(key, code);
}

export function keptPromoCode(): string | undefined {
  return tabStore.get(key) ?? keptHere;
}

export function clearPromoCode(): void {
  keptHere = undefined;
  tabStore.set(key, '');
}
