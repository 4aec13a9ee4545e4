import type { MouseEvent } from 'react';

/**
 * For a link that, with script and a plain press, does something on this page instead. Without script, and with a key or another button
 * held (a new tab, a new window), it is the link that it looks like.
 */
export function onPlainPress(act: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    act();
  };
}
