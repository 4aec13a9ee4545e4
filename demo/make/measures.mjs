// Measures every recording, for the waveforms of the demo. node demo/make/measures.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDiskBlobs } from '../../src/gateways/disk-blobs.ts';
import { openSoundEngine } from '../../src/gateways/sound/sound-engine.ts';
import { cacheFolder, demoFolder } from './folders.mjs';

const blobs = openDiskBlobs({ dir: join(cacheFolder, 'blobs') });
const engine = openSoundEngine({ blobs, dir: join(tmpdir(), 'demo-measures') });
const recordings = JSON.parse(readFileSync(join(demoFolder, 'recordings.json'), 'utf8'));

const lines = [];
for (const [slug, { file }] of Object.entries(recordings)) {
  const measured = await engine.measure({ path: join(demoFolder, file) });
  if (!measured.ok) throw new Error(`${file} ${measured.detail}`);
  const { facts, peaks } = measured;
  lines.push(` ${JSON.stringify(slug)}: ${JSON.stringify({ facts, peaks: Buffer.from(peaks).toString('base64') })}`);
}
writeFileSync(join(demoFolder, 'measures.json'), `{\n${lines.join(',\n')}\n}\n`);
