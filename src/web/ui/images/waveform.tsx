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

/** Mean of the source bars for each rendered one, 0 to 1. */
export function heightsOf(bars: string, count: number): number[] {
  return Array.from({ length: count }, (_none, index) => {
    const from = Math.floor((index * bars.length) / count);
    const part = bars.slice(from, Math.max(from + 1, Math.floor(((index + 1) * bars.length) / count)));
    return [...part].reduce((sum, digit) => sum + parseInt(digit, 36), 0) / part.length / 35;
  });
}

/** One vertical stroke per bar, with room for its round caps; without heights, a plain line. */
function strokes(heights: number[] | undefined, from: number, to: number, height: number): string {
  if (heights === undefined) return from < to ? `M${from * 6 + 3} ${height / 2}H${to * 6 - 3}` : '';
  let path = '';
  for (let index = from; index < to; index++) {
    const half = Math.max(0, (heights[index]! * (height - 2)) / 2 - 1.75);
    path += `M${index * 6 + 3} ${(height / 2 - half).toFixed(1)}v${(half * 2).toFixed(1)}`;
  }
  return path;
}
