// One utterance from one of three offline synthesisers, with pitch and pace set inside the engine and the size of the
// speaker (formants) set by a change of rate, so that nothing is stretched afterwards.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './folders.mjs';
import { RATE, resample, trim } from './sound.mjs';

const wav = join(cacheFolder, 'utterance.wav');

/** Reads 16-bit mono PCM; the data chunk may not be the first one. */
function readWav(path) {
  const file = readFileSync(path);
  const rate = file.readUInt32LE(24);
  let at = 12;
  while (file.toString('latin1', at, at + 4) !== 'data') at += 8 + file.readUInt32LE(at + 4);
  const end = Math.min(file.length, at + 8 + file.readUInt32LE(at + 4));
  const signal = new Float32Array((end - at - 8) >> 1);
  for (let i = 0; i < signal.length; i++) signal[i] = file.readInt16LE(at + 8 + 2 * i) / 32768;
  return { rate, signal };
}

const percent = (value, low, high) => String(Math.round(Math.min(high, Math.max(low, value * 100))));
const run = (command, args, input) => execFileSync(command, args, { input, stdio: ['pipe', 'ignore', 'ignore'] });

// rate 1 and pitch 1 mean the engine's own; rest is what its sampling needs to end up at one common speed.
const engines = {
  rhvoice(speaker, text, pitch, rate) {
    const how = ['-R', '24000', '-q', 'max', '-r', percent(rate, 30, 200), '-t', percent(pitch, 50, 180)];
    run('RHVoice-test', ['-p', speaker, ...how, '-o', wav], `${text}\n`);
  },
  pico(speaker, text, pitch, rate) {
    const escaped = text.replace(/&/g, 'and').replace(/[<>]/g, '');
    const marked = `<pitch level="${percent(pitch, 50, 200)}"><speed level="${percent(rate, 30, 200)}">${escaped}</speed></pitch>`;
    run('pico2wave', ['-l', speaker, '-w', wav, marked]);
  },
  flite(speaker, text, pitch, rate) {
    run('flite', ['-voice', speaker, '--setf', `duration_stretch=${(1 / rate).toFixed(3)}`, '-t', text, '-o', wav]);
  },
};

/**
 * Speaks one utterance. voice is an entry of voices.json; lift multiplies its pitch, pace its speed.
 * Returns trimmed samples at RATE.
 */
export function speak(voice, text, { lift = 1, pace = 1 } = {}) {
  // Clustergen voices take no pitch setting: what is asked of them goes into the speed of the samples.
  const settable = voice.engine !== 'flite';
  const size = settable ? voice.formant : voice.formant * lift;
  engines[voice.engine](voice.speaker, text, (voice.pitch * lift) / size, (voice.rate * pace) / size);
  const { rate, signal } = readWav(wav);
  return trim(resample(signal, (size * rate) / RATE));
}
