import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Amplitude from -1 to 1 at a time in seconds. */
export type Signal = (time: number, channel: number) => number;

export const tone =
  (hertz: number, level = 0.5): Signal =>
  (time) =>
    level * Math.sin(2 * Math.PI * hertz * time);

/** The same noise each time. */
export function noise(level = 0.5): Signal {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (level * state) / 2 ** 31;
  };
}

/** Noise without the highest frequencies, like breath. */
export function hush(level = 0.5): Signal {
  const source = noise(level);
  let last = 0;
  return (time, channel) => (last += 0.3 * (source(time, channel) - last));
}

type WavOptions = { seconds: number; rate?: number; channels?: number; bits?: 8 | 16 | 24 | 'float' };

/** A WAV file (RIFF, PCM or 32 bit float) of a signal. */
export function wavOf(signal: Signal, { seconds, rate = 48_000, channels = 1, bits = 16 }: WavOptions): Buffer {
  const width = bits === 'float' ? 4 : bits / 8;
  const frames = Math.round(seconds * rate);
  const data = Buffer.alloc(frames * channels * width);
  for (let frame = 0; frame < frames; frame += 1)
    for (let channel = 0; channel < channels; channel += 1) {
      const at = (frame * channels + channel) * width;
      const value = signal(frame / rate, channel);
      const clipped = Math.max(-1, Math.min(1, value));
      if (bits === 'float') data.writeFloatLE(value, at);
      else if (bits === 8) data.writeUInt8(Math.round(127.5 + 127.5 * clipped), at);
      else data.writeIntLE(Math.round(clipped * (2 ** (bits - 1) - 1)), at, width);
    }
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(bits === 'float' ? 3 : 1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * channels * width, 28);
  head.writeUInt16LE(channels * width, 32);
  head.writeUInt16LE(width * 8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

export type SoundFile = {
  path: string;
  /** FFmpeg's names. */
  container: string;
  codec: string;
  seconds: number;
  rate?: number;
  /** Seconds before the sound begins; MP4 has an edit list for it. */
  startsAt?: number;
  /** Options of the container. */
  options?: Record<string, string>;
  /** A track of pictures beside the sound, one every so many seconds. */
  pictures?: { codec: string; count: number; every: number };
};

/** Writes files as other programs do, in a separate program, because its module is native. */
export function makeSounds(files: SoundFile[]): void {
  const program = fileURLToPath(new URL('make-sounds.ts', import.meta.url));
  execFileSync(process.execPath, [program, JSON.stringify(files)]);
}

/** A file as the sound engine reads it: seconds that are there and that are missing, or why it is refused. */
export type ReadSound = { seconds: number; missing: number | null } | { refused: string };

export function readSounds(paths: string[]): ReadSound[] {
  const program = fileURLToPath(new URL('read-sounds.ts', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [program, ...paths], { encoding: 'utf8' })) as ReadSound[];
}

/**
 * Writes a video in a separate program, because its module is native.
 * @param pictures 25 a second; `sound`: path of a file with sound
 */
export function makeVideo(path: string, { pictures = 25, sound }: { pictures?: number; sound?: string } = {}): void {
  const program = fileURLToPath(new URL('make-video.ts', import.meta.url));
  execFileSync(process.execPath, [program, path, String(pictures), ...(sound === undefined ? [] : [sound])]);
}
