import { t } from '@lingui/core/macro';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { type Cue, formatCueTime } from '#domain/catalogue/rules.ts';
import { formatTime } from '#formats/durations.ts';
import { RecordingWaveform } from '#web/workshop/charts/recording-waveform.tsx';
import { nudgeSeconds } from '../time-field.tsx';

type CuePieceProps = {
  cue: Cue;
  /** Counted from 1. */
  number: number;
  /** Seconds. */
  duration: number;
  /** `Recording.peaks`. */
  peaks: string;
  onChange(changes: Partial<Cue>): void;
};

type Edge = 'start' | 'end';
type View = { from: number; to: number };

/** Seconds before and after the line. */
const margin = 2;

function viewOf({ start, end }: Cue, duration: number): View {
  const from = Math.max(0, start - margin);
  return { from, to: Math.max(from + 1, Math.min(duration, end + margin)) };
}

/** The line enlarged: its piece of the waveform, on which both of its edges are moved. */
export function CuePiece({ cue, number, duration, peaks, onChange }: CuePieceProps) {
  const [view, setView] = useState(() => viewOf(cue, duration));
  const [dragged, setDragged] = useState<{ edge: Edge; to: number }>();
  const piece = useRef<HTMLDivElement>(null);
  // It stays as it is while the line is inside, so that nothing jumps below the pointer.
  if (cue.start < view.from || cue.end > view.to) setView(viewOf(cue, duration));
  const shown = dragged === undefined ? cue : moved(cue, dragged.edge, dragged.to);
  const shareOf = (seconds: number) => Math.min(1, Math.max(0, (seconds - view.from) / (view.to - view.from)));
  const percent = (seconds: number) => `${shareOf(seconds) * 100}%`;

  function within(edge: Edge, to: number): number {
    const [least, most] = edge === 'start' ? [0, cue.end - nudgeSeconds] : [cue.start + nudgeSeconds, duration];
    return Math.round(Math.min(Math.max(least, to), Math.max(least, most)) * 1000) / 1000;
  }
  function move(edge: Edge, to: number): void {
    const seconds = within(edge, to);
    if (seconds !== cue[edge]) onChange({ [edge]: seconds });
  }
  function timeAt(event: PointerEvent): number {
    const { left = 0, width = 1 } = piece.current?.getBoundingClientRect() ?? {};
    return view.from + Math.min(1, Math.max(0, (event.clientX - left) / width)) * (view.to - view.from);
  }

  return (
    <div dir="ltr">
      <div ref={piece} className="cue-piece">
        <RecordingWaveform peaks={peaks} from={view.from / duration} to={view.to / duration} />
        <span
          className="cue-piece__line"
          aria-hidden="true"
          style={{ left: percent(shown.start), width: `${(shareOf(shown.end) - shareOf(shown.start)) * 100}%` }}
        />
        {(['start', 'end'] as const).map((edge) => (
          <span
            key={edge}
            className="cue-piece__edge"
            style={{ left: percent(shown[edge]) }}
            onPointerDown={(event) => {
              if (event.button !== 0) return;
              event.preventDefault();
              event.currentTarget.querySelector('input')?.focus({ preventScroll: true });
              event.currentTarget.setPointerCapture(event.pointerId);
              setDragged({ edge, to: cue[edge] });
            }}
            onPointerMove={(event) => dragged?.edge === edge && setDragged({ edge, to: within(edge, timeAt(event)) })}
            onPointerUp={() => {
              if (dragged?.edge === edge) move(edge, dragged.to);
              setDragged(undefined);
            }}
            onPointerCancel={() => setDragged(undefined)}
          >
            <input
              type="range"
              aria-label={edge === 'start' ? t`Start of line ${number}` : t`End of line ${number}`}
              aria-valuetext={formatCueTime(shown[edge])}
              min={view.from}
              max={view.to}
              step="any"
              value={shown[edge]}
              onKeyDown={(event) => {
                const by = stepOf(event);
                if (by === undefined) return;
                event.preventDefault();
                move(edge, cue[edge] + by);
              }}
              // From gestures of screen readers only; keys and pointer are handled above.
              onChange={({ target }) => move(edge, Number(target.value))}
            />
          </span>
        ))}
      </div>
      <div className="mt-1 flex justify-between text-12 text-muted tabular-nums" aria-hidden="true">
        {[view.from, (view.from + view.to) / 2, view.to].map((seconds) => (
          <span key={seconds}>{formatTime(seconds)}</span>
        ))}
      </div>
    </div>
  );
}

/** The end of a line to check moves along with its start. */
function moved(cue: Cue, edge: Edge, to: number): Cue {
  return edge === 'end' ? { ...cue, end: to } : { ...cue, start: to, end: cue.end + to - cue.start };
}

/** Seconds; Alt is for those who come from the fields with times. */
function stepOf({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): number | undefined {
  if (ctrlKey || metaKey) return undefined;
  const arrow = shiftKey ? 10 * nudgeSeconds : nudgeSeconds;
  if (key === 'ArrowRight' || key === 'ArrowUp') return arrow;
  if (key === 'ArrowLeft' || key === 'ArrowDown') return -arrow;
  if (key === 'PageUp') return 10 * nudgeSeconds;
  return key === 'PageDown' ? -10 * nudgeSeconds : undefined;
}
