import { useSyncExternalStore } from 'react';

/** The spec's resize debounce, in milliseconds. */
const settle = 200;

/**
 * For behavior only; CSS handles the look. False on the server, and 200 ms behind a resize.
 * @param width in pixels at the usual size of text, as in the styles
 */
export function useMinWidth(width: number): boolean {
  return useSyncExternalStore(
    onSettledResize,
    () => window.matchMedia(`(min-width: ${width / 16}em)`).matches,
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
