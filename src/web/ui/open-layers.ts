import { useEffect, useEffectEvent } from 'react';

/** Closes the dialogs, menus and popovers above the page, lowest first. */
let closings: (() => void)[] = [];
const listeners = new Set<() => void>();

function change(changed: typeof closings): void {
  closings = changed;
  for (const listener of listeners) listener();
}

/** The shell gives each of them a history entry, so that Back closes the top one. */
export const openLayers = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  count: () => closings.length,
  /** Closes all but the lowest ones. Any of them may stay, such as a payment in progress. */
  closeAbove(lowest: number): void {
    for (const close of closings.slice(lowest).toReversed()) close();
  },
};

/** @returns removes it */
export function addLayer(close: () => void): () => void {
  const own = () => close();
  change([...closings, own]);
  return () => change(closings.filter((one) => one !== own));
}

/** For what opens above the page: Back closes it. */
export function useLayer(isOpen: boolean, close: () => void): void {
  const latest = useEffectEvent(close);
  useEffect(() => (isOpen ? addLayer(() => latest()) : undefined), [isOpen]);
}
