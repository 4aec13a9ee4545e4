/** Final number of buckets; up to twice as many exist before each fold. */
const fewestBuckets = 8192;

export type Peaks = {
  /** @param samples interleaved, from -1 to 1 */
  add(samples: ArrayLike<number>, channels: number): void;
  /** @returns pairs of bytes: largest and mean (RMS) amplitude, 0 to 255 */
  finish(points: number): Uint8Array;
};

/** Collects the amplitudes of a recording of any length in constant memory: full buckets are merged in pairs. */
export function createPeaks(): Peaks {
  const largest = new Float32Array(2 * fewestBuckets);
  const energy = new Float64Array(2 * fewestBuckets);
  // A third of a millisecond at 48 kHz, so that a second still fills every point.
  let bucketFrames = 16;
  let bucket = 0;
  let frames = 0;
  let total = 0;

  function fold(): void {
    for (let index = 0; index < fewestBuckets; index += 1) {
      largest[index] = Math.max(largest[2 * index]!, largest[2 * index + 1]!);
      energy[index] = energy[2 * index]! + energy[2 * index + 1]!;
    }
    largest.fill(0, fewestBuckets);
    energy.fill(0, fewestBuckets);
    bucket = fewestBuckets;
    bucketFrames *= 2;
  }

  return {
    add(samples, channels) {
      for (let at = 0; at < samples.length; at += channels) {
        let max = 0;
        let squares = 0;
        for (let channel = 0; channel < channels; channel += 1) {
          const sample = samples[at + channel]!;
          max = Math.max(max, Math.abs(sample));
          squares += sample * sample;
        }
        if (max > largest[bucket]!) largest[bucket] = max;
        energy[bucket]! += squares / channels;
        total += 1;
        frames += 1;
        if (frames < bucketFrames) continue;
        frames = 0;
        bucket += 1;
        if (bucket === largest.length) fold();
      }
    },
    finish(points) {
      const bytes = new Uint8Array(2 * points);
      for (let point = 0; point < points; point += 1) {
        const from = (point * total) / points / bucketFrames;
        const to = ((point + 1) * total) / points / bucketFrames;
        let max = 0;
        let sum = 0;
        for (let index = Math.floor(from); index < to; index += 1) {
          max = Math.max(max, largest[index]!);
          // Buckets that reach over the edge count in part.
          sum += energy[index]! * (Math.min(to, index + 1) - Math.max(from, index));
        }
        const count = total / points;
        bytes[2 * point] = toByte(max);
        bytes[2 * point + 1] = toByte(Math.sqrt(sum / Math.max(1, count)));
      }
      return bytes;
    },
  };
}

function toByte(amplitude: number): number {
  return Math.round(255 * Math.min(1, amplitude));
}
