import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { openLayers } from '../ui/layers/open-layers.ts';
import { useLoaded } from '../ui/use-loaded.ts';

/** Part of the shell that covers the page: the queue, or the expanded player, which also covers the queue. */
export type Layer = 'queue' | 'player';

/** `popup`: a dialog, menu or popover, which only what opened it can open again. */
export type EntryLayer = Layer | 'popup';

export type EntryState = { key?: string; layers?: EntryLayer[] } | null;

const loadHistory = () => import('./layer-history.ts');

/** Set by the one shell. */
export const back: { hear?: ((event: PopStateEvent) => void) | undefined } = {};

/** Called before the router starts: a window’s listeners run in the order in which they were added. */
export function hearBackFirst(): void {
  window.addEventListener('popstate', (event) => back.hear?.(event), { capture: true });
}

/**
 * The layers over this page, lowest first, popups on top. Each has a history entry. A
 * navigation closes all (spec §2, “Page shell”).
 * @param allowed layers that this listener may open
 * @param beforeFirst runs before the first layer covers the page
 * @returns the layers, and stable functions that change them
 */
export function useLayers(
  allowed: readonly Layer[],
  beforeFirst: () => void,
): [layers: readonly Layer[], show: (layers: Layer[]) => void] {
  const { key } = useLocation();
  const [shown, setShown] = useState<{ key: string; layers: Layer[] }>({ key, layers: [] });
  // A navigation closes the layers permanently; coming back does not reopen them.
  if (shown.key !== key) setShown({ key, layers: [] });
  const own = shown.key === key ? shown.layers.filter((layer) => allowed.includes(layer)) : [];
  const popups = useSyncExternalStore(openLayers.subscribe, openLayers.count, openLayers.count);
  const latest = useRef({ key, own, allowed, beforeFirst });
  useLayoutEffect(() => {
    latest.current = { key, own, allowed, beforeFirst };
  });
  const [show] = useState(() => (next: Layer[]) => {
    if (latest.current.own.length === 0) latest.current.beforeFirst();
    setShown({ key: latest.current.key, layers: next });
  });

  // Small, and loaded after the page: Back may come before the code of what was opened.
  const loaded = useLoaded(loadHistory, true);
  const history = useRef<ReturnType<NonNullable<typeof loaded>['keepLayers']>>(undefined);
  useEffect(() => {
    history.current = loaded?.keepLayers({ latest: () => latest.current, show });
    return () => history.current?.stop();
  }, [loaded, show]);
  const names = own.join();
  useEffect(() => history.current?.follow(), [loaded, key, names, popups]);

  return [own, show];
}
