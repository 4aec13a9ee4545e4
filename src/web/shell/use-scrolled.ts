import { useSyncExternalStore } from 'react';

// React asks with every render of the page, where reading the position would compute the layout at once.
let isScrolled = false;

/** Whether the page is scrolled from its top. */
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
