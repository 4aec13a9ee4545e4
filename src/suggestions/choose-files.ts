import { isRecord } from '#player/stored.ts';

/*
 * Every listener asks for as many files, whatever they have heard; those that say something about it are among others that
 * are drawn by chance, and in the order of their numbers. Both kinds stay for a day, and change together: whoever sees all
 * requests of months cannot take those away that come and go.
 */

/** Requests of each listener. */
export const filesAtOnce = { shards: 64, blocks: 16 } as const;
/** At most as many are chosen for what was heard. */
export const maxWanted = { shards: 40, blocks: 10 } as const;

/** The files of a day. `drawn` by chance, more than are needed; `of`: numbers mean something else when it changes. */
export type Lot = { day: number; of: number; wanted: number[]; drawn: number[] };

/**
 * @param choice.kept the lot of an earlier load @param choice.always asked for by everybody @param choice.rank what is
 *   wanted, the best first, asked for once a day @param choice.random below 1
 * @returns `files` in order, and the lot to keep
 */
export function chooseFiles(
  kept: Lot | undefined,
  choice: {
    kind: keyof typeof filesAtOnce;
    below: number;
    of: number;
    day: number;
    always?: number;
    rank: () => Iterable<number>;
    random: () => number;
  },
): { files: number[]; lot: Lot | undefined } {
  const { kind, below, of, day, always, rank, random } = choice;
  const count = filesAtOnce[kind];
  if (below <= count) return { files: Array.from({ length: below }, (_, one) => one), lot: undefined };
  const isOfToday = kept?.day === day && kept.of === of;
  const wanted = isOfToday ? kept.wanted : [...new Set(rank())].slice(0, maxWanted[kind]);
  const drawn = new Set(kept?.drawn.filter((one) => one < below));
  if (kept !== undefined && !isOfToday) {
    // As large a part of them changes, so that neither kind is newer.
    const gone = kept.wanted.filter((one) => kept.of !== of || !wanted.includes(one)).length;
    const changes = Math.ceil((gone / Math.max(1, kept.wanted.length)) * drawn.size);
    for (let change = 0; change < changes; change += 1)
      drawn.delete([...drawn][Math.floor(random() * drawn.size)] ?? 0);
  }
  while (drawn.size < count) drawn.add(Math.floor(random() * below));
  const files = new Set(always === undefined ? wanted : [...wanted, always]);
  for (const one of drawn) if (files.size < count) files.add(one);
  return {
    files: [...files].toSorted((one, other) => one - other),
    lot: { day, of, wanted, drawn: [...drawn] },
  };
}

/** @returns undefined for what something else has written */
export function readLot(value: unknown): Lot | undefined {
  if (!isRecord(value)) return undefined;
  const { day, of, wanted, drawn } = value;
  const areNumbers = (given: unknown): given is number[] => Array.isArray(given) && given.every(Number.isInteger);
  if (typeof day !== 'number' || typeof of !== 'number' || !areNumbers(wanted) || !areNumbers(drawn)) return undefined;
  return { day, of, wanted, drawn };
}
