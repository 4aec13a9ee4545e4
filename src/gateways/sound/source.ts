import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { Decoder, Demuxer } from 'node-av/api';
import { AV_DISPOSITION_ATTACHED_PIC, AV_LOG_QUIET, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { avGetCodecName, Log } from 'node-av/lib';
import type { Frame, Stream } from 'node-av/lib';
import type { SoundFacts, SoundRefusal } from '#domain/gateways.ts';

/** Only local files and audio containers: playlists would make FFmpeg open other files and addresses. */
const limits = {
  protocol_whitelist: 'file',
  format_whitelist: 'wav,w64,mp3,flac,ogg,mov,aac,aiff,caf,matroska',
};

const mostSeconds = 12 * 60 * 60;
/** The smallest usual file has 32 kbit/s. */
const leastBytesPerSecond = 4000;
const tooLong = 'is longer than 12 hours';
/** Packets between two turns of the event loop, which free native memory. */
const packetsPerTurn = 200;

/** Stops with a reason for the creator. */
export class Refused extends Error {
  readonly reason: Exclude<SoundRefusal['reason'], 'takes-too-much'>;

  /** @param detail second half of a sentence that begins with the file's name */
  constructor(reason: Refused['reason'], detail: string) {
    super(detail);
    this.reason = reason;
  }
}

export type Source = {
  facts: Pick<SoundFacts, 'format' | 'sampleRate' | 'channels' | 'bits'>;
  /** Seconds as stated by the file; undefined when it states nothing reliable. */
  claimedSeconds: number | undefined;
  /** Seconds for which room is needed: as stated, or the most that so many bytes may hold. */
  likelySeconds: number;
  /** Seconds decoded so far. */
  seconds(): number;
  /** The whole recording; a frame is freed when the next one is requested. */
  frames(): AsyncGenerator<Frame>;
  close(): void;
};

/** @throws Refused */
export function openSource(path: string, { leastSeconds }: { leastSeconds: number }): Source {
  Log.setLevel(AV_LOG_QUIET);
  if (statSync(path).size === 0) throw new Refused('empty', 'is empty');
  let input: Demuxer;
  try {
    // FFmpeg's own names; the types only list those of each container.
    input = Demuxer.openSync(path, { options: limits as never });
  } catch {
    throw unreadable(path);
  }
  try {
    const stream = findSound(input, path);
    return readSource(input, stream, { path, leastSeconds });
  } catch (error) {
    input.closeSync();
    throw error;
  }
}

function findSound(input: Demuxer, path: string): Stream {
  // A container truncated before its index.
  if (input.streams.length === 0) throw unreadable(path);
  // Covers are video streams too.
  const isVideo = input.streams.some(
    ({ codecpar, disposition }) =>
      codecpar.codecType === AVMEDIA_TYPE_VIDEO && (disposition & AV_DISPOSITION_ATTACHED_PIC) === 0,
  );
  if (isVideo) throw new Refused('video', 'is a video');
  const stream = input.audio();
  if (stream === undefined) throw new Refused('not-sound', 'holds no sound');
  return stream;
}

function readSource(
  input: Demuxer,
  stream: Stream,
  { path, leastSeconds }: { path: string; leastSeconds: number },
): Source {
  const { codecpar } = stream;
  // Such a header is broken, and FFmpeg would fail later, without a reason.
  if (!isBetween(codecpar.sampleRate, 1000, 1_000_000) || !isBetween(codecpar.channels, 1, 64)) throw unreadable(path);
  const codec = avGetCodecName(codecpar.codecId) ?? '';
  const bits = /^(pcm|flac|alac)/.test(codec) ? codecpar.bitsPerRawSample || codecpar.bitsPerCodedSample : 0;
  const claimedSeconds = statesLength(input.formatName, path) && input.duration > 0 ? input.duration : undefined;
  if (claimedSeconds !== undefined && claimedSeconds > mostSeconds) throw new Refused('too-long', tooLong);
  let seconds = 0;
  return {
    facts: {
      format: nameFormat(input.formatName, codec),
      sampleRate: codecpar.sampleRate,
      channels: codecpar.channels,
      ...(bits > 0 && { bits }),
    },
    claimedSeconds,
    likelySeconds: Math.min(mostSeconds, claimedSeconds ?? statSync(path).size / leastBytesPerSecond),
    seconds: () => seconds,
    async *frames() {
      using decoder = openDecoder(stream, path);
      let count = 0;
      for (const frame of decoded(decoder, input, stream, path)) {
        if (frame === null) continue;
        const { nbSamples, sampleRate } = frame;
        if (nbSamples > 0 && sampleRate > 0) {
          seconds += nbSamples / sampleRate;
          if (seconds > mostSeconds) throw new Refused('too-long', tooLong);
          yield frame;
        }
        frame.free();
        count += 1;
        if (count % packetsPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      if (seconds === 0) throw unreadable(path);
      // Fractions of a second do not add up exactly.
      if (seconds < leastSeconds - 1e-6) throw new Refused('too-short', 'is shorter than a second');
    },
    close: () => input.closeSync(),
  };
}

function openDecoder(stream: Stream, path: string): Decoder {
  try {
    return Decoder.createSync(stream, { exitOnError: false, threadCount: 1 } as never);
  } catch {
    throw unreadable(path);
  }
}

/** The decoder's own errors are the file's. */
function* decoded(decoder: Decoder, input: Demuxer, stream: Stream, path: string): Generator<Frame | null> {
  const frames = decoder.framesSync(input.packetsSync(stream.index))[Symbol.iterator]();
  for (;;) {
    let next: IteratorResult<Frame | null>;
    try {
      next = frames.next();
    } catch {
      throw unreadable(path);
    }
    if (next.done === true) return;
    yield next.value;
  }
}

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

function nameFormat(container: string, codec: string): string {
  if (container === 'ogg') return codec === 'opus' ? 'Opus' : codec === 'flac' ? 'FLAC' : 'Ogg';
  if (container.includes('mp4') || container.includes('m4a')) return codec === 'alac' ? 'ALAC' : 'M4A';
  if (container.includes('webm')) return 'WebM';
  return container.toUpperCase();
}

/** Durations of raw AAC, and of MP3 without a counting frame, are estimated from the first frames. */
function statesLength(container: string, path: string): boolean {
  if (container === 'aac') return false;
  if (container !== 'mp3') return true;
  const start = readHead(path, 0, 10);
  // An ID3 tag's length has seven bits to a byte (ID3v2.4, 3.1).
  const tag =
    start.toString('latin1', 0, 3) === 'ID3'
      ? 10 + start.subarray(6, 10).reduce((length, byte) => length * 128 + (byte & 0x7f), 0)
      : 0;
  return /Xing|Info|VBRI/.test(readHead(path, tag, 400).toString('latin1'));
}

/** Why nothing can be decoded, although the first bytes may look like a known format. */
function unreadable(path: string): Refused {
  const head = readHead(path, 0, 16).toString('latin1');
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'AVI ') return new Refused('video', 'is a video');
  const isKnown =
    /^(RIFF|RF64|fLaC|OggS|ID3|FORM|caff)/.test(head) || head.slice(4, 8) === 'ftyp' || /^\xff[\xe2-\xff]/.test(head);
  return isKnown
    ? new Refused('damaged', 'is damaged: nothing in it can be played')
    : new Refused('not-sound', 'is not a sound file');
}

function readHead(path: string, start: number, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(length);
    return head.subarray(0, readSync(file, head, 0, length, start));
  } finally {
    closeSync(file);
  }
}
