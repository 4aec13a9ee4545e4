import { useEffect, useEffectEvent } from 'react';
import type { RefObject } from 'react';
import type { Page } from '#domain/pages.ts';
import { usePages } from '#web/catalogue/use-pages.ts';

/** Items of one call, once the first page is there. */
const pageSize = 100;

/**
 * A list of which all is wanted: found by the browser's own search, dragged to its end, played through. The first page
 * is the route's; the rest follows by itself while nothing is more pressing, or, where data is to be saved, as one
 * comes near it.
 * @param more the list in the API
 * @param list while rows in it are dragged nothing is added
 */
export function useWholeList<Item extends { id: string }>(
  first: Page<Item>,
  more: string,
  list: RefObject<HTMLElement | null>,
) {
  const source = { path: `${more}${more.includes('?') ? '&' : '?'}limit=${pageSize}`, under: 'items' };
  const pages = usePages(first, source);
  const waits = pages.state === 'idle' && pages.nextCursor !== undefined;
  const load = useEffectEvent(() => void pages.loadMore());

  useEffect(() => {
    if (!waits || savesData()) return;
    let stop = whenIdle(attempt);
    function attempt(): void {
      if (list.current?.hasAttribute('data-sorting')) stop = whenIdle(attempt);
      else load();
    }
    return () => stop();
  }, [waits, pages.nextCursor, list]);

  return pages;
}

function savesData(): boolean {
  return (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;
}

/** @returns gives it up */
function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(act, { timeout: 1000 });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(act, 200);
  return () => clearTimeout(timer);
}
