import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

/** Part of the shell that covers the page: the queue, or the expanded player, which also covers the queue. */
export type Layer = 'queue' | 'player';

type EntryState = { key?: string; layers?: Layer[] } | null;

/**
 * The layers over this page, lowest first. Each has a history entry, so that Back closes the top one and Forward
 * reopens it. The entries carry the page’s own key and are hidden from React Router, which loads nothing. A navigation
 * closes all (spec §2, “Page shell”).
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
  const layers = shown.key === key ? shown.layers.filter((layer) => allowed.includes(layer)) : [];
  const latest = useRef({ key, layers, beforeFirst });
  useLayoutEffect(() => {
    latest.current = { key, layers, beforeFirst };
  });
  const [show] = useState(() => (next: Layer[]) => {
    if (latest.current.layers.length === 0) latest.current.beforeFirst();
    setShown({ key: latest.current.key, layers: next });
  });
  // While history goes back to a lower entry, layers opened meanwhile are pushed there.
  const isLeaving = useRef(false);
  const isRestored = useRef(false);

  const follow = useEffectEvent(() => {
    const entered = layersOf(window.history.state);
    if (isLeaving.current || layers.join() === entered.join()) return;
    const state = { ...(window.history.state as EntryState), layers };
    if (layers.length > entered.length) History.prototype.pushState.call(window.history, state, '');
    else if (layers.length === entered.length) window.history.replaceState(state, '');
    else {
      isLeaving.current = true;
      window.history.go(layers.length - entered.length);
    }
  });

  const onPopState = useEffectEvent((event: PopStateEvent) => {
    const state = event.state as EntryState;
    const isSamePage = (state?.key ?? 'default') === key;
    // An entry without state is an in-page link, which React Router has to handle.
    if (isSamePage && state !== null) event.stopImmediatePropagation();
    if (isLeaving.current) {
      isLeaving.current = false;
      follow();
    } else if (isSamePage) show(layersOf(state));
  });

  useEffect(() => {
    window.addEventListener('popstate', onPopState, { capture: true });
    const { history } = window;
    // A page opened from a layer replaces the layer’s entry: Back leads to the page below, without the layer.
    history.pushState = (state, unused, url) => {
      if (layersOf(history.state).length > 0) history.replaceState(state, unused, url);
      else History.prototype.pushState.call(history, state, unused, url);
    };
    return () => {
      window.removeEventListener('popstate', onPopState, { capture: true });
      history.pushState = History.prototype.pushState;
    };
  }, []);

  const restoreOrFollow = useEffectEvent(() => {
    if (isRestored.current) return follow();
    isRestored.current = true;
    // After a reload the history entry still lists its layers.
    const kept = layersOf(window.history.state).filter((layer) => allowed.includes(layer));
    if (kept.length > 0) show(kept);
    else follow();
  });
  const names = layers.join();
  useEffect(() => restoreOrFollow(), [key, names]);

  return [layers, show];
}

function layersOf(state: unknown): Layer[] {
  return (state as EntryState)?.layers ?? [];
}
