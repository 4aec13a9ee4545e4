import { useSyncExternalStore } from 'react';

// React calls this in every render of the page, where reading the position would force a layout.
let isScrolled = false;

/** Whether the page is scrolled down. */
export function useScrolled(): boolean {
  return useSyncExternalStore(
    onScroll,
    () => isScrolled,
    () => false,
  );
}

function onScroll(changed: () => void): () => void {
  const read = () => {
    isScrolled = window.scrollY > 8;
    changed();
  };
  read();
  window.addEventListener('scroll', read, { passive: true });
  return () => window.removeEventListener('scroll', read);
}
