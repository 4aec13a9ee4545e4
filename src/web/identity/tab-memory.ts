import { tabStore } from '../browser-store.ts';

/** A text that lasts as long as the tab is open; with blocked storage, as long as the page. */
export function tabMemory(key: string) {
  let keptHere: string | undefined;
  return {
    keep(text: string): void {
      keptHere = text;
      tabStore.set(key, text);
    },
    read: (): string | undefined => tabStore.get(key) ?? keptHere,
    clear(): void {
      keptHere = undefined;
      tabStore.set(key, '');
    },
  };
}

export type TabMemory = ReturnType<typeof tabMemory>;

/** A link’s promo code: the payment may start on another page. */
export const promoCodeMemory = tabMemory('sotto.promo-code');
