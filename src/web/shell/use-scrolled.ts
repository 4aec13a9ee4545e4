import { useSyncExternalStore } from 'react';

/** Whether the page is scrolled from its top. */
export function useScrolled(): boolean {
  return useSyncExternalStore(
    onScroll,
    () => window.scrollY > 8,
    () => false,
  );
}

function onScroll(changed: () => void): () => void {
  window.addEventListener('scroll', changed, { passive: true });
  return () => window.removeEventListener('scroll', changed);
}
