import type { MouseEvent } from 'react';

/**
 * For links with an in-page action on a plain press. Without JavaScript, or with a modifier key or another mouse button
 * (new tab, new window), they work as normal links.
 */
export function onPlainPress(act: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    act();
  };
}
