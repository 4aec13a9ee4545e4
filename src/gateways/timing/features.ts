/** Speech as numbers: 13 mel-frequency cepstral coefficients (MFCC) for each 40 ms, and the loudness. */

/** Samples per second; eSpeak NG writes that, and recordings are resampled to it. */
export const rate = 22_050;
/** Samples between two frames. */
const hop = 882;
/** Seconds between two frames. */
export const frameSeconds = hop / rate;
export const coefficients = 13;

/** A power of 2, for the FFT. */
const window = 1024;
const bands = 26;
const lowest = 60;
const highest = 7600;
/** Keeps digital silence from being infinitely quiet. */
const floor = 1e-6;

export type Features = {
  frames: number;
  /** `coefficients` numbers for each frame. */
  mfcc: Float32Array;
  /** Mean power of each frame, in dB. */
  loudness: Float32Array;
};

const hamming = Float64Array.from(
  { length: window },
  (_none, index) => 0.54 - 0.46 * Math.cos((2 * Math.PI * index) / (window - 1)),
);
const bank = melBank();
/** DCT-II of the bands. */
const cosines = Float64Array.from({ length: coefficients * bands }, (_none, index) => {
  const [row, band] = [Math.floor(index / bands), index % bands];
  return Math.cos((Math.PI * row * (band + 0.5)) / bands);
});

/** Collects the features of a sound of any length: 14 numbers for 882 samples. */
export function createFeatures() {
  const rest = new Float64Array(window);
  let filled = 0;
  let frames = 0;
  let mfcc = new Float32Array(coefficients * 1024);
  let loudness = new Float32Array(1024);

  function takeFrame(): void {
    if (frames === loudness.length) {
      mfcc = grown(mfcc);
      loudness = grown(loudness);
    }
    loudness[frames] = describe(rest, mfcc.subarray(frames * coefficients));
    frames += 1;
    rest.copyWithin(0, hop);
    filled = window - hop;
  }

  return {
    /** @param samples mono, from -1 to 1 */
    add(samples: ArrayLike<number>): void {
      for (let index = 0; index < samples.length; index += 1) {
        rest[filled] = samples[index]!;
        filled += 1;
        if (filled === window) takeFrame();
      }
    },
    finish(): Features {
      if (frames === 0 || filled > window - hop) {
        rest.fill(0, filled);
        takeFrame();
      }
      return { frames, mfcc: mfcc.slice(0, frames * coefficients), loudness: loudness.slice(0, frames) };
    },
  };
}

function grown(values: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(2 * values.length);
  larger.set(values);
  return larger;
}

const real = new Float64Array(window);
const imaginary = new Float64Array(window);
const logs = new Float64Array(bands);

/** @returns the power in dB */
function describe(samples: Float64Array, into: Float32Array): number {
  let power = 0;
  for (let index = 0; index < window; index += 1) {
    const sample = samples[index]!;
    power += sample * sample;
    real[index] = sample * hamming[index]!;
  }
  imaginary.fill(0);
  transform(real, imaginary);
  for (let band = 0; band < bands; band += 1) {
    const { from, weights } = bank[band]!;
    let sum = 0;
    for (let index = 0; index < weights.length; index += 1) {
      const bin = from + index;
      sum += weights[index]! * (real[bin]! * real[bin]! + imaginary[bin]! * imaginary[bin]!);
    }
    logs[band] = Math.log(floor + sum);
  }
  for (let row = 0; row < coefficients; row += 1) {
    let sum = 0;
    for (let band = 0; band < bands; band += 1) sum += logs[band]! * cosines[row * bands + band]!;
    into[row] = sum;
  }
  return 10 * Math.log10(power / window + 1e-10);
}

/** Triangles of equal width in mel, over the bins of the transform. */
function melBank(): { from: number; weights: number[] }[] {
  const melOf = (hertz: number) => 2595 * Math.log10(1 + hertz / 700);
  const hertzOf = (mel: number) => 700 * (10 ** (mel / 2595) - 1);
  const step = (melOf(highest) - melOf(lowest)) / (bands + 1);
  const binOf = (edge: number) => (hertzOf(melOf(lowest) + edge * step) * window) / rate;
  return Array.from({ length: bands }, (_none, band) => {
    const [left, middle, right] = [binOf(band), binOf(band + 1), binOf(band + 2)];
    const from = Math.ceil(left);
    const weights: number[] = [];
    for (let bin = from; bin <= right; bin += 1)
      weights.push(bin <= middle ? (bin - left) / (middle - left) : (right - bin) / (right - middle));
    return { from, weights };
  });
}

const turns = Array.from({ length: window / 2 }, (_none, index) => {
  const angle = (-2 * Math.PI * index) / window;
  return [Math.cos(angle), Math.sin(angle)] as const;
});

/** Fast Fourier transform in place (Cooley and Tukey, radix 2). */
function transform(re: Float64Array, im: Float64Array): void {
  for (let index = 1, reversed = 0; index < window; index += 1) {
    let bit = window >> 1;
    for (; (reversed & bit) !== 0; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    if (index >= reversed) continue;
    [re[index], re[reversed]] = [re[reversed]!, re[index]!];
    [im[index], im[reversed]] = [im[reversed]!, im[index]!];
  }
  for (let size = 2; size <= window; size *= 2)
    for (let start = 0; start < window; start += size)
      for (let index = 0; index < size / 2; index += 1) {
        const [cos, sin] = turns[(index * window) / size]!;
        const [even, odd] = [start + index, start + index + size / 2];
        const r = re[odd]! * cos - im[odd]! * sin;
        const i = re[odd]! * sin + im[odd]! * cos;
        re[odd] = re[even]! - r;
        im[odd] = im[even]! - i;
        re[even] = re[even]! + r;
        im[even] = im[even]! + i;
      }
}
