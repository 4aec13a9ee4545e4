export type RowBox = { top: number; height: number };

/** Index at which a dragged row would be dropped: after each row whose middle its leading edge has passed. */
export function targetIndex({
  from,
  dragged,
  boxes,
}: {
  /** Index where the drag began, from 0. */
  from: number;
  /** Distance dragged down in pixels, scrolling included. */
  dragged: number;
  boxes: readonly RowBox[];
}): number {
  const draggedBox = boxes[from];
  if (draggedBox === undefined || draggedBox.height <= 0) return from;
  const top = draggedBox.top + dragged;
  const bottom = top + draggedBox.height;
  let to = from;
  for (let next = boxes[to + 1]; next && bottom > middleOf(next); next = boxes[to + 1]) to += 1;
  if (to > from) return to;
  for (let next = boxes[to - 1]; next && top < middleOf(next); next = boxes[to - 1]) to -= 1;
  return to;
}

function middleOf({ top, height }: RowBox): number {
  return top + height / 2;
}

/** Direction in which another row shifts: rows between the old and the new index move by one row. */
export function shiftOf(at: number, from: number, to: number): 'up' | 'down' | undefined {
  if (at > from && at <= to) return 'up';
  if (at < from && at >= to) return 'down';
  return undefined;
}

/** Pixels to scroll in one frame while a row is held near an edge; faster the closer it is. */
export function scrollStep(pointerY: number, { top, bottom }: { top: number; bottom: number }): number {
  const zone = 72;
  const fastest = 18;
  if (pointerY < top + zone) return -fastest * Math.min(1, (top + zone - pointerY) / zone);
  if (pointerY > bottom - zone) return fastest * Math.min(1, (pointerY - bottom + zone) / zone);
  return 0;
}

/** Target index for an arrow, Home or End; undefined for other keys and when the row cannot move further. */
export function targetIndexForKey(key: string, from: number, count: number): number | undefined {
  const to = { ArrowUp: from - 1, ArrowDown: from + 1, Home: 0, End: count - 1 }[key];
  return to === undefined || to === from || to < 0 || to >= count ? undefined : to;
}
