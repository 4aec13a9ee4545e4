import { useSyncExternalStore } from 'react';

/** The spec's resize debounce, in milliseconds. */
const settle = 200;

/**
 * From 1024 px, where the navigation stands in the header. For behaviour, never for looks (those are CSS): false on the
 * server, and 200 ms behind a resize.
 */
export function useIsDesktop(): boolean {
  return useMediaQuery('(min-width: 1024px)');
}

function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    onSettledResize,
    () => window.matchMedia(query).matches,
    () => false,
  );
}

function onSettledResize(changed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onResize = () => {
    clearTimeout(timer);
    timer = setTimeout(changed, settle);
  };
  window.addEventListener('resize', onResize);
  return () => {
    clearTimeout(timer);
    window.removeEventListener('resize', onResize);
  };
}
