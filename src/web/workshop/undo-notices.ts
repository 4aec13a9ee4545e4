import type { Notice } from '#web/ui/layers/notice.ts';

type Shown = { ids: readonly string[]; stop: AbortController };

/** Notices that offer to undo an act, by the ids of what it was about. */
const shown = new Set<Shown>();

/** Closes the notices about these: another act, such as Restore in a list, has followed. */
export function endUndo(ids: readonly string[]): void {
  for (const one of shown)
    if (one.ids.some((id) => ids.includes(id))) {
      shown.delete(one);
      one.stop.abort();
    }
}

/** Parts of a notice that offers Undo: it closes when another act about one of these follows. */
export function undoOf(ids: readonly string[]): Pick<Notice, 'until' | 'onClosed'> {
  endUndo(ids);
  const own = { ids, stop: new AbortController() };
  shown.add(own);
  return { until: own.stop.signal, onClosed: () => void shown.delete(own) };
}
