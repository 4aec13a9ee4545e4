// Beds under the voice, synthesised for the whole length (nothing is looped). Each returns a Float32Array of n samples,
// at a level of its own: the caller sets the loudness.
import { RATE, biquad, filter, rng, running, seconds } from './sound.mjs';

/** A slow random curve in [0, 1] that takes about period seconds from one value to the next. */
function drift(next, period) {
  let from = next();
  let to = next();
  let at = 0;
  let length = period * RATE * (0.6 + 0.8 * next());
  return () => {
    if (++at >= length) {
      from = to;
      to = next();
      at = 0;
      length = period * RATE * (0.6 + 0.8 * next());
    }
    const t = at / length;
    return from + (to - from) * t * t * (3 - 2 * t);
  };
}

const white = (next) => () => 2 * next() - 1;

function brown(next) {
  let y = 0;
  return () => (y = 0.985 * y + 0.15 * (2 * next() - 1));
}

/** Adds a decaying tone: one drop, one pop. */
function ping(out, at, freq, decay, gain, bend = 0) {
  const length = Math.min(out.length - at, seconds(decay * 6));
  let phase = 0;
  for (let i = 0; i < length; i++) {
    const t = i / RATE;
    phase += (2 * Math.PI * freq * (1 + bend * Math.exp(-t / decay))) / RATE;
    out[at + i] += gain * Math.exp(-t / decay) * Math.sin(phase) * Math.min(1, i / 12);
  }
}

/** Poisson arrivals: calls make(at) about rate times a second. */
function arrivals(n, next, rate, make) {
  for (let t = 0; ;) {
    t += (-Math.log(1 - next()) / rate) * RATE;
    if (t >= n) return;
    make(Math.floor(t));
  }
}

/** period = seconds between the slow changes of how hard it rains. */
function rain(n, seed, period = 25) {
  const next = rng(`rain:${seed}`);
  const noise = white(next);
  const low = brown(next);
  const hard = drift(next, period);
  const gust = drift(next, 4);
  const body = running(biquad('bandpass', 1250, 0.35));
  const hiss = running(biquad('bandpass', 3100, 0.5));
  const glass = running(biquad('bandpass', 780, 2.2));
  const out = new Float32Array(n);
  for (let i = 0; i < n; i++) {
    const h = hard();
    const g = 0.85 + 0.3 * gust();
    const w = noise();
    out[i] = g * ((0.5 + 0.35 * h) * body(w) + (0.1 + 0.3 * h * h) * hiss(w) + 0.22 * glass(w)) + 0.1 * low();
  }
  arrivals(n, next, 55, (at) => ping(out, at, 1300 + 2600 * next(), 0.002 + 0.003 * next(), 0.1 * next() ** 3, 0.1));
  arrivals(n, next, 2.2, (at) => ping(out, at, 520 + 700 * next(), 0.012 + 0.012 * next(), 0.16 * next() ** 2, 0.25));
  return filter(out, biquad('lowpass', 6000, 0.6), biquad('highpass', 90));
}

function fire(n, seed) {
  const next = rng(`fire:${seed}`);
  const noise = white(next);
  const low = brown(next);
  const flare = drift(next, 3.5);
  const flutter = drift(next, 0.14);
  const roar = running(biquad('lowpass', 260, 0.6));
  const hiss = running(biquad('bandpass', 2600, 0.5));
  const out = new Float32Array(n);
  const heat = new Float32Array(Math.ceil(n / 1024));
  for (let i = 0; i < n; i++) {
    const f = flare();
    if (i % 1024 === 0) heat[i / 1024] = f;
    out[i] = (0.5 + 0.5 * f) * (0.6 + 0.4 * flutter()) * roar(low()) * 1.3 + 0.05 * (0.4 + f) * hiss(noise());
  }
  arrivals(n, next, 11, (at) => {
    const gain = 0.5 * Math.min(1, 0.08 / (0.05 + next())) * (0.15 + heat[at >> 10] ** 2);
    const band = running(biquad('bandpass', 1400 + 2600 * next(), 1.4));
    const decay = 0.0008 + 0.004 * next() ** 2;
    const length = Math.min(n - at, seconds(decay * 7));
    for (let i = 0; i < length; i++) out[at + i] += gain * band(noise()) * Math.exp(-i / (decay * RATE));
  });
  arrivals(n, next, 0.35, (at) => ping(out, at, 330 + 420 * next(), 0.006 + 0.008 * next(), 0.22 * next(), 0.4));
  return filter(out, biquad('highpass', 60));
}

function sea(n, seed) {
  const next = rng(`sea:${seed}`);
  const swell = new Float32Array(n);
  for (let t = -4; t < n / RATE; t += 5.5 + 4 * next()) {
    const height = 0.55 + 0.45 * next();
    const rise = 2.4 + 1.6 * next();
    const fall = 3.2 + 2.4 * next();
    for (let i = Math.max(0, seconds(t)); i < Math.min(n, seconds(t + rise + fall * 2)); i++) {
      const s = i / RATE - t;
      const shape =
        s < rise ? (0.5 - 0.5 * Math.cos((Math.PI * s) / rise)) ** 1.6 : Math.exp(-(s - rise) / (fall * 0.55));
      swell[i] = Math.max(swell[i], height * shape);
    }
  }
  const noise = white(next);
  const low = brown(next);
  const deep = running(biquad('lowpass', 420, 0.6));
  const crest = running(biquad('bandpass', 1100, 0.45));
  const pebbles = running(biquad('bandpass', 3200, 0.7));
  const out = new Float32Array(n);
  let smooth = 0;
  for (let i = 0; i < n; i++) {
    smooth += (swell[i] - smooth) * 0.0006;
    const back = Math.max(0, smooth - swell[i]) + 0.12 * smooth;
    const w = noise();
    out[i] = (0.35 + 0.75 * smooth) * deep(low()) + 0.42 * smooth * smooth * crest(w) + 0.3 * back * pebbles(w);
  }
  return filter(out, biquad('highpass', 50), biquad('lowpass', 7000));
}

function wind(n, seed) {
  const next = rng(`wind:${seed}`);
  const noise = white(next);
  const low = brown(next);
  const gust = drift(next, 4.2);
  const tune = drift(next, 2.8);
  const out = new Float32Array(n);
  const state = [0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const g = 0.25 + 0.75 * gust() ** 1.5;
    const centre = 210 + 420 * tune() * g;
    const w = noise();
    // A state-variable filter, because its frequency may move on every sample.
    for (const [k, freq, q] of [
      [0, centre, 0.28],
      [2, centre * 2.3, 0.5],
    ]) {
      const f = 2 * Math.sin((Math.PI * freq) / RATE);
      state[k] += f * state[k + 1];
      state[k + 1] += f * (w - state[k] - q * state[k + 1]);
    }
    out[i] = g * (0.3 * state[1] + 0.07 * state[3]) + 0.06 * low();
  }
  return filter(out, biquad('highpass', 70), biquad('lowpass', 5000));
}

/** Air of a quiet room: what is left when nobody speaks, so that no pause is digital silence. */
export function air(n, seed) {
  const next = rng(`air:${seed}`);
  const low = brown(next);
  const noise = white(next);
  const out = new Float32Array(n);
  for (let i = 0; i < n; i++) out[i] = low() + 0.08 * noise();
  return filter(out, biquad('highpass', 60), biquad('lowpass', 3500));
}

export const beds = { rain, fire, sea, wind };
