import { heightsOf, strokes } from './waveform-path.ts';

type WaveformProps = {
  /** Bar heights along the recording, one base-36 digit each; null: not measured yet. */
  bars: string | null;
  /** Number of rendered bars, each 6 units wide. */
  count: number;
  /** In CSS pixels. */
  height?: number;
  /** Begin of the marked part, 0 to 1. */
  from?: number;
  /** Its end: the played part, for a player. */
  progress?: number;
};

/** The waveform of a recording. Decorative: a slider or the times are next to it. */
export function Waveform({ bars, count, height = 56, from = 0, progress = 0 }: WaveformProps) {
  const heights = bars === null ? undefined : heightsOf(bars, count);
  const place = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * count);
  const [first, played] = [place(from), place(progress)];
  const path = (start: number, end: number) => strokes(heights, start, end, height);
  return (
    <svg
      className="wave"
      viewBox={`0 0 ${count * 6} ${height}`}
      preserveAspectRatio="none"
      style={{ height }}
      aria-hidden="true"
    >
      {first > 0 && <path d={path(0, first)} />}
      <path className="on" d={path(first, played)} />
      <path d={path(played, count)} />
    </svg>
  );
}
