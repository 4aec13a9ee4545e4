import type { Cue } from '#domain/catalogue/rules.ts';

/** Changes of transcript lines as pure functions: the line, and its replacement. */

/** Default length of a new line in seconds. */
const newLineSeconds = 2;
/** Minimum length of a part of a split line, in seconds. */
const minSeconds = 0.05;

/** Rounds seconds to whole milliseconds. */
export function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/**
 * Splits a line in two, at the playhead when that is inside the line.
 * @param caret characters before the split; default: the space nearest to the split time
 */
export function splitCue(cue: Cue, position: number, caret: number | undefined): [Cue, Cue] {
  const seconds = cue.end - cue.start;
  const isInText = caret !== undefined && caret > 0 && caret < cue.text.length;
  const isInTime = position > cue.start + minSeconds && position < cue.end - minSeconds;
  const share = isInTime ? (position - cue.start) / seconds : isInText ? caret / cue.text.length : 0.5;
  const cut = isInText ? caret : spaceNear(cue.text, share);
  const at = rounded(isInTime ? position : cue.start + seconds * share);
  return [
    { ...cue, end: at, text: cue.text.slice(0, cut).trim() },
    { ...cue, start: at, text: cue.text.slice(cut).trim() },
  ];
}

function spaceNear(text: string, share: number): number {
  const wanted = text.length * share;
  const spaces = [...text.matchAll(/\s+/g)].map(({ index }) => index);
  return spaces.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0] ?? text.length;
}

export function joinCues(first: Cue, second: Cue): Cue {
  return {
    start: Math.min(first.start, second.start),
    end: Math.max(first.end, second.end),
    text: [first.text.trim(), second.text.trim()].filter((text) => text !== '').join(' '),
    certainty: first.certainty ?? second.certainty,
  };
}

/** A line without text after `before`: in the gap before `after`, or at the playhead when that is in the gap. */
export function cueBetween(before: Cue | undefined, after: Cue | undefined, position: number, duration: number): Cue {
  const from = before?.end ?? 0;
  const to = Math.max(from, after?.start ?? duration);
  const start = position > from && position < to ? rounded(position) : from;
  return { start, end: rounded(Math.min(start + newLineSeconds, to)), text: '' };
}

/** The line at a time, or in a gap the line before it. Lines are sorted by start. */
export function indexAt(cues: readonly Cue[], position: number): number {
  return cues.findLastIndex(({ start }) => start <= position);
}

/**
 * The lines with one of them corrected. Its own end, as long as nobody has confirmed it, and the unconfirmed lines after
 * it move along, as far as the next confirmed one or the end of the recording leaves room.
 * @param duration seconds
 */
export function correctTimes(cues: readonly Cue[], index: number, changes: Partial<Cue>, duration: number): Cue[] {
  const before = cues[index];
  if (before === undefined) return [...cues];
  const wanted = { ...before, ...changes };
  const isShifted = changes.start !== undefined && changes.start !== before.start && before.certainty !== undefined;
  const shift = isShifted && changes.end === undefined ? wanted.start - before.start : wanted.end - before.end;
  const after = cues.slice(index + 1);
  const firm = after.findIndex(({ certainty }) => certainty === undefined);
  const along = firm === -1 ? after : after.slice(0, firm);
  const end = isShifted && changes.end === undefined ? rounded(before.end + shift) : wanted.end;
  const room = (after[along.length]?.start ?? duration) - (along.at(-1)?.end ?? duration);
  const closest = Math.min(0, end - (along[0]?.start ?? end));
  const moved = shift > 0 ? Math.min(shift, Math.max(0, room)) : Math.max(shift, closest);
  const move = (cue: Cue) => ({ ...cue, start: rounded(cue.start + moved), end: rounded(cue.end + moved) });
  return [
    ...cues.slice(0, index),
    { ...wanted, end },
    ...(moved === 0 ? along : along.map(move)),
    ...after.slice(along.length),
  ];
}

/** The next line after `index` whose times are to be checked, from the beginning again after the last one; -1: none. */
export function nextToCheck(cues: readonly Cue[], index: number): number {
  const isDoubted = ({ certainty }: Cue) => certainty !== undefined;
  const next = cues.findIndex((cue, at) => at > index && isDoubted(cue));
  return next === -1 ? cues.findIndex(isDoubted) : next;
}

/** Whether two transcripts have the same lines; reloading makes other objects of them. */
export function areSameCues(one: readonly Cue[], other: readonly Cue[]): boolean {
  return (
    one.length === other.length &&
    one.every((cue, index) =>
      (['start', 'end', 'text', 'certainty'] as const).every((name) => cue[name] === other[index]?.[name]),
    )
  );
}
