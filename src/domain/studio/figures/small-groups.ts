import {
  addRegisters,
  addSketch,
  countListeners,
  emptyRegisters,
  hasListeners,
  toSketch,
  type Registers,
} from '../../listening/listener-sketch.ts';
import { fewestListeners } from '../rules.ts';

/** Sums of a day with the stored sketch of their listeners. */
export type DaySums<Sums> = { day: string; sums: Sums; listeners: Uint8Array | null };

/**
 * Merges days with fewer than ten listeners into the days after them, until they have ten: neither a day nor the
 * difference of two periods then shows a smaller group. Starts anew each month, so that a day's figures do not depend
 * on the period. Days left over at the end of a month join the ones before; in the current month they wait.
 * @param days in order, from the first day of a month
 * @returns only days that can be shown
 */
export function joinSmallDays<Sums>(
  days: DaySums<Sums>[],
  add: (sums: Sums, more: Sums) => Sums,
  today: string,
): DaySums<Sums>[] {
  const shown: DaySums<Sums>[] = [];
  for (const [month, list] of Map.groupBy(days, ({ day }) => day.slice(0, 7))) {
    const before = shown.length;
    let waiting: DaySums<Sums> | undefined;
    for (const next of list) {
      waiting = waiting === undefined ? next : join(waiting, next, add);
      if (!hasListeners(waiting.listeners, fewestListeners)) continue;
      shown.push(waiting);
      waiting = undefined;
    }
    const last = shown.at(-1);
    if (waiting !== undefined && last !== undefined && shown.length > before && month < today.slice(0, 7))
      shown[shown.length - 1] = { ...join(last, waiting, add), day: last.day };
  }
  return shown;
}

/** @returns whether the joined days show a day within the period; see `joinSmallDays` */
export function coverOf(
  shown: readonly string[],
  { from, to }: { from: string; to: string },
  today: string,
): (day: string) => boolean {
  return (day) => {
    const ofMonth = shown.filter((one) => one.startsWith(day.slice(0, 7)));
    const isOver = day.slice(0, 7) < today.slice(0, 7);
    const shownWith = ofMonth.find((one) => one >= day) ?? (isOver ? ofMonth.at(-1) : undefined);
    return shownWith !== undefined && shownWith >= from && shownWith <= to;
  };
}

/** Listeners of one audio on one day; `isMany`: surely ten. */
export type AudioDay = { audioId: string; day: string; listeners: Uint8Array | null; isMany: boolean };

/**
 * Finds the days of a month at which the audios' days that wait for more listeners have none or ten in all: only then
 * does the total minus the shown audios tell of no smaller group.
 * @param days of all audios, in order
 */
export function safeDaysOf(days: AudioDay[]): (day: string) => boolean {
  const waiting = new Map<string, Registers>();
  const safe: { day: string; isSafe: boolean }[] = [];
  for (const [day, ofDay] of Map.groupBy(days, (one) => one.day)) {
    for (const { audioId, listeners, isMany } of ofDay) {
      const registers = waiting.get(audioId) ?? emptyRegisters();
      addSketch(registers, listeners);
      if (isMany || countListeners(registers) >= fewestListeners) waiting.delete(audioId);
      else waiting.set(audioId, registers);
    }
    const all = emptyRegisters();
    for (const registers of waiting.values()) addRegisters(all, registers);
    safe.push({ day, isSafe: waiting.size === 0 || countListeners(all) >= fewestListeners });
  }
  return (day) => safe.findLast((one) => one.day <= day)?.isSafe ?? true;
}

/** Merges the joined days of a creator in this month into later ones until they are safe; the last ones wait. */
export function holdBack<Sums>(
  shown: DaySums<Sums>[],
  add: (sums: Sums, more: Sums) => Sums,
  month: string,
  isSafe: (day: string) => boolean,
): DaySums<Sums>[] {
  const held: DaySums<Sums>[] = [];
  let waiting: DaySums<Sums> | undefined;
  for (const next of shown) {
    waiting = waiting === undefined ? next : join(waiting, next, add);
    if (next.day.startsWith(month) && !isSafe(next.day)) continue;
    held.push(waiting);
    waiting = undefined;
  }
  return held;
}

function join<Sums>(first: DaySums<Sums>, second: DaySums<Sums>, add: (sums: Sums, more: Sums) => Sums): DaySums<Sums> {
  return {
    day: second.day,
    sums: add(first.sums, second.sums),
    listeners: toSketch(union([first.listeners, second.listeners])),
  };
}

/** A sketch of all listeners in any of these stored sketches. */
export function union(sketches: (Uint8Array | null)[]): Registers {
  const all = emptyRegisters();
  for (const sketch of sketches) addSketch(all, sketch);
  return all;
}

export type Part = {
  plays: number;
  listeners: Registers;
  /** Its listeners among those of the total, where both have joined their small days differently. */
  inWhole?: Registers;
  /** Its plays reach beyond the days of the total. */
  reachesBeyond?: boolean;
};

/**
 * Splits the parts of a shown total so that the rest, the total minus the shown parts, is either zero or at least ten
 * listeners. A small rest absorbs the smallest shown part, and so does a total that is smaller than its parts, since
 * each has joined its own small days.
 * @param whole plays
 * @param more listeners of the total who are in no part
 * @param isRestLarge known without counting
 * @returns `rest` in plays
 */
export function hideSmallParts<Of extends Part>(
  parts: Of[],
  whole: number,
  more?: Registers,
  isRestLarge = false,
): { shown: Of[]; rest: number } {
  const [small, shown] = [[] as Of[], [] as Of[]];
  for (const part of parts)
    (countListeners(part.listeners) < fewestListeners || part.reachesBeyond === true ? small : shown).push(part);
  shown.sort((a, b) => b.plays - a.plays);
  const hidden = emptyRegisters();
  for (const { listeners, inWhole } of small) addRegisters(hidden, inWhole ?? listeners);
  if (more !== undefined) addRegisters(hidden, more);
  const restOf = () => whole - shown.reduce((sum, { plays }) => sum + plays, 0);
  const isRestSmall = () => !isRestLarge && countListeners(hidden) < fewestListeners;
  while (restOf() < 0 || (restOf() > 0 && isRestSmall())) {
    const smallest = shown.pop();
    if (smallest === undefined) break;
    addRegisters(hidden, smallest.inWhole ?? smallest.listeners);
  }
  return { shown, rest: restOf() };
}
