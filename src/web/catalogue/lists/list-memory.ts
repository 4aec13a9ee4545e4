import type { Page } from '#domain/kernel/pages.ts';
import { listsChange } from '../../listening/suggestions/lists-change.ts';

/**
 * Lists as they were when their page was left, so that Back restores the scroll position. Keyed by path, user and
 * history entry; the oldest are dropped.
 */
const left = new Map<string, Page<{ id: string }>>();
const maxLists = 12;

/**
 * Call after changing a list that is not shown, so that Back reloads it.
 * @param under only lists whose path starts with this
 */
export function clearLeftLists(under = ''): void {
  for (const place of left.keys()) if (place.startsWith(under)) left.delete(place);
  window.dispatchEvent(new Event(listsChange));
}

/** The saved list, unless the freshly loaded first page shows that the list has changed. */
export function findLeftList<Item extends { id: string }>(place: string, first: Page<Item>): Page<Item> | undefined {
  const pages = left.get(place) as Page<Item> | undefined;
  if (pages === undefined || (first.nextCursor === undefined && pages.items.length !== first.items.length)) return;
  return first.items.every(({ id }, index) => pages.items[index]?.id === id) ? pages : undefined;
}

export function keepLeftList(place: string, pages: Page<{ id: string }>): void {
  left.delete(place);
  left.set(place, pages);
  for (const oldest of left.keys()) {
    if (left.size <= maxLists) break;
    left.delete(oldest);
  }
}
