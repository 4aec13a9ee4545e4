// Reads the texts of the catalogue aloud: demo/audio/*.mp3 and demo/recordings.json.
// node demo/make/speech.mjs [--all] [slug ...]   only what changed (text, voice, settings, scripts) is made again.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { air, beds } from './beds.mjs';
import { speak } from './engines.mjs';
import { cacheFolder, demoFolder, makeFolder } from './folders.mjs';
import { readText, script } from './read-text.mjs';
import {
  RATE,
  biquad,
  compress,
  fade,
  filter,
  fromDb,
  loudness,
  mix,
  rng,
  room,
  scale,
  seconds,
  whisper,
} from './sound.mjs';

const TARGET = -16;
const CEILING = -1.15;
const BED = { rain: -30, fire: -31, sea: -30, wind: -31 };
const AIR = -58;
const LEAD = 0.65;
const TAIL = 2.6;
const BETWEEN_TAKES = 2.5;
const kbits = (audio) => (audio.length ? 32 : 48);

const catalogue = JSON.parse(readFileSync(join(demoFolder, 'catalogue.json'), 'utf8'));
const voices = JSON.parse(readFileSync(join(makeFolder, 'voices.json'), 'utf8'));
const dialogues = JSON.parse(readFileSync(join(makeFolder, 'dialogues.json'), 'utf8'));
const audioFolder = join(demoFolder, 'audio');
mkdirSync(audioFolder, { recursive: true });
mkdirSync(join(cacheFolder, 'masters'), { recursive: true });

/** Speaker of a part of a dialogue: the reader as always, or the reader doing the other person. */
function speaker(audio, part) {
  const voice = voices[audio.voice];
  const dialogue = dialogues[audio.slug];
  if (!dialogue) return voice;
  const turn = dialogue.by === 'line' ? part.line : part.stanza;
  if (dialogue.turns[turn % dialogue.turns.length] === 'a') return voice;
  return { ...voice, pitch: voice.pitch * voice.other.pitch, formant: voice.formant * voice.other.formant };
}

// A very short poem is given more room: tried in turn until the recording is long enough to settle into.
const SETTLED = 40;
const EASES = [
  { pace: 1, pause: 1 },
  { pace: 0.95, pause: 1.5 },
  { pace: 0.9, pause: 2.2 },
];

/** One reading as samples, and where each printed line begins and ends in it (seconds). */
function reading(audio, text, take, ease = EASES[0]) {
  const { lines, parts } = script(text, audio.language);
  const next = rng(`prosody:${audio.slug}:${take}`);
  const pace = (audio.pace ?? 0.9) * (take === 2 ? 0.9 : 1) * ease.pace;
  const slower = ease.pause / Math.max(0.7, pace) ** 0.5;
  const pieces = [];
  let at = 0;
  for (const [i, part] of parts.entries()) {
    const final = i === parts.length - 1;
    const lift = (1.025 - 0.055 * part.place + 0.03 * (next() - 0.5)) * (take === 2 ? 0.965 : 1) * (final ? 0.98 : 1);
    const speed = pace * (1 + 0.05 * (next() - 0.5)) * (final ? 0.92 : part.stanzaEnd ? 0.96 : 1);
    const samples = speak(speaker(audio, part), part.text, { lift, pace: speed });
    pieces.push({ ...part, at, samples, gain: fromDb(-1.6 * part.place + 0.8 * (next() - 0.5) - (final ? 0.8 : 0)) });
    at += samples.length + seconds(final ? 0 : part.pause * slower * (0.92 + 0.16 * next()));
  }
  const signal = new Float32Array(at);
  for (const piece of pieces) mix(signal, piece.samples, piece.at, piece.gain);
  const cues = lines.map((line, l) => {
    const own = pieces.filter((piece) => piece.line === l);
    const last = own.at(-1);
    return { start: own[0].at / RATE, end: (last.at + last.samples.length) / RATE, text: line };
  });
  return { signal, cues };
}

/** Tone, evenness, breath and loudness of a reading, before the room. */
function master(signal, voice, slug, take) {
  scale(signal, fromDb(-20 - loudness(signal)));
  let out = filter(signal, biquad('highpass', 65), biquad('highpass', 65));
  const breath = (voice.breath ?? 0) * (take === 2 ? 1.08 : 1);
  if (breath > 0) out = whisper(out, Math.min(0.95, breath), `${slug}:${take}`);
  filter(out, ...voice.eq.map(([kind, freq, q, gain]) => biquad(kind, freq, q, gain)));
  scale(out, fromDb(-20 - loudness(out)));
  compress(out, { threshold: -24, ratio: 2.4 });
  return scale(out, fromDb(TARGET - loudness(out) - (take === 2 ? 2.5 : 0)));
}

function withBed(out, audio, kind, level, options) {
  const bed = beds[kind](out.length, audio.slug, options);
  scale(bed, fromDb(level - loudness(bed)));
  mix(out, bed);
}

function spokenAudio(audio, text) {
  const voice = voices[audio.voice];
  let readings = [];
  for (const ease of EASES) {
    readings = Array.from({ length: audio.takes ?? 1 }, (_, i) => reading(audio, text, i + 1, ease));
    const long = readings.reduce(
      (sum, { signal }) => sum + signal.length / RATE + BETWEEN_TAKES,
      LEAD + TAIL - BETWEEN_TAKES,
    );
    if (long >= SETTLED) break;
  }
  const takes = readings.map(({ signal, cues }, i) => ({ cues, signal: master(signal, voice, audio.slug, i + 1) }));
  const starts = [];
  let at = seconds(LEAD);
  for (const take of takes) {
    starts.push(at);
    at += take.signal.length + seconds(BETWEEN_TAKES);
  }
  const dry = new Float32Array(at - seconds(BETWEEN_TAKES) + seconds(TAIL));
  for (const [i, take] of takes.entries()) mix(dry, take.signal, starts[i]);
  const out = room(dry, voice.room);
  const quiet = air(out.length, audio.slug);
  mix(out, scale(quiet, fromDb(AIR - loudness(quiet))));
  if (audio.bed && audio.bed !== 'none') withBed(out, audio, audio.bed, BED[audio.bed]);
  fade(out, 0.4, 2.2);
  return { out, cues: takes.flatMap((take, i) => shifted(take.cues, starts[i] / RATE)) };
}

const shifted = (cues, by) => cues.map(({ start, end, text }) => ({ start: start + by, end: end + by, text }));

/** The weather is what is listened to: it fills audio.length seconds, the voice comes under it a few times. */
function longRain(audio, text) {
  const voice = voices[audio.voice];
  const out = beds.rain(seconds(audio.length), audio.slug, 90);
  scale(out, fromDb(TARGET - loudness(out.subarray(0, seconds(600)))));
  const next = rng(`long:${audio.slug}`);
  const cues = [];
  const first = 75;
  const visits = 5;
  const apart = (audio.length - first - 420) / (visits - 1);
  for (let v = 0; v < visits; v++) {
    const { signal, cues: own } = reading({ ...audio, slug: `${audio.slug}:${v}` }, text, 1);
    const voiceOnly = master(signal, voice, audio.slug, 1);
    const start = first + v * apart + (v ? 40 * (next() - 0.5) : 0);
    const tail = new Float32Array(voiceOnly.length + RATE);
    tail.set(voiceOnly);
    const heard = room(tail, { time: 0.9, wet: 0.2 });
    mix(out, heard, seconds(start), fromDb(-2.5 - 0.8 * v));
    // The rain draws back a little while somebody speaks.
    duck(out, heard, seconds(start), fromDb(-2.5 - 0.8 * v));
    cues.push(...shifted(own, start));
  }
  fade(out, 6, 12);
  return { out, cues };
}

function duck(out, heard, at, gain) {
  const edge = seconds(4);
  const from = Math.max(0, at - edge);
  const to = Math.min(out.length, at + heard.length + edge);
  for (let i = from; i < to; i++) {
    const near = Math.min(1, (i - from) / edge, (to - i) / edge);
    const voice = i >= at && i < at + heard.length ? heard[i - at] * gain : 0;
    out[i] = (out[i] - voice) * (1 - 0.4 * near) + voice;
  }
}

const ffmpeg = (args) => {
  const { status, stderr } = spawnSync('ffmpeg', ['-hide_banner', '-nostats', '-y', ...args], { maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(stderr.toString());
  return stderr.toString();
};

/** Integrated loudness by ffmpeg's own meter, the first pass of loudnorm. */
function measured(path, before = '') {
  const report = ffmpeg(['-i', path, '-af', `${before}loudnorm=print_format=json`, '-f', 'null', '-']);
  const found = JSON.parse(report.slice(report.lastIndexOf('{'), report.lastIndexOf('}') + 1));
  return { loudness: Number(found.input_i), peak: Number(found.input_tp) };
}

/** First pass: sets -16 LUFS, limits true peaks, keeps the master in the cache so that a new bit rate costs little. */
function keepMaster(out, path) {
  const raw = join(cacheFolder, 'mix.wav');
  const header = Buffer.alloc(44);
  const bytes = out.length * 4;
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(3, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE * 4, 28);
  header.writeUInt16LE(4, 32);
  header.writeUInt16LE(32, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  writeFileSync(raw, Buffer.concat([header, Buffer.from(out.buffer, out.byteOffset, bytes)]));
  const gain = TARGET - measured(raw).loudness;
  const limit = 'alimiter=limit=0.74:level=false:attack=4:release=70';
  const chain = `volume=${gain.toFixed(2)}dB,aresample=96000,${limit},aresample=${RATE}`;
  ffmpeg(['-i', raw, '-af', chain, '-c:a', 'flac', '-sample_fmt', 's32', path]);
  rmSync(raw);
}

/** Second pass: what the limiter took is given back by a plain gain (nothing pumps), then MP3. */
function encode(audio, fields, masterPath, path) {
  let rest = Math.max(-1, Math.min(1, TARGET - measured(masterPath).loudness));
  const tags = { title: audio.title, artist: audio.voiceName, composer: fields.author, album: fields.work };
  const metadata = Object.entries(tags).flatMap(([key, value]) => (value ? ['-metadata', `${key}=${value}`] : []));
  const mp3 = ['-c:a', 'libmp3lame', '-b:a', `${kbits(audio)}k`, '-ac', '1', '-ar', String(RATE)];
  const clean = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact', '-id3v2_version', '3'];
  // MP3 overshoots what was limited; where it goes over the ceiling the whole recording gives way by that much.
  for (let tries = 0, over = 1; over > 0 && tries < 3; tries++) {
    const gain = ['-af', `volume=${rest.toFixed(2)}dB`];
    ffmpeg(['-i', masterPath, ...gain, ...mp3, ...clean, ...metadata, '-f', 'mp3', `${path}.part`]);
    over = measured(`${path}.part`).peak - CEILING;
    rest -= Math.max(0, over) + 0.05;
  }
  renameSync(`${path}.part`, path);
}

/** Length of what a decoder gives, in seconds. */
function decodedSeconds(path) {
  const args = ['-v', 'error', '-i', path, '-f', 's16le', '-ac', '1', '-ar', String(RATE), '-'];
  return execFileSync('ffmpeg', args, { maxBuffer: 1 << 30 }).length / 2 / RATE;
}

const digest = (...parts) => createHash('sha256').update(parts.join('\0')).digest('hex');

// Changed code remakes all recordings; a changed text only its own, whose script is part of its key.
const scripts = ['sound.mjs', 'beds.mjs', 'engines.mjs', 'speech.mjs'].map((name) =>
  readFileSync(join(makeFolder, name)),
);
const recipe = digest(...scripts);

const recordingsPath = join(demoFolder, 'recordings.json');
const statePath = join(cacheFolder, 'speech.json');
const read = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {});
const recordings = read(recordingsPath);
const state = process.argv.includes('--all') ? {} : read(statePath);
const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));

function save() {
  const kept = catalogue.audios.filter((a) => recordings[a.slug]).map((a) => [a.slug, recordings[a.slug]]);
  writeFileSync(recordingsPath, `${JSON.stringify(Object.fromEntries(kept), null, 1)}\n`);
  writeFileSync(statePath, JSON.stringify(state));
}

let missing = 0;
for (const entry of catalogue.audios) {
  if (wanted.length > 0 && !wanted.includes(entry.slug)) continue;
  const textPath = join(demoFolder, 'texts', `${entry.slug}.md`);
  if (!existsSync(textPath)) {
    missing++;
    continue;
  }
  const audio = { ...entry, voiceName: catalogue.voices.find((v) => v.slug === entry.voice).name };
  const text = readText(textPath);
  const settings = [
    audio.slug,
    audio.takes,
    audio.bed,
    audio.pace,
    audio.length,
    voices[audio.voice],
    dialogues[audio.slug],
  ];
  const mixKey = digest(JSON.stringify(settings), JSON.stringify(script(text, audio.language)), recipe);
  const fileKey = digest(mixKey, audio.title, audio.voiceName, JSON.stringify(text.fields), kbits(audio));
  const path = join(audioFolder, `${audio.slug}.mp3`);
  const masterPath = join(cacheFolder, 'masters', `${audio.slug}.flac`);
  const made = state[audio.slug];
  if (made?.fileKey === fileKey && existsSync(path) && recordings[audio.slug]) continue;
  if (made?.mixKey !== mixKey || !existsSync(masterPath)) {
    const { out, cues } = audio.length ? longRain(audio, text) : spokenAudio(audio, text);
    keepMaster(out, masterPath);
    state[audio.slug] = { mixKey, cues };
  }
  encode(audio, text.fields, masterPath, path);
  const { cues } = state[audio.slug];
  const round = (n) => Math.round(n * 100) / 100;
  recordings[audio.slug] = {
    file: `audio/${audio.slug}.mp3`,
    mime: 'audio/mpeg',
    seconds: round(decodedSeconds(path)),
    bytes: statSync(path).size,
    cues: cues.map((cue) => ({ start: round(cue.start), end: round(cue.end), text: cue.text })),
  };
  state[audio.slug].fileKey = fileKey;
  save();
  console.log(`${audio.slug} ${recordings[audio.slug].seconds} s`);
}
const slugs = new Set(catalogue.audios.map((a) => `${a.slug}.mp3`));
for (const file of readdirSync(audioFolder)) if (!slugs.has(file)) rmSync(join(audioFolder, file));
save();
const all = Object.values(recordings);
const sum = (key) => all.reduce((total, r) => total + r[key], 0);
console.log(
  `${all.length} recordings, ${(sum('seconds') / 60).toFixed(1)} min, ${(sum('bytes') / 1e6).toFixed(1)} MB, ${missing} without a text`,
);
