import { callEach } from '#player/listeners.ts';
import { closings } from '../ui/layers/open-layers.ts';
import { type EntryLayer, type EntryState, type Layer, back } from './use-layers.ts';

type Shell = {
  /** The layers of the page, and those that this listener may open. */
  latest: () => { own: readonly Layer[]; allowed: readonly Layer[] };
  show: (layers: Layer[]) => void;
};

function layersOf(state: unknown): EntryLayer[] {
  return (state as EntryState)?.layers ?? [];
}

/** The key of an entry’s page, as the router names it. */
const pageOf = (state: unknown) => (state as EntryState)?.key ?? 'default';

/**
 * Gives each layer a history entry, so that Back closes the top one and Forward reopens it, unless it is a popup. The
 * entries carry the page’s own key and are hidden from React Router, which loads nothing.
 *
 * @returns `follow` after each change of the layers; the first time it restores those that the entry lists
 */
export function keepLayers({ latest, show }: Shell): { follow: () => void; stop: () => void } {
  // While history goes back to a lower entry; layers opened meanwhile are pushed there.
  let isLeaving = false;
  // History writes of the router during that time.
  const waiting: (() => void)[] = [];
  let isRestored = false;
  let isStopped = false;
  // The entry’s page. The one that React shows may be the page before: its next one is drawn later than it is entered.
  let page = pageOf(window.history.state);

  function leave(entries: number): void {
    isLeaving = true;
    window.history.go(-entries);
  }

  function follow(): void {
    const state = window.history.state as EntryState;
    const entered = layersOf(state);
    if (!isRestored) {
      isRestored = true;
      const { own, allowed } = latest();
      // After a reload the history entry still lists its layers.
      const remaining = entered.filter((layer) => layer !== 'popup' && allowed.includes(layer));
      if (own.length === 0 && remaining.length > 0) return show(remaining as Layer[]);
    }
    const popups = Array.from({ length: closings.size }, () => 'popup' as const);
    const layers: EntryLayer[] = [...latest().own, ...popups];
    if (isLeaving || layers.join() === entered.join()) return;
    if (layers.length < entered.length) return leave(entered.length - layers.length);
    const remaining = layers.slice(0, entered.length);
    if (remaining.join() !== entered.join()) window.history.replaceState({ ...state, layers: remaining }, '');
    for (let count = remaining.length + 1; count <= layers.length; count += 1)
      window.history.pushState({ ...state, layers: layers.slice(0, count) }, '');
  }

  back.hear = (event) => {
    // Dispatched for the router.
    if (!event.isTrusted) return;
    const state = event.state as EntryState;
    const { own } = latest();
    const isSamePage = pageOf(state) === page;
    page = pageOf(state);
    // An entry without state is an in-page link, which React Router has to handle.
    if (isLeaving || (isSamePage && state !== null)) event.stopImmediatePropagation();
    if (isLeaving) {
      isLeaving = false;
      callEach(waiting.splice(0));
      if (isStopped) back.hear = undefined;
      else follow();
    } else if (isSamePage) {
      const entered = layersOf(state);
      const next = entered.filter((layer) => layer !== 'popup');
      if (next.join() !== own.join()) show(next);
      // Any of them may stay, such as a payment in progress.
      callEach([...closings].slice(entered.length - next.length).toReversed());
      // A popup that stayed open gets its entry back; one that Forward cannot reopen loses it.
      setTimeout(follow);
    }
  };

  const { history } = window;
  for (const name of ['pushState', 'replaceState'] as const) {
    history[name] = (state, _, url) => {
      const write = (by = name) => {
        History.prototype[by].call(history, state, '', url);
        page = pageOf(state);
      };
      const above = layersOf(history.state).length;
      if (isLeaving) return void waiting.push(write);
      if (above === 0 || layersOf(state).length > 0) return write();
      // A page opened from a layer replaces its entry: Back leads to the page below, without the layer.
      if (name === 'pushState') return write('replaceState');
      // A new address for the page below: its own entry gets it, not the layer’s.
      waiting.push(write);
      leave(above);
    };
  }
  return {
    follow,
    stop() {
      isStopped = true;
      // The pending event still belongs to this code: the router would take it for a Back.
      if (!isLeaving) back.hear = undefined;
      history.pushState = History.prototype.pushState;
      history.replaceState = History.prototype.replaceState;
    },
  };
}
