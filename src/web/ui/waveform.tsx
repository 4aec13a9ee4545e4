type WaveformProps = {
  /** The same slug always has the same line. */
  slug: string;
  /** Number of bars, each 6 units wide. */
  bars?: number;
  /** In CSS pixels. */
  height?: number;
  /** Played part, 0 to 1. */
  progress?: number;
};

/** Decorative waveform: a real slider or the times are next to it. */
export function Waveform({ slug, bars = 120, height = 56, progress = 0 }: WaveformProps) {
  const amplitudes = amplitudesOf(slug, bars);
  const played = Math.round(Math.min(1, Math.max(0, progress)) * bars);
  return (
    <svg
      className="wave"
      viewBox={`0 0 ${bars * 6} ${height}`}
      preserveAspectRatio="none"
      style={{ height }}
      aria-hidden="true"
    >
      <path className="on" d={strokes(amplitudes, 0, played, height)} />
      <path d={strokes(amplitudes, played, bars, height)} />
    </svg>
  );
}

/** Amplitudes 0 to 1, shaped like spoken phrases with pauses, fading toward the end. Pure: server and browser agree. */
export function amplitudesOf(slug: string, count: number): number[] {
  const random = generator(hash(`wave:${slug}`));
  const amplitudes: number[] = [];
  let left = 0;
  let breath = 0;
  let peak = 1;
  let length = 1;
  for (let index = 0; index < count; index++) {
    if (left <= 0 && breath <= 0) {
      length = 5 + Math.floor(random() * 11);
      left = length;
      breath = 1 + Math.floor(random() * 2.4);
      peak = 0.5 + random() * 0.5;
    }
    let amplitude: number;
    if (left > 0) {
      const along = 1 - left / length;
      amplitude = peak * (0.35 + 0.65 * Math.sin(Math.PI * Math.min(1, 0.15 + along * 0.9))) * (0.6 + random() * 0.4);
      left--;
    } else {
      amplitude = 0.06 + random() * 0.06;
      breath--;
    }
    amplitudes.push(Math.max(0.05, amplitude * (1 - 0.5 * (index / count) ** 1.6)));
  }
  return amplitudes;
}

/** One vertical stroke per bar, with room for its round caps. */
function strokes(amplitudes: number[], from: number, to: number, height: number): string {
  let path = '';
  for (let index = from; index < to; index++) {
    const half = Math.max(0, (amplitudes[index]! * (height - 2)) / 2 - 1.75);
    path += `M${index * 6 + 3} ${(height / 2 - half).toFixed(1)}v${(half * 2).toFixed(1)}`;
  }
  return path;
}

/** FNV-1a, 32 bit. */
function hash(text: string): number {
  let value = 2166136261;
  for (const character of text) {
    value ^= character.codePointAt(0)!;
    value = Math.imul(value, 16777619);
  }
  return value >>> 0;
}

/** mulberry32: seeded pseudo-random numbers from 0 to 1. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state |= 0;
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
