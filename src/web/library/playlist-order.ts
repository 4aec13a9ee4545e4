type Item = { id: string };

/** @returns the list with the item at `from` moved to `to` */
export function movedTo<Of extends Item>(items: readonly Of[], from: number, to: number): Of[] {
  const moved = items[from];
  return moved === undefined ? [...items] : items.toSpliced(from, 1).toSpliced(to, 0, moved);
}

/**
 * @param hasMore the list has more items than are loaded, so the last one’s next neighbor is unknown
 * @returns the items on both sides of this place; undefined when unknown
 */
export function neighboursOf(
  items: readonly Item[],
  at: number,
  hasMore: boolean,
): { after: string | null; before?: string | null } {
  const after = items[at - 1]?.id ?? null;
  const before = items[at + 1]?.id;
  if (before !== undefined) return { after, before };
  return hasMore ? { after } : { after, before: null };
}

/** Inserts an item between those of its neighbors that still exist; same rule as on the server. */
export function putBetween<Of extends Item>(
  items: readonly Of[],
  item: Of,
  { after, before }: { after: string | null; before?: string | null },
): Of[] {
  const others = items.filter(({ id }) => id !== item.id);
  const behind = after === null ? -1 : others.findIndex(({ id }) => id === after);
  if (behind >= 0) return others.toSpliced(behind + 1, 0, item);
  const ahead = before === undefined || before === null ? -1 : others.findIndex(({ id }) => id === before);
  if (ahead >= 0) return others.toSpliced(ahead, 0, item);
  return after === null ? [item, ...others] : [...others, item];
}
