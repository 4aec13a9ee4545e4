import { addLayer } from './layers/open-layers.ts';

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
