/** Where a row lies before anything is dragged, in pixels. */
export type RowBox = { top: number; height: number };

/** Where a row that is dragged would be set down: behind those whose middle its own edge has passed. */
export function placeAt({
  from,
  dragged,
  boxes,
}: {
  /** Where it was taken up, from 0. */
  from: number;
  /** Pixels it was dragged down by, scrolling counted in. */
  dragged: number;
  boxes: readonly RowBox[];
}): number {
  const held = boxes[from];
  if (held === undefined || held.height <= 0) return from;
  const top = held.top + dragged;
  const bottom = top + held.height;
  let to = from;
  for (let next = boxes[to + 1]; next && bottom > middleOf(next); next = boxes[to + 1]) to += 1;
  if (to > from) return to;
  for (let next = boxes[to - 1]; next && top < middleOf(next); next = boxes[to - 1]) to -= 1;
  return to;
}

function middleOf({ top, height }: RowBox): number {
  return top + height / 2;
}

/** Which way the others make room: those between the old place and the new one move by one row. */
export function shiftOf(at: number, from: number, to: number): 'up' | 'down' | undefined {
  if (at > from && at <= to) return 'up';
  if (at < from && at >= to) return 'down';
  return undefined;
}

/** Pixels to scroll by in one frame while something is held near an edge; faster the nearer. */
export function scrollStep(pointerY: number, { top, bottom }: { top: number; bottom: number }): number {
  const zone = 72;
  const fastest = 18;
  if (pointerY < top + zone) return -fastest * Math.min(1, (top + zone - pointerY) / zone);
  if (pointerY > bottom - zone) return fastest * Math.min(1, (pointerY - bottom + zone) / zone);
  return 0;
}

/** What an arrow, Home or End makes of a place; undefined for other keys and where there is no further to go. */
export function placeByKey(key: string, from: number, count: number): number | undefined {
  const to = { ArrowUp: from - 1, ArrowDown: from + 1, Home: 0, End: count - 1 }[key];
  return to === undefined || to === from || to < 0 || to >= count ? undefined : to;
}
