import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { openLayers } from '../ui/open-layers.ts';

/** Part of the shell that covers the page: the queue, or the expanded player, which also covers the queue. */
export type Layer = 'queue' | 'player';

/** `popup`: a dialog, menu or popover, which only what opened it can open again. */
type EntryLayer = Layer | 'popup';

type EntryState = { key?: string; layers?: EntryLayer[] } | null;

let hearBack: (event: PopStateEvent) => void = () => {};

/** Called before the router starts: a window’s listeners run in the order in which they were added. */
export function hearBackFirst(): void {
  window.addEventListener('popstate', (event) => hearBack(event), { capture: true });
}

/**
 * The layers over this page, lowest first, popups on top. Each has a history entry, so that Back closes the top one and
 * Forward reopens it, unless it is a popup. The entries carry the page’s own key and are hidden from React Router, which
 * loads nothing. A navigation closes all (spec §2, “Page shell”).
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
  const popups = useSyncExternalStore(openLayers.subscribe, openLayers.count, () => 0);
  const latest = useRef({ key, own, beforeFirst });
  useLayoutEffect(() => {
    latest.current = { key, own, beforeFirst };
  });
  const [show] = useState(() => (next: Layer[]) => {
    if (latest.current.own.length === 0) latest.current.beforeFirst();
    setShown({ key: latest.current.key, layers: next });
  });
  // While history goes back to a lower entry, layers opened meanwhile are pushed there.
  const isLeaving = useRef(false);
  // Entries that the router writes meanwhile.
  const waiting = useRef<(() => void)[]>([]);
  const isRestored = useRef(false);

  const follow = useEffectEvent(() => {
    const layers: EntryLayer[] = [...own, ...Array.from({ length: openLayers.count() }, () => 'popup' as const)];
    const entered = layersOf(window.history.state);
    if (isLeaving.current || layers.join() === entered.join()) return;
    if (layers.length < entered.length) return leave(entered.length - layers.length);
    const state = window.history.state as EntryState;
    const kept = layers.slice(0, entered.length);
    if (kept.join() !== entered.join()) window.history.replaceState({ ...state, layers: kept }, '');
    for (let count = kept.length + 1; count <= layers.length; count += 1)
      window.history.pushState({ ...state, layers: layers.slice(0, count) }, '');
  });

  function leave(entries: number): void {
    isLeaving.current = true;
    window.history.go(-entries);
  }

  const onPopState = useEffectEvent((event: PopStateEvent) => {
    // Dispatched for the router.
    if (!event.isTrusted) return;
    const state = event.state as EntryState;
    const isSamePage = (state?.key ?? 'default') === key;
    // An entry without state is an in-page link, which React Router has to handle.
    if (isLeaving.current || (isSamePage && state !== null)) event.stopImmediatePropagation();
    if (isLeaving.current) {
      isLeaving.current = false;
      for (const write of waiting.current.splice(0)) write();
      follow();
    } else if (isSamePage) {
      const entered = layersOf(state);
      const next = entered.filter((layer) => layer !== 'popup');
      if (next.join() !== own.join()) show(next);
      openLayers.closeAbove(entered.length - next.length);
      // A popup that stayed open gets its entry again; one that Forward cannot open again loses it.
      setTimeout(() => follow());
    }
  });

  useEffect(() => {
    hearBack = (event) => onPopState(event);
    const { history } = window;
    for (const name of ['pushState', 'replaceState'] as const) {
      history[name] = (state, _, url) => {
        const write = (by = name) => History.prototype[by].call(history, state, '', url);
        const above = layersOf(history.state).length;
        if (isLeaving.current) return void waiting.current.push(write);
        if (above === 0 || layersOf(state).length > 0) return write();
        // A page opened from a layer replaces its entry: Back leads to the page below, without the layer.
        if (name === 'pushState') return write('replaceState');
        // A new address for the page below: its own entry gets it, not the layer’s.
        waiting.current.push(write);
        leave(above);
      };
    }
    return () => {
      hearBack = () => {};
      history.pushState = History.prototype.pushState;
      history.replaceState = History.prototype.replaceState;
    };
  }, []);

  const restoreOrFollow = useEffectEvent(() => {
    if (isRestored.current) return follow();
    isRestored.current = true;
    // After a reload the history entry still lists its layers.
    const kept = layersOf(window.history.state).filter((layer) => layer !== 'popup' && allowed.includes(layer));
    if (kept.length > 0) show(kept as Layer[]);
    else follow();
  });
  const names = own.join();
  useEffect(() => restoreOrFollow(), [key, names, popups]);

  return [own, show];
}

function layersOf(state: unknown): EntryLayer[] {
  return (state as EntryState)?.layers ?? [];
}
