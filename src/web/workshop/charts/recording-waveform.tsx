import { useId, useMemo } from 'react';

type RecordingWaveformProps = {
  /** `Recording.peaks`: pairs of bytes in base64, peak and loudness. */
  peaks: string;
  /** Shown part of the recording, as fractions; default: all. */
  from?: number;
  to?: number;
  /** Fraction of the recording already heard. */
  heard?: number;
  /** Description of the picture; when absent, the picture is decorative. */
  label?: string;
  className?: string;
};

/** Measured peaks of a recording with its loudness inside, stretched to the box. */
export function RecordingWaveform({ peaks, from = 0, to = 1, heard = 0, label, className }: RecordingWaveformProps) {
  const clip = useId();
  const { peak, loudness } = useMemo(() => outlines(peaks, from, to), [peaks, from, to]);
  const heardWidth = Math.min(1, Math.max(0, (heard - from) / (to - from))) * 1000;
  const shape = (
    <>
      <path className="sound-wave__outer" d={peak} />
      <path className="sound-wave__inner" d={loudness} />
    </>
  );
  return (
    <svg
      className={className}
      viewBox="0 0 1000 100"
      preserveAspectRatio="none"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {shape}
      {heardWidth > 0 && (
        <>
          <clipPath id={clip}>
            <rect width={heardWidth} height="100" />
          </clipPath>
          <g data-heard="" clipPath={`url(#${clip})`}>
            {shape}
          </g>
        </>
      )}
    </svg>
  );
}

/** Paths around the middle line, for peak and loudness; each is a closed area. */
function outlines(peaks: string, from: number, to: number): { peak: string; loudness: string } {
  const bytes = Uint8Array.from(atob(peaks), (character) => character.charCodeAt(0));
  const points = bytes.length / 2;
  const first = Math.min(points - 1, Math.max(0, Math.floor(from * points)));
  const last = Math.min(points, Math.max(first + 2, Math.ceil(to * points)));
  // The loudest moment of the whole recording fills the height; quiet parts stay low.
  const highest = bytes.reduce((max, byte, index) => (index % 2 === 0 ? Math.max(max, byte) : max), 25);
  const area = (offset: 0 | 1) => {
    const heights = [];
    for (let point = first; point < last; point += 1) heights.push((bytes[2 * point + offset] ?? 0) / highest);
    const x = (index: number) => ((index / Math.max(1, heights.length - 1)) * 1000).toFixed(1);
    // A silent part stays a thin line.
    const half = (height: number) => Math.max(0.7, height * 47);
    const upper = heights.map((height, index) => `${x(index)} ${(50 - half(height)).toFixed(1)}`);
    const lower = heights.map((height, index) => `${x(index)} ${(50 + half(height)).toFixed(1)}`).toReversed();
    return `M${[...upper, ...lower].join('L')}Z`;
  };
  return { peak: area(0), loudness: area(1) };
}
