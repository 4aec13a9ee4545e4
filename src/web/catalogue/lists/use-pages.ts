import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { Page } from '#domain/kernel/pages.ts';
import { apiFetch } from '../../api.ts';
import { useSession } from '../../identity/session-provider.tsx';
import { withReloadedPage } from './reloaded-list.ts';
import { findLeftList, keepLeftList } from './list-memory.ts';

/** API path of a list, with its filters, and the key of its items in the response. */
export type PageSource<Item = never> = {
  path: string;
  under: string;
  /** Converts an API item; optional. Must be a stable function. */
  read?: (item: never) => Item;
  /** For a call without cursors: loads the part at this place. */
  load?: (cursor: string, signal: AbortSignal) => Promise<Page<Item>>;
};

type Edit<Item> = (items: Item[]) => Item[];

/**
 * Paged list: the route loads the first page, this hook the others. Without the router’s fetcher, whose failure would
 * replace the page with an error; here the loaded items stay, and the listener can retry.
 */
export function usePages<Item extends { id: string }>(first: Page<Item>, source: PageSource<Item>) {
  const { key } = useLocation();
  const { user } = useSession();
  const place = `${source.path} ${user?.id} ${key}`;
  const [pages, setPages] = useState(() => findLeftList(place, first) ?? first);
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const request = useRef<AbortController>(undefined);
  const list = `${source.path} ${key}`;
  const [entry, setEntry] = useState({ list, first });
  // User for whom the further pages were loaded; another user may hide other audios.
  const [loadedFor, setLoadedFor] = useState(user?.id);

  if (entry.first !== first) {
    setEntry({ list, first });
    setPages(entry.list === list ? withReloadedPage(first, pages) : (findLeftList(place, first) ?? first));
    if (entry.list !== list) setLoadedFor(user?.id);
    setState('idle');
  }
  useEffect(() => () => request.current?.abort(), [first]);

  // Edits during a reload, such as a comment that waited for the log-in: its pages lack them.
  const edits = useRef<Edit<Item>[] | undefined>(undefined);
  const readAgain = useEffectEvent((signal: AbortSignal) => fetchAgain(source, first, pages.items.length, signal));
  useEffect(() => {
    if (loadedFor === user?.id) return;
    const controller = new AbortController();
    const since: Edit<Item>[] = (edits.current = []);
    void readAgain(controller.signal).then((grown) => {
      if (controller.signal.aborted) return;
      setPages({ ...grown, items: since.reduce((items, edit) => edit(items), grown.items) });
      edits.current = undefined;
      setLoadedFor(user?.id);
    });
    return () => controller.abort();
  }, [loadedFor, user?.id, first]);

  async function loadMore(): Promise<void> {
    if (state === 'loading' || pages.nextCursor === undefined) return;
    const controller = new AbortController();
    request.current = controller;
    setState('loading');
    try {
      const next = await fetchPage<Item>(source, pages.nextCursor, controller.signal);
      if (controller.signal.aborted) return;
      setPages((before) => {
        const ids = new Set(before.items.map((item) => item.id));
        const grown = {
          items: [...before.items, ...next.items.filter((item) => !ids.has(item.id))],
          nextCursor: next.nextCursor,
        };
        keepLeftList(place, grown);
        return grown;
      });
      setState('idle');
    } catch {
      if (!controller.signal.aborted) setState('failed');
    }
  }

  /** Edits the loaded list; the edit survives leaving the page and coming back. */
  function change(edit: Edit<Item>): void {
    edits.current?.push(edit);
    setPages((before) => {
      const changed = { ...before, items: edit(before.items) };
      keepLeftList(place, changed);
      return changed;
    });
  }

  /** Loads all shown items again, after the first page was; the list stays until they are here. */
  const reload = () => setLoadedFor('');

  return { items: pages.items, nextCursor: pages.nextCursor, state, loadMore, change, reload };
}

/** Reloads as many items as were loaded before, or as many as it can get. */
async function fetchAgain<Item>(
  source: PageSource<Item>,
  first: Page<Item>,
  count: number,
  signal: AbortSignal,
): Promise<Page<Item>> {
  let grown = first;
  try {
    while (grown.nextCursor !== undefined && grown.items.length < count) {
      const next = await fetchPage<Item>(source, grown.nextCursor, signal);
      grown = { items: [...grown.items, ...next.items], nextCursor: next.nextCursor };
    }
  } catch {
    // The list is shorter than before, and can load more.
  }
  return grown;
}

async function fetchPage<Item>(source: PageSource<Item>, cursor: string, signal: AbortSignal): Promise<Page<Item>> {
  if (source.load !== undefined) return source.load(cursor, signal);
  const url = new URL(source.path, window.location.origin);
  url.searchParams.set('cursor', cursor);
  const response = await apiFetch(url.pathname + url.search, { signal, headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`The list answered ${response.status}`);
  const answer = (await response.json()) as Record<string, never[]> & { nextCursor: string | null };
  const items: never[] = answer[source.under] ?? [];
  return {
    items: source.read === undefined ? items : items.map(source.read),
    nextCursor: answer.nextCursor ?? undefined,
  };
}
