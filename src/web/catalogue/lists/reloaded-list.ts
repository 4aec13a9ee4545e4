import type { Page } from '#domain/kernel/pages.ts';

/**
 * Merges a reloaded first page (after log-in or a theme change) into a list with more pages: items after the last one
 * of that page stay. Starts over with the first page when the list has become a different one.
 */
export function withReloadedPage<Item extends { id: string }>(first: Page<Item>, grown: Page<Item>): Page<Item> {
  const last = first.items.at(-1);
  const at = last === undefined ? -1 : grown.items.findIndex(({ id }) => id === last.id);
  if (first.nextCursor === undefined || at === -1 || at === grown.items.length - 1) return first;
  const head = new Set(first.items.map(({ id }) => id));
  const tail = grown.items.slice(at + 1).filter(({ id }) => !head.has(id));
  return { items: [...first.items, ...tail], nextCursor: grown.nextCursor };
}
