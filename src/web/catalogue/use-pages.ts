import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { Page } from '#domain/pages.ts';
import { apiFetch } from '../api.ts';

type Pages<Item> = { first: Page<Item>; items: Item[]; nextCursor: string | undefined };

/** Where the rest of a list is asked for: a list of the API, with its filters, and the key its items are under. */
export type PageSource<Item = never> = {
  path: string;
  under: string;
  /** What an item of the API is here; the same when left out. Stays the same function. */
  read?: (item: never) => Item;
};

/** Lists as they were left, so that "back" finds its place in them again. By history entry; the oldest go first. */
const left = new Map<string, Pages<unknown>>();
const mostLeft = 12;

/**
 * A list that goes on: the first page is the route's, the others are fetched. Not by the router's fetcher, whose failure
 * would take the page's place; here what is shown stays, and the listener may try again.
 */
export function usePages<Item extends { id: string }>(first: Page<Item>, source: PageSource<Item>) {
  const { key } = useLocation();
  const [pages, setPages] = useState<Pages<Item>>(() => (left.get(key) as Pages<Item> | undefined) ?? startWith(first));
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const request = useRef<AbortController>(undefined);
  const [entry, setEntry] = useState({ key, first });

  // Another list, or another history entry: begin with its own first page.
  if (entry.first !== first) {
    setEntry({ key, first });
    setPages((entry.key === key ? undefined : (left.get(key) as Pages<Item> | undefined)) ?? startWith(first));
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
          first,
          items: [...before.items, ...next.items.filter((item) => !known.has(item.id))],
          nextCursor: next.nextCursor,
        };
        keep(key, grown);
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
      keep(key, changed);
      return changed;
    });
  }

  return { items: pages.items, nextCursor: pages.nextCursor, state, loadMore, change };
}

function startWith<Item>(first: Page<Item>): Pages<Item> {
  return { first, items: first.items, nextCursor: first.nextCursor };
}

function keep(key: string, pages: Pages<unknown>): void {
  left.delete(key);
  left.set(key, pages);
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
