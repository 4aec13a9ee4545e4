import { useSyncExternalStore } from 'react';

/** The spec's resize debounce, in milliseconds. */
const settle = 200;

/**
 * From 1024 px, where the navigation is in the header. For behavior only; CSS handles the look. False on the server,
 * and 200 ms behind a resize.
 */
export function useIsDesktop(): boolean {
  return useMinWidth(1024);
}

/** Like `useIsDesktop`, for another width. @param width in pixels at the usual size of text, as in the styles */
export function useMinWidth(width: number): boolean {
  return useMediaQuery(`(min-width: ${width / 16}em)`);
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
