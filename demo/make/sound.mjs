// Sample-level work on mono Float32Array signals at one rate. Everything is seeded: the same input gives the same samples.

export const RATE = 24000;

const hash = (text) => {
  let h = 2166136261;
  for (const c of text) h = Math.imul(h ^ c.codePointAt(0), 16777619);
  return h >>> 0;
};

/** Uniform numbers in [0, 1) from a text seed. */
export function rng(seed) {
  let a = hash(seed);
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const fromDb = (db) => 10 ** (db / 20);
export const seconds = (s) => Math.round(s * RATE);

/** Biquad coefficients (RBJ cookbook). kind: lowpass, highpass, bandpass, peak, lowshelf, highshelf; gain in dB. */
export function biquad(kind, freq, q = 0.707, gain = 0) {
  const w = (2 * Math.PI * Math.min(freq, RATE * 0.49)) / RATE;
  const cos = Math.cos(w);
  const alpha = Math.sin(w) / (2 * q);
  const A = 10 ** (gain / 40);
  const s = 2 * Math.sqrt(A) * alpha;
  const kinds = {
    lowpass: () => [(1 - cos) / 2, 1 - cos, (1 - cos) / 2, 1 + alpha, -2 * cos, 1 - alpha],
    highpass: () => [(1 + cos) / 2, -1 - cos, (1 + cos) / 2, 1 + alpha, -2 * cos, 1 - alpha],
    bandpass: () => [alpha, 0, -alpha, 1 + alpha, -2 * cos, 1 - alpha],
    peak: () => [1 + alpha * A, -2 * cos, 1 - alpha * A, 1 + alpha / A, -2 * cos, 1 - alpha / A],
    lowshelf: () => [
      A * (A + 1 - (A - 1) * cos + s),
      2 * A * (A - 1 - (A + 1) * cos),
      A * (A + 1 - (A - 1) * cos - s),
      A + 1 + (A - 1) * cos + s,
      -2 * (A - 1 + (A + 1) * cos),
      A + 1 + (A - 1) * cos - s,
    ],
    highshelf: () => [
      A * (A + 1 + (A - 1) * cos + s),
      -2 * A * (A - 1 + (A + 1) * cos),
      A * (A + 1 + (A - 1) * cos - s),
      A + 1 - (A - 1) * cos + s,
      2 * (A - 1 - (A + 1) * cos),
      A + 1 - (A - 1) * cos - s,
    ],
  };
  const [b0, b1, b2, a0, a1, a2] = kinds[kind]();
  return [b0 / a0, b1 / a0, b2 / a0, a1 / a0, a2 / a0];
}

/** A running biquad: one sample in, one out. */
export function running([b0, b1, b2, a1, a2]) {
  let z1 = 0;
  let z2 = 0;
  return (x) => {
    const y = b0 * x + z1;
    z1 = b1 * x - a1 * y + z2;
    z2 = b2 * x - a2 * y;
    return y;
  };
}

/** Filters in place, one biquad after the other. */
export function filter(signal, ...stages) {
  for (const stage of stages) {
    const step = running(stage);
    for (let i = 0; i < signal.length; i++) signal[i] = step(signal[i]);
  }
  return signal;
}

/** Integrated loudness in LUFS (BS.1770: K weighting, both gates); -Infinity for silence. */
export function loudness(signal) {
  const shelf = biquad('highshelf', 1682, 0.7072, 4);
  const cut = biquad('highpass', 38.1, 0.5003);
  const weighted = filter(Float32Array.from(signal), shelf, cut);
  const hop = seconds(0.1);
  const energy = [];
  for (let i = 0; i + hop <= weighted.length; i += hop) {
    let e = 0;
    for (let k = i; k < i + hop; k++) e += weighted[k] * weighted[k];
    energy.push(e / hop);
  }
  const blocks = [];
  for (let i = 0; i + 4 <= energy.length; i++)
    blocks.push((energy[i] + energy[i + 1] + energy[i + 2] + energy[i + 3]) / 4);
  const level = (list) => -0.691 + 10 * Math.log10(list.reduce((a, b) => a + b, 0) / list.length);
  const loud = blocks.filter((e) => -0.691 + 10 * Math.log10(e) > -70);
  if (loud.length === 0) return -Infinity;
  const gate = level(loud) - 10;
  return level(loud.filter((e) => -0.691 + 10 * Math.log10(e) > gate));
}

export function scale(signal, factor) {
  for (let i = 0; i < signal.length; i++) signal[i] *= factor;
  return signal;
}

/** Adds part to signal in place, starting at sample at. */
export function mix(signal, part, at = 0, gain = 1) {
  const end = Math.min(part.length, signal.length - at);
  for (let i = 0; i < end; i++) signal[at + i] += part[i] * gain;
}

/** Raised-cosine fades in place, lengths in seconds. */
export function fade(signal, head, tail) {
  const curve = (t) => 0.5 - 0.5 * Math.cos(Math.PI * t);
  const a = Math.min(seconds(head), signal.length);
  const b = Math.min(seconds(tail), signal.length);
  for (let i = 0; i < a; i++) signal[i] *= curve(i / a);
  for (let i = 0; i < b; i++) signal[signal.length - 1 - i] *= curve(i / b);
  return signal;
}

/** Windowed-sinc change of rate: speed 1.05 is 5% shorter and 5% higher, formants with it. */
export function resample(signal, speed) {
  if (Math.abs(speed - 1) < 1e-6) return signal;
  const taps = 24;
  const cutoff = Math.min(1, 1 / speed);
  const out = new Float32Array(Math.floor(signal.length / speed));
  for (let i = 0; i < out.length; i++) {
    const centre = i * speed;
    const first = Math.ceil(centre - taps);
    let sum = 0;
    for (let k = Math.max(0, first); k <= Math.min(signal.length - 1, centre + taps); k++) {
      const d = k - centre;
      const x = Math.PI * d * cutoff;
      const sinc = Math.abs(x) < 1e-9 ? 1 : Math.sin(x) / x;
      sum += signal[k] * sinc * cutoff * (0.5 + 0.5 * Math.cos((Math.PI * d) / (taps + 1)));
    }
    out[i] = sum;
  }
  return out;
}

/** Cuts silence off both ends (relative to the loudest 10 ms) and leaves a few milliseconds of air. */
export function trim(signal, below = -46) {
  const step = seconds(0.005);
  const levels = [];
  for (let i = 0; i + step <= signal.length; i += step) {
    let e = 0;
    for (let k = i; k < i + step; k++) e += signal[k] * signal[k];
    levels.push(Math.sqrt(e / step));
  }
  const limit = Math.max(...levels) * fromDb(below);
  const first = Math.max(0, levels.findIndex((v) => v > limit) - 3) * step;
  const last = Math.min(levels.length, levels.findLastIndex((v) => v > limit) + 8) * step;
  return fade(signal.slice(first, last), 0.005, 0.02);
}

/** Soft-knee-free feed-forward compressor, in place; threshold in dBFS of the running RMS. */
export function compress(signal, { threshold, ratio, attack = 0.006, release = 0.14 }) {
  const up = Math.exp(-1 / (attack * RATE));
  const down = Math.exp(-1 / (release * RATE));
  const smooth = Math.exp(-1 / (0.01 * RATE));
  let power = 0;
  let reduction = 0;
  for (let i = 0; i < signal.length; i++) {
    power = smooth * power + (1 - smooth) * signal[i] * signal[i];
    const over = Math.max(0, 10 * Math.log10(power + 1e-12) - threshold);
    const wanted = over * (1 - 1 / ratio);
    const k = wanted > reduction ? up : down;
    reduction = k * reduction + (1 - k) * wanted;
    signal[i] *= fromDb(-reduction);
  }
  return signal;
}

/** A small furnished room: eight-line feedback delay network. time = decay in seconds, wet = linear share. */
export function room(signal, { time, wet, damp = 3200, size = 1 }) {
  const lengths = [263, 311, 389, 443, 541, 617, 709, 821].map((n) => Math.round(n * size));
  const lines = lengths.map((n) => new Float32Array(n));
  const decay = lengths.map((n) => fromDb((-60 * n) / (time * RATE)));
  const filters = lengths.map(() => 0);
  const keep = Math.exp((-2 * Math.PI * damp) / RATE);
  const heads = lengths.map(() => 0);
  const predelay = new Float32Array(seconds(0.009));
  const taken = new Float32Array(8);
  const out = new Float32Array(signal.length);
  for (let i = 0, p = 0; i < signal.length; i++, p = (p + 1) % predelay.length) {
    const x = predelay[p];
    predelay[p] = signal[i];
    let sum = 0;
    for (let k = 0; k < 8; k++) {
      const y = lines[k][heads[k]];
      filters[k] = y * (1 - keep) + filters[k] * keep;
      taken[k] = filters[k] * decay[k];
      sum += taken[k];
    }
    const shared = sum / 4;
    let heard = 0;
    for (let k = 0; k < 8; k++) {
      lines[k][heads[k]] = x + taken[k] - shared;
      heads[k] = (heads[k] + 1) % lengths[k];
      heard += k % 2 ? taken[k] : -taken[k];
    }
    out[i] = signal[i] + wet * heard * 0.5;
  }
  return out;
}

function reflection(frame, order) {
  const r = new Float64Array(order + 1);
  for (let l = 0; l <= order; l++) for (let i = l; i < frame.length; i++) r[l] += frame[i] * frame[i - l];
  r[0] = r[0] * 1.0005 + 1e-9;
  let a = new Float64Array(order + 1);
  a[0] = 1;
  let error = r[0];
  for (let i = 1; i <= order; i++) {
    let k = r[i];
    for (let j = 1; j < i; j++) k += a[j] * r[i - j];
    k = -k / error;
    const next = Float64Array.from(a);
    for (let j = 1; j < i; j++) next[j] = a[j] + k * a[i - j];
    next[i] = k;
    a = next;
    error *= 1 - k * k;
  }
  return a;
}

/**
 * Breathes on a voice: linear prediction takes the vocal tract off, noise of the same strength replaces part of the
 * vocal folds, the tract goes back on. breath 0 = untouched, 1 = a pure whisper.
 */
export function whisper(signal, breath, seed) {
  const next = rng(`whisper:${seed}`);
  const order = 26;
  const size = 600;
  const hop = size / 2;
  const voiced = Math.sqrt(1 - breath) * 0.9;
  const out = new Float32Array(signal.length);
  const past = new Float64Array(order);
  for (let at = 0; at + size <= signal.length; at += hop) {
    const frame = new Float64Array(size);
    for (let i = 0; i < size; i++) frame[i] = signal[at + i] * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));
    const a = reflection(frame, order);
    const residual = new Float64Array(size);
    let power = 0;
    for (let i = 0; i < size; i++) {
      let e = signal[at + i];
      for (let j = 1; j <= order; j++) if (at + i - j >= 0) e += a[j] * signal[at + i - j];
      residual[i] = e;
      power += e * e;
    }
    const strength = Math.sqrt(power / size) * Math.sqrt(breath) * 1.7;
    past.fill(0);
    for (let i = 0; i < size; i++) {
      let y = voiced * residual[i] + strength * (next() + next() - 1) * 1.22;
      for (let j = 1; j <= order; j++) y -= a[j] * past[j - 1];
      past.copyWithin(1, 0, order - 1);
      past[0] = y;
      out[at + i] += y * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));
    }
  }
  return out;
}
