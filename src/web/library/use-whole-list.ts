import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { Page } from '#domain/kernel/pages.ts';
import { usePages } from '#web/catalogue/lists/use-pages.ts';
import { savesData } from '#player/network.ts';

/** Items per call, after the first page. */
const pageSize = 100;

/**
 * List that loads completely, for find in page, dragging and playing through. The route loads the first page; the rest
 * follows when the browser is idle or, with data saving on, when its end comes near.
 * @param more API path of the list
 * @param list nothing is added while its rows are dragged
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

/** @returns a function that cancels it */
function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(act, { timeout: 1000 });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(act, 200);
  return () => clearTimeout(timer);
}
