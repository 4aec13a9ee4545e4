// Measures every recording and fails when one is out of bounds. node demo/make/check.mjs
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { demoFolder } from './folders.mjs';
import { readText } from './read-text.mjs';

const RATE = 24000;
const LIMITS = { shortest: 38, loudness: [-16.7, -15.3], peak: -1, silence: 3, folder: 84e6, images: 14e6 };

const catalogue = JSON.parse(readFileSync(join(demoFolder, 'catalogue.json'), 'utf8'));
const recordings = JSON.parse(readFileSync(join(demoFolder, 'recordings.json'), 'utf8'));
const problems = [];

function meter(path) {
  const args = ['-hide_banner', '-nostats', '-i', path, '-af', 'ebur128=peak=true', '-f', 'null', '-'];
  const report = spawnSync('ffmpeg', args, { maxBuffer: 1 << 28 }).stderr.toString();
  const summary = report.slice(report.lastIndexOf('Summary:'));
  const number = (label) => Number(new RegExp(`${label}:\\s+(-?[\\d.]+)`).exec(summary)[1]);
  return { loudness: number('I'), peak: number('Peak') };
}

/** Seconds of sound, and of the longest run of (near) zero samples (below one 16-bit step). */
function decode(path) {
  const args = ['-v', 'error', '-i', path, '-f', 's16le', '-ac', '1', '-ar', String(RATE), '-'];
  const bytes = execFileSync('ffmpeg', args, { maxBuffer: 1 << 30 });
  let run = 0;
  let longest = 0;
  for (let i = 0; i + 1 < bytes.length; i += 2) {
    run = bytes.readInt16LE(i) === 0 ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return { seconds: bytes.length / 2 / RATE, silence: longest / RATE };
}

const loudnesses = [];
const lengths = [];
for (const audio of catalogue.audios) {
  const own = (text) => problems.push(`${audio.slug}: ${text}`);
  const recording = recordings[audio.slug];
  const path = join(demoFolder, 'audio', `${audio.slug}.mp3`);
  if (!recording || !existsSync(path)) {
    own('no recording');
    continue;
  }
  const { seconds, silence } = decode(path);
  const { loudness, peak } = meter(path);
  loudnesses.push(loudness);
  lengths.push(seconds);
  if (Math.abs(seconds - recording.seconds) > 0.05) own(`lasts ${seconds}, not ${recording.seconds}`);
  if (statSync(path).size !== recording.bytes) own('other size than recorded');
  if (seconds < LIMITS.shortest) own(`only ${seconds.toFixed(1)} s`);
  if (audio.length && (seconds < 3720 || seconds > 3960)) own(`lasts ${seconds}`);
  if (loudness < LIMITS.loudness[0] || loudness > LIMITS.loudness[1]) own(`${loudness} LUFS`);
  if (peak > LIMITS.peak) own(`true peak ${peak} dB`);
  if (silence > LIMITS.silence) own(`${silence.toFixed(1)} s of digital silence`);
  const lines = readText(join(demoFolder, 'texts', `${audio.slug}.md`)).stanzas.flat();
  if (recording.cues.length === 0 || recording.cues.length % lines.length !== 0) own('cues and lines differ in number');
  let before = 0;
  for (const [i, cue] of recording.cues.entries()) {
    if (cue.start < before || cue.end <= cue.start || cue.end > seconds) own(`cue ${i} at ${cue.start} to ${cue.end}`);
    if (cue.text !== lines[i % lines.length]) own(`cue ${i} says something else`);
    before = cue.end;
  }
}

function folderBytes(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce(
    (sum, entry) =>
      sum + (entry.isDirectory() ? folderBytes(join(folder, entry.name)) : statSync(join(folder, entry.name)).size),
    0,
  );
}
const bytes = folderBytes(demoFolder);
const imageBytes = folderBytes(join(demoFolder, 'images'));
if (bytes > LIMITS.folder) problems.push(`the folder has ${(bytes / 1e6).toFixed(1)} MB`);
if (imageBytes > LIMITS.images) problems.push(`the images have ${(imageBytes / 1e6).toFixed(1)} MB`);
for (const [kind, list] of [
  ['audio', catalogue.audios],
  ['voice', catalogue.voices],
  ['category', catalogue.categories],
  ['series', catalogue.series],
])
  for (const { slug } of list)
    if (!existsSync(join(demoFolder, 'images', `${kind}-${slug}.webp`))) problems.push(`no picture of ${kind} ${slug}`);

const span = (list) => `${Math.min(...list).toFixed(1)} to ${Math.max(...list).toFixed(1)}`;
const minutes = lengths.reduce((a, b) => a + b, 0) / 60;
console.log(`${lengths.length} recordings, ${minutes.toFixed(1)} min, ${span(lengths)} s, ${span(loudnesses)} LUFS`);
console.log(`${(bytes / 1e6).toFixed(1)} MB in all, ${(imageBytes / 1e6).toFixed(1)} MB of it pictures`);
for (const problem of problems) console.log(`- ${problem}`);
if (problems.length > 0) process.exit(1);
