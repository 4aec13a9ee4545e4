import { plural, t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import type { Cue } from '#domain/catalogue/rules.ts';
import { useToast } from '../../ui/layers/toast.tsx';
import {
  areSameCues,
  correctTimes,
  cueBetween,
  indexAt,
  joinCues,
  nextToCheck,
  rounded,
  splitCue,
} from './cue-edits.ts';
import { CueMarks } from './cue-marks.ts';
import type { CueCommands } from './cue-row.tsx';
import type { RecordingControls } from '../../workshop/use-recording.ts';

type Move = { from: Cue; to: Cue };

function isSameTime(cue: Cue, other: Cue | undefined): boolean {
  return cue.start === other?.start && cue.end === other.end;
}

/** Undo of a whole transcript would lose these changes. */
export const changedSince = () => t`Nothing was undone: you have changed lines since.`;

type TranscriptState = {
  cues: Cue[];
  onChange: (cues: Cue[]) => void;
  /** Seconds. */
  duration: number;
  recording: RecordingControls;
};

type TranscriptCommands = CueCommands & {
  addAt: (index: number) => void;
  focus: (cue: Cue) => void;
  /** Goes to the next line to check. */
  checkNext: () => void;
  confirmAll: () => void;
  /** @param notice text shown for it */
  replaceAll: (cues: Cue[], isTimed: boolean, notice: string) => void;
};

/** Commands of transcript lines, the current line, and the keyboard shortcuts. */
export function useTranscript({ cues, onChange, duration, recording }: TranscriptState) {
  const showToast = useToast();
  const latest = useRef({ cues, onChange, duration, recording });
  useEffect(() => {
    latest.current = { cues, onChange, duration, recording };
  });
  const [marks] = useState(() => new CueMarks());
  /** Index of the line edited last. */
  const chosenNow = useRef(-1);
  /** Key of the line edited last. */
  const [chosen, setChosen] = useState<number>();
  const [isInside, setIsInside] = useState(false);
  /** Key of the line whose text is focused after rendering. */
  const [focused, setFocused] = useState<number>();

  const [commands] = useState<TranscriptCommands>(() => {
    const store = (next: Cue[]) => {
      latest.current = { ...latest.current, cues: next };
      latest.current.onChange(next);
    };
    const splice = (index: number, count: number, ...lines: Cue[]) => {
      const [before, after] = [latest.current.cues[index], lines[0]];
      if (count > 0 && before !== undefined && after !== undefined) marks.replace(before, after);
      store(latest.current.cues.toSpliced(index, count, ...lines));
    };
    const withIndex = (cue: Cue, act: (index: number) => void) => {
      const index = latest.current.cues.indexOf(cue);
      if (index !== -1) act(index);
    };
    const focus = (cue: Cue) => {
      const { key } = marks.of(cue);
      setChosen(key);
      setFocused(key);
    };
    /** The times before the first correction of the line that is edited, for Undo: by key of each line that moved. */
    let correction: { key: number; moves: Map<number, Move> } | undefined;
    /** Lines that were timed or confirmed since stay as they are. @param restore undefined: it stays */
    const restoreLines = (restore: (cue: Cue, key: number) => Cue | undefined) =>
      store(
        latest.current.cues.map((cue) => {
          const restored = restore(cue, marks.of(cue).key);
          if (restored !== undefined) marks.replace(cue, restored);
          return restored ?? cue;
        }),
      );
    const undoMoves = (moves: Map<number, Move>) => {
      correction = undefined;
      restoreLines((cue, key) => {
        const { from, to } = moves.get(key) ?? {};
        const isAsMoved = isSameTime(cue, to) && cue.certainty === to?.certainty;
        return from === undefined || !isAsMoved ? undefined : { ...cue, start: from.start, end: from.end };
      });
    };
    const correct = (index: number, changes: Partial<Cue>) => {
      const { cues: before, duration: end } = latest.current;
      const cue = before[index];
      if (cue === undefined) return;
      const { key } = marks.of(cue);
      const next = correctTimes(before, index, changes, end);
      if (correction?.key !== key) correction = { key, moves: new Map() };
      const { moves } = correction;
      for (const [at, line] of next.entries()) {
        const former = before[at];
        if (former === undefined || former === line) continue;
        const { key: own } = marks.of(former);
        moves.set(own, { from: moves.get(own)?.from ?? former, to: line });
        marks.replace(former, line);
      }
      store(next);
      const moved = next.filter((line, at) => at > index && line !== before[at]).length;
      if (moved === 0) return;
      showToast({
        text: plural(moved, { one: '# line after it moved along', other: '# lines after it moved along' }),
        kind: 'moved cues',
        action: { label: t`Undo`, onPress: () => undoMoves(moves) },
      });
    };
    const checkFrom = (index: number) => {
      const next = latest.current.cues[nextToCheck(latest.current.cues, index)];
      if (next !== undefined) focus(next);
    };
    const addAt = (index: number) => {
      const { cues: lines, recording: heard, duration: end } = latest.current;
      const cue = cueBetween(lines[index - 1], lines[index], heard.position, end);
      splice(index, 0, cue);
      focus(cue);
    };
    return {
      addAt,
      focus,
      enter(cue) {
        setChosen(marks.of(cue).key);
        setIsInside(true);
        setFocused(undefined);
      },
      leave: () => setIsInside(false),
      change: (cue, changes) =>
        withIndex(cue, (index) => {
          if (changes.text === undefined) return correct(index, changes);
          correction = undefined;
          splice(index, 1, { ...cue, ...changes });
        }),
      confirm: (cue) =>
        withIndex(cue, (index) => {
          const { certainty, ...confirmed } = cue;
          correction = undefined;
          splice(index, 1, confirmed);
          checkFrom(index);
          const undo = () => withIndex(confirmed, (at) => splice(at, 1, { ...confirmed, certainty }));
          showToast({
            text: t`Line ${{ number: index + 1 }} confirmed`,
            kind: 'confirmed cues',
            several: (count) => plural(count, { one: '# line confirmed', other: '# lines confirmed' }),
            action: { label: t`Undo`, onPress: undo },
          });
        }),
      checkNext: () => checkFrom(chosenNow.current),
      confirmAll() {
        const before = latest.current.cues;
        const count = before.filter(({ certainty }) => certainty !== undefined).length;
        const next = before.map((cue) => {
          const { certainty, ...confirmed } = cue;
          if (certainty === undefined) return cue;
          marks.replace(cue, confirmed);
          return confirmed;
        });
        store(next);
        const doubted = new Map(before.map((cue, index) => [marks.of(next[index] ?? cue).key, cue]));
        const undo = () =>
          restoreLines((cue, key) => {
            const former = doubted.get(key);
            const isAsConfirmed = cue.certainty === undefined && isSameTime(cue, former);
            return isAsConfirmed && former?.certainty !== undefined
              ? { ...cue, certainty: former.certainty }
              : undefined;
          });
        const action = { label: t`Undo`, onPress: undo };
        showToast({
          text: plural(count, { one: '# line confirmed', other: '# lines confirmed' }),
          kind: 'cue',
          action,
        });
      },
      play: (cue) => latest.current.recording.playRange(cue.start, cue.end),
      setToPlayhead: (cue, edge) =>
        withIndex(cue, (index) => correct(index, { [edge]: rounded(latest.current.recording.position) })),
      split: (cue) =>
        withIndex(cue, (index) => {
          const parts = splitCue(cue, latest.current.recording.position, caretIn(index + 1));
          splice(index, 1, ...parts);
          focus(parts[1]);
        }),
      joinWithNext: (cue) =>
        withIndex(cue, (index) => {
          const next = latest.current.cues[index + 1];
          if (next === undefined) return;
          const joined = joinCues(cue, next);
          splice(index, 2, joined);
          focus(joined);
        }),
      addAfter: (cue) => withIndex(cue, (index) => addAt(index + 1)),
      remove: (cue) =>
        withIndex(cue, (index) => {
          splice(index, 1);
          const neighbour = latest.current.cues[index] ?? latest.current.cues[index - 1];
          if (neighbour !== undefined) focus(neighbour);
          const undo = () => {
            splice(Math.min(index, latest.current.cues.length), 0, cue);
            focus(cue);
          };
          showToast({
            text: t`Line ${{ number: index + 1 }} removed`,
            kind: 'removed cues',
            several: (count) => plural(count, { one: '# line removed', other: '# lines removed' }),
            action: { label: t`Undo`, onPress: undo },
          });
        }),
      replaceAll(lines, isTimed, notice) {
        const before = latest.current.cues;
        if (!isTimed) marks.markSpread(lines);
        store(lines);
        const undo = () => {
          if (areSameCues(latest.current.cues, lines)) store(before);
          else showToast({ text: changedSince(), kind: 'cue' });
        };
        const action = { label: t`Undo`, onPress: undo };
        showToast({ text: notice, kind: 'cue', ...(before.length > 0 && { action }) });
      },
    };
  });

  const read = marks.read(cues);
  const keys = read.map(({ key }) => key);
  const chosenIndex = chosen === undefined ? -1 : keys.indexOf(chosen);
  useEffect(() => {
    chosenNow.current = chosenIndex;
  });
  const heardIndex = recording.isPlaying ? indexAt(cues, recording.position) : -1;
  return {
    commands,
    keys,
    spreadLines: read.filter(({ isSpread }) => isSpread).length,
    chosenIndex,
    /** -1 without one. During playback, while no line is edited, the line being heard. */
    currentIndex: chosenIndex !== -1 && (isInside || heardIndex === -1) ? chosenIndex : heardIndex,
    focusedIndex: focused === undefined ? -1 : keys.indexOf(focused),
  };
}

/** Caret position in a line's text, kept when a button takes the focus. */
function caretIn(number: number): number | undefined {
  const field = document.querySelector<HTMLInputElement>(`[data-cue="${number}"] [data-cue-text]`);
  return field?.selectionStart ?? undefined;
}
