import { useEffect, useEffectEvent } from 'react';

/** Each closes a dialog, menu or popover above the page; the lowest comes first. */
export const closings = new Set<() => void>();
let changed = () => {};

/** The shell gives each of them a history entry, so that Back closes the top one. */
export const openLayers = {
  subscribe(listener: () => void): () => void {
    changed = listener;
    return () => (changed = () => {});
  },
  count: () => closings.size,
};

/** @returns removes it */
export function addLayer(close: () => void): () => void {
  const own = () => close();
  closings.add(own);
  changed();
  return () => {
    closings.delete(own);
    changed();
  };
}

/** For what opens above the page: Back closes it. */
export function useLayer(isOpen: boolean, close: () => void): void {
  const latest = useEffectEvent(close);
  useEffect(() => (isOpen ? addLayer(latest) : undefined), [isOpen]);
}

/** For a `<details>` that opens above the page. @returns stops it */
export function followDetails(details: HTMLDetailsElement): () => void {
  let remove: (() => void) | undefined;
  const follow = () => {
    remove?.();
    remove = details.open ? addLayer(close) : undefined;
  };
  const close = () => {
    details.open = false;
    details.querySelector('summary')?.focus();
  };
  follow();
  details.addEventListener('toggle', follow);
  return () => {
    details.removeEventListener('toggle', follow);
    remove?.();
  };
}
