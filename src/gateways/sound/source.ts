import { statSync } from 'node:fs';
import { Decoder, Demuxer } from 'node-av/api';
import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_LOG_QUIET,
  AV_SAMPLE_FMT_U8,
  AV_SAMPLE_FMT_U8P,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { type Stream, avGetCodecName, FFmpegError, Frame, Log } from 'node-av/lib';
import type { SoundFacts, soundRefusals } from '#domain/gateways.ts';
import { readMp3Claim } from '../mp3-frames.ts';
import { isMp4Cut, isStillPicture, readMp4Tracks } from '../mp4-tracks.ts';
import { readHead } from '../local-files.ts';
import { takeTurn } from './turns.ts';
import { missingOfMp3, missingOfOgg, missingOfWav, secondsOver } from './stated-length.ts';

/** Only local files and audio containers: playlists would make FFmpeg open other files and addresses. */
const limits = {
  protocol_whitelist: 'file',
  format_whitelist: 'wav,w64,mp3,flac,ogg,mov,aac,aiff,caf,matroska',
};

const maxSeconds = 12 * 60 * 60;
/** The smallest usual file has 32 kbit/s. */
const minBytesPerSecond = 4000;
const tooLong = 'is longer than 12 hours';
/** Packets between two turns of the event loop, which free native memory, and between which the site may pause it. */
const packetsPerTurn = 200;

/** Stops with a reason for the creator. */
export class Refused extends Error {
  readonly reason: (typeof soundRefusals)[number];

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
  /** After the last frame: see `SoundFacts.missingSeconds`. */
  missingSeconds(): number | undefined;
  /** The whole recording; a frame is freed when the next one is requested. */
  frames(): AsyncGenerator<Frame>;
  close(): void;
};

/** @throws Refused */
export function openSource(path: string, { minSeconds }: { minSeconds: number }): Source {
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
    return readSource(input, stream, { path, minSeconds });
  } catch (error) {
    input.closeSync();
    throw error;
  }
}

function findSound(input: Demuxer, path: string): Stream {
  // A container truncated before its index.
  if (input.streams.length === 0) throw unreadable(path);
  // Covers are video streams too.
  const videos = input.streams.filter(
    ({ codecpar, disposition }) =>
      codecpar.codecType === AVMEDIA_TYPE_VIDEO && (disposition & AV_DISPOSITION_ATTACHED_PIC) === 0,
  );
  const stills = readMp4Tracks(path).filter(isStillPicture);
  if (videos.length > stills.length) throw new Refused('video', 'is a video; save its sound as WAV, FLAC, MP3 or M4A');
  const stream = input.audio();
  if (stream === undefined) throw new Refused('not-sound', 'holds no sound');
  return stream;
}

function readSource(
  input: Demuxer,
  stream: Stream,
  { path, minSeconds }: { path: string; minSeconds: number },
): Source {
  const { codecpar } = stream;
  // Such a header is broken, and FFmpeg would fail later, without a reason.
  if (!isBetween(codecpar.sampleRate, 1000, 1_000_000) || !isBetween(codecpar.channels, 1, 64)) throw unreadable(path);
  const codec = avGetCodecName(codecpar.codecId) ?? '';
  const bits = /^(pcm|flac|alac)/.test(codec) ? codecpar.bitsPerRawSample || codecpar.bitsPerCodedSample : 0;
  const { formatName } = input;
  const { size } = statSync(path);
  const track = readMp4Tracks(path).find(({ kind }) => kind === 'soun');
  const emptySeconds = track?.emptySeconds ?? 0;
  const claimedSeconds = track?.seconds ?? statedSeconds(input, stream, path, size);
  if (claimedSeconds !== undefined && claimedSeconds > maxSeconds) throw new Refused('too-long', tooLong);
  let seconds = 0;
  // Before the first sound, as files state it that began to be recorded earlier.
  let leftOut = 0;
  return {
    facts: {
      format: nameFormat(input.formatName, codec),
      sampleRate: codecpar.sampleRate,
      channels: codecpar.channels,
      ...(bits > 0 && { bits }),
    },
    claimedSeconds,
    likelySeconds: Math.min(maxSeconds, claimedSeconds ?? size / minBytesPerSecond),
    seconds: () => seconds,
    missingSeconds() {
      if (/^(?:wav|w64|caf)/.test(formatName)) return missingOfWav(path, size);
      if (formatName === 'ogg') return missingOfOgg(path, size);
      if (formatName === 'mp3') return missingOfMp3(path, size, seconds);
      const missing = secondsOver((claimedSeconds ?? 0) - seconds - leftOut);
      return missing ?? (formatName.includes('mp4') && isMp4Cut(path) ? 0 : undefined);
    },
    async *frames() {
      using decoder = openDecoder(stream, path);
      let count = 0;
      let emptyLeft = emptySeconds;
      for (const frame of decoded(decoder, input, stream, path)) {
        if (frame === null) continue;
        const { nbSamples, sampleRate } = frame;
        if (nbSamples > 0 && sampleRate > 0) {
          if (seconds === 0) leftOut = Math.max(0, startOf(frame, stream) - emptySeconds);
          const gap = emptyLeft > 0 ? Math.min(emptyLeft, startOf(frame, stream) - seconds) : 0;
          if (gap > minGap) {
            emptyLeft -= gap;
            seconds += gap;
            if (seconds > maxSeconds) throw new Refused('too-long', tooLong);
            yield* silence(frame, gap);
          }
          seconds += nbSamples / sampleRate;
          if (seconds > maxSeconds) throw new Refused('too-long', tooLong);
          yield frame;
        }
        frame.free();
        count += 1;
        if (count % packetsPerTurn === 0) await takeTurn();
      }
      if (seconds === 0) throw unreadable(path);
      // Fractions of a second do not add up exactly.
      if (seconds < minSeconds - 1e-6) throw new Refused('too-short', 'is shorter than a second');
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

function isBetween(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}

function nameFormat(container: string, codec: string): string {
  if (container === 'ogg') return codec === 'opus' ? 'Opus' : codec === 'flac' ? 'FLAC' : 'Ogg';
  if (container.includes('mp4') || container.includes('m4a')) return codec === 'alac' ? 'ALAC' : 'M4A';
  if (container.includes('webm')) return 'WebM';
  return container.toUpperCase();
}

/** Raw AAC and many MP3s state no length; FFmpeg estimates theirs by the first frames. */
function statedSeconds(input: Demuxer, stream: Stream, path: string, size: number): number | undefined {
  if (input.formatName === 'aac') return undefined;
  if (input.formatName === 'mp3') return readMp3Claim(path, size)?.seconds;
  if (!input.formatName.includes('mp4')) return input.duration > 0 ? input.duration : undefined;
  // Other tracks, such as pictures, may be longer.
  const seconds = Number(stream.duration) * (stream.timeBase.num / stream.timeBase.den);
  return seconds > 0 ? seconds : undefined;
}

/** Seconds; smaller gaps are rounding, and the delay of encoders. */
const minGap = 0.05;

function startOf(frame: Frame, stream: Stream): number {
  return Number(frame.pts) * (stream.timeBase.num / stream.timeBase.den);
}

/** Frames like this one: the decoder leaves out what an edit list says is empty. */
function* silence({ format, sampleRate, channelLayout }: Frame, seconds: number): Generator<Frame> {
  const isUnsigned = format === AV_SAMPLE_FMT_U8 || format === AV_SAMPLE_FMT_U8P;
  for (let left = Math.round(seconds * sampleRate); left > 0; left -= sampleRate) {
    const frame = new Frame();
    frame.alloc();
    frame.format = format;
    frame.sampleRate = sampleRate;
    frame.channelLayout = channelLayout;
    frame.nbSamples = Math.min(left, sampleRate);
    FFmpegError.throwIfError(frame.getBuffer());
    for (const plane of frame.data ?? []) plane.fill(isUnsigned ? 128 : 0);
    yield frame;
    frame.free();
  }
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
