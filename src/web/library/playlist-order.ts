type Item = { id: string };

/** @returns the list with the one at `from` at `to` */
export function movedTo<Of extends Item>(items: readonly Of[], from: number, to: number): Of[] {
  const moved = items[from];
  return moved === undefined ? [...items] : items.toSpliced(from, 1).toSpliced(to, 0, moved);
}

/**
 * @param goesOn there is more of the list than is here: what stands before the rest is not known
 * @returns who stands beside the one at this place; undefined says nothing about that side
 */
export function neighboursOf(
  items: readonly Item[],
  at: number,
  goesOn: boolean,
): { after: string | null; before?: string | null } {
  const after = items[at - 1]?.id ?? null;
  const before = items[at + 1]?.id;
  if (before !== undefined) return { after, before };
  return goesOn ? { after } : { after, before: null };
}

/** Puts one back between its neighbours, as far as they are there still; by the same rule as the site does it. */
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
