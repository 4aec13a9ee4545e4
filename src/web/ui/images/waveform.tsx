import { heightsOf, strokes } from './waveform-path.ts';

type WaveformProps = {
  /** Bar heights along the recording, one base-36 digit each; null: not measured yet. */
  bars: string | null;
  /** Number of rendered bars, each 6 units wide. */
  count: number;
  /** In CSS pixels. */
  height?: number;
  /** Played part, 0 to 1. */
  progress?: number;
};

/** The waveform of a recording. Decorative: a slider or the times are next to it. */
export function Waveform({ bars, count, height = 56, progress = 0 }: WaveformProps) {
  const heights = bars === null ? undefined : heightsOf(bars, count);
  const played = Math.round(Math.min(1, Math.max(0, progress)) * count);
  const path = (from: number, to: number) => strokes(heights, from, to, height);
  return (
    <svg
      className="wave"
      viewBox={`0 0 ${count * 6} ${height}`}
      preserveAspectRatio="none"
      style={{ height }}
      aria-hidden="true"
    >
      <path className="on" d={path(0, played)} />
      <path d={path(played, count)} />
    </svg>
  );
}
