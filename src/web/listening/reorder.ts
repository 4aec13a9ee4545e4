/** Where a row that is dragged would be set down. Rows are all as high as the one that is held. */
export function placeAt({
  from,
  dragged,
  rowHeight,
  count,
}: {
  /** Where it was taken up, from 0. */
  from: number;
  /** Pixels it was dragged down by, scrolling counted in. */
  dragged: number;
  rowHeight: number;
  count: number;
}): number {
  if (rowHeight <= 0) return from;
  return Math.min(count - 1, Math.max(0, from + Math.round(dragged / rowHeight)));
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
