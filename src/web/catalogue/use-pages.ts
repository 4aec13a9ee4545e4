import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { Page } from '#domain/pages.ts';
import { apiFetch } from '../api.ts';
import { useSession } from '../identity/session-provider.tsx';

/** Where the rest of a list is asked for: a list of the API, with its filters, and the key its items are under. */
export type PageSource<Item = never> = {
  path: string;
  under: string;
  /** What an item of the API is here; the same when left out. Stays the same function. */
  read?: (item: never) => Item;
};

/** Lists as they were left, so that "back" finds its place in them again. By path, user and history entry; the oldest go first. */
const left = new Map<string, Page<{ id: string }>>();
const mostLeft = 12;

/** For what changes lists that are not shown: "back" asks for them anew. @param under only those that are asked for there */
export function forgetLeftLists(under = ''): void {
  for (const place of left.keys()) if (place.startsWith(under)) left.delete(place);
}

/**
 * A list that goes on: the first page is the route's, the others are fetched. Not by the router's fetcher, whose failure
 * would take the page's place; here what is shown stays, and the listener may try again.
 */
export function usePages<Item extends { id: string }>(first: Page<Item>, source: PageSource<Item>) {
  const { key } = useLocation();
  const { user } = useSession();
  const place = `${source.path} ${user?.id} ${key}`;
  const [pages, setPages] = useState(() => findLeft(place, first) ?? first);
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const request = useRef<AbortController>(undefined);
  const [entry, setEntry] = useState({ place, first });

  // Another list, or another history entry: begin with its own first page.
  if (entry.first !== first) {
    setEntry({ place, first });
    setPages((entry.place === place ? undefined : findLeft(place, first)) ?? first);
    setState('idle');
  }
  useEffect(() => () => request.current?.abort(), [first]);

  async function loadMore(): Promise<void> {
    if (state === 'loading' || pages.nextCursor === undefined) return;
    const controller = new AbortController();
    request.current = controller;
    setState('loading');
    try {
      const next = await fetchPage<Item>(source, pages.nextCursor, controller.signal);
      if (controller.signal.aborted) return;
      setPages((before) => {
        const known = new Set(before.items.map((item) => item.id));
        const grown = {
          items: [...before.items, ...next.items.filter((item) => !known.has(item.id))],
          nextCursor: next.nextCursor,
        };
        keep(place, grown);
        return grown;
      });
      setState('idle');
    } catch {
      if (!controller.signal.aborted) setState('failed');
    }
  }

  /** For what is done to the list on this page, which stays done when one comes back to it. */
  function change(edit: (items: Item[]) => Item[]): void {
    setPages((before) => {
      const changed = { ...before, items: edit(before.items) };
      keep(place, changed);
      return changed;
    });
  }

  return { items: pages.items, nextCursor: pages.nextCursor, state, loadMore, change };
}

/** As it was left, unless the first page, which was just made anew, says that it is another list by now. */
function findLeft<Item extends { id: string }>(place: string, first: Page<Item>): Page<Item> | undefined {
  const pages = left.get(place) as Page<Item> | undefined;
  if (pages === undefined || (first.nextCursor === undefined && pages.items.length !== first.items.length)) return;
  return first.items.every(({ id }, index) => pages.items[index]?.id === id) ? pages : undefined;
}

function keep(place: string, pages: Page<{ id: string }>): void {
  left.delete(place);
  left.set(place, pages);
  for (const oldest of left.keys()) {
    if (left.size <= mostLeft) break;
    left.delete(oldest);
  }
}

async function fetchPage<Item>(source: PageSource<Item>, cursor: string, signal: AbortSignal): Promise<Page<Item>> {
  const url = new URL(source.path, window.location.origin);
  url.searchParams.set('cursor', cursor);
  const response = await apiFetch(url.pathname + url.search, { signal, headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`The list answered ${response.status}`);
  const answer = (await response.json()) as Record<string, never[]> & { nextCursor?: string };
  const items: never[] = answer[source.under] ?? [];
  return { items: source.read === undefined ? items : items.map(source.read), nextCursor: answer.nextCursor };
}
