import { join } from 'node:path';
import { FilterAPI } from 'node-av/api';
import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
} from 'node-av/constants';
import { type Frame, Codec, CodecContext, Dictionary, FFmpegError, FormatContext, Packet, Rational } from 'node-av/lib';
import { stereo } from './loudness.ts';
import { type Source, Refused } from './source.ts';

/** dBTP before encoding, below the promised -1.5: encoders overshoot by up to a decibel. */
const highestPeak = -2.5;

/** At twice the sample rate the limiter sees peaks between samples. */
const limiter = `aresample=96000,alimiter=limit=${10 ** (highestPeak / 20)}:level=disabled:attack=5:release=50:latency=1,aresample=48000`;

/**
 * Encodes a source into both listening files, from one decoding.
 * @param options `gain` in decibels; `truePeak` of the source in dBTP
 */
export async function encodeBoth(
  source: Source,
  {
    listening: listeningPath,
    small: smallPath,
    comment,
  }: { listening: string; small: string; comment?: string | undefined },
  { gain, truePeak }: { gain: number; truePeak: number },
  onProgress: (seconds: number) => void,
): Promise<void> {
  const louder = `${stereo},volume=${gain.toFixed(2)}dB:precision=double`;
  const isPeaky = truePeak + gain > highestPeak;
  using filter = FilterAPI.create(isPeaky ? `${louder},${limiter}` : louder, { threads: 1 });
  const outputs = [openOutput(listeningPath, listening, comment), openOutput(smallPath, small, comment)];
  function write(frame: Frame): void {
    for (const output of outputs) output.write(frame);
    frame.free();
  }
  for await (const frame of source.frames()) {
    for (const ready of filter.processAllSync(frame)) write(ready);
    onProgress(source.seconds());
  }
  for (const ready of filter.flushFramesSync()) write(ready);
  for (const output of outputs) output.finish();
}

type Encoding = {
  codec: string;
  container: string;
  bitRate: bigint;
  format: 'flt' | 'fltp';
  options: Record<string, string | number>;
  /** Hertz; default: 48,000. */
  rate?: number;
  /** Default: stereo. */
  isMono?: boolean;
};

/** `fast` sounds better than the default at this bit rate, and costs a third less (FFmpeg, commit fcb681ac). */
const listening: Encoding = {
  codec: 'aac',
  container: 'mp4',
  bitRate: 128_000n,
  format: 'fltp',
  options: { aac_coder: 'fast' },
};
const small: Encoding = {
  codec: 'libopus',
  container: 'ogg',
  bitRate: 64_000n,
  format: 'flt',
  options: { compression_level: 5 },
};

/** Enough for words: a tenth of what the largest piece may be. */
const speech: Encoding = {
  codec: 'aac',
  container: 'mp4',
  bitRate: 32_000n,
  format: 'fltp',
  options: {},
  rate: 16_000,
  isMono: true,
};
/** Seconds of a piece at most, and from which on it ends where it is quiet. At 32 kbit/s, 25 MB are 100 minutes. */
const [longestPiece, wantedPiece] = [600, 540];
/** Amplitude (RMS) of a pause. */
const quiet = 0.01;

/** Encodes a source into files for a speech service. */
export async function encodePieces(
  source: Source,
  folder: string,
  onProgress: (seconds: number) => void,
): Promise<{ path: string; start: number }[]> {
  const { rate = 48_000 } = speech;
  using filter = FilterAPI.create(`aresample=${rate},aformat=sample_fmts=fltp:channel_layouts=mono`, { threads: 1 });
  const pieces: { path: string; start: number }[] = [];
  let output: ReturnType<typeof openOutput> | undefined;
  let samples = 0;
  let first = 0;
  function write(frame: Frame): void {
    const seconds = (samples - first) / rate;
    if (output !== undefined && (seconds >= longestPiece || (seconds >= wantedPiece && loudnessOf(frame) < quiet))) {
      output.finish();
      output = undefined;
    }
    if (output === undefined) {
      first = samples;
      const path = join(folder, `piece-${pieces.length}.m4a`);
      pieces.push({ path, start: samples / rate });
      output = openOutput(path, speech, undefined);
    }
    samples += frame.nbSamples;
    output.write(frame);
    frame.free();
  }
  for await (const frame of source.frames()) {
    for (const ready of filter.processAllSync(frame)) write(ready);
    onProgress(source.seconds());
  }
  for (const ready of filter.flushFramesSync()) write(ready);
  output?.finish();
  return pieces;
}

/** Samples of a piece of a clip, in which its ends are exact: 10 ms. */
const clipPiece = 480;
/** Seconds of the fade at each end. */
const fade = 0.1;

/** Encodes a part of a source as a listening file. */
export async function encodeClip(
  source: Source,
  { path, start, seconds }: { path: string; start: number; seconds: number },
): Promise<void> {
  const rate = 48_000;
  const format = `aresample=${rate},aformat=sample_fmts=fltp:channel_layouts=stereo,asetnsamples=n=${clipPiece}:p=0`;
  using filter = FilterAPI.create(format, { threads: 1 });
  const output = openOutput(path, listening, undefined);
  let samples = 0;
  let written = 0;
  function write(frame: Frame): void {
    const at = samples / rate - start;
    samples += frame.nbSamples;
    if (at >= 0 && at < seconds) {
      applyGain(frame, Math.min(1, at / fade, (seconds - at) / fade));
      written += frame.nbSamples;
      output.write(frame);
    }
    frame.free();
  }
  for await (const frame of source.frames()) {
    for (const ready of filter.processAllSync(frame)) write(ready);
    if (samples / rate > start + seconds) break;
  }
  for (const ready of filter.flushFramesSync()) write(ready);
  if (written === 0) throw new Refused('too-short', 'ends before that part');
  output.finish();
}

function applyGain(frame: Frame, gain: number): void {
  if (gain === 1) return;
  for (const plane of frame.data ?? [])
    for (let at = 0; at < frame.nbSamples; at += 1) plane.writeFloatLE(gain * plane.readFloatLE(4 * at), 4 * at);
}

function loudnessOf(frame: Frame): number {
  const bytes = frame.data?.[0];
  if (bytes === undefined) return 0;
  let sum = 0;
  for (let at = 0; at < frame.nbSamples; at += 1) sum += bytes.readFloatLE(4 * at) ** 2;
  return Math.sqrt(sum / Math.max(1, frame.nbSamples));
}

/** Not the module's own encoder class, which loses the last frame of a recording. */
function openOutput(
  path: string,
  { codec: name, container, bitRate, format, options, rate = 48_000, isMono = false }: Encoding,
  comment: string | undefined,
) {
  const codec = Codec.findEncoderByName(name as never);
  if (codec === null) throw new Error(`there is no encoder ${name}`);
  const encoder = new CodecContext();
  encoder.allocContext3(codec);
  encoder.sampleRate = rate;
  encoder.sampleFormat = format === 'flt' ? AV_SAMPLE_FMT_FLT : AV_SAMPLE_FMT_FLTP;
  encoder.channelLayout = isMono ? AV_CHANNEL_LAYOUT_MONO : AV_CHANNEL_LAYOUT_STEREO;
  encoder.bitRate = bitRate;
  encoder.threadCount = 1;
  encoder.timeBase = new Rational(1, rate);
  if (container === 'mp4') encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  for (const [option, value] of Object.entries(options)) check(encoder.setOption(option, value));
  // The module would free options set here twice, and crash.
  check(encoder.open2Sync(codec, null));

  const muxer = new FormatContext();
  check(muxer.allocOutputContext2(null, container, path));
  const stream = muxer.newStream(codec);
  check(stream.codecpar.fromContext(encoder));
  stream.timeBase = new Rational(1, rate);
  if (comment !== undefined) muxer.metadata = Dictionary.fromObject({ comment });
  check(muxer.openOutputSync());
  // Index first, so that playback can start before the file is complete.
  check(muxer.writeHeaderSync(container === 'mp4' ? Dictionary.fromObject({ movflags: '+faststart' }) : null));

  const cut = FilterAPI.create(
    `aformat=sample_fmts=${format}:channel_layouts=${isMono ? 'mono' : 'stereo'},asetnsamples=n=${encoder.frameSize}:p=0`,
    { threads: 1 },
  );
  const packet = new Packet();
  packet.alloc();
  let written = 0n;

  function drain(): void {
    while (encoder.receivePacketSync(packet) >= 0) {
      packet.streamIndex = stream.index;
      packet.rescaleTs(encoder.timeBase, stream.timeBase);
      check(muxer.interleavedWriteFrameSync(packet));
      packet.unref();
    }
  }
  function encode(frame: Frame): void {
    frame.pts = written;
    frame.timeBase = encoder.timeBase;
    written += BigInt(frame.nbSamples);
    check(encoder.sendFrameSync(frame));
    frame.free();
    drain();
  }
  return {
    write(frame: Frame) {
      for (const piece of cut.processAllSync(frame)) encode(piece);
    },
    finish() {
      for (const piece of cut.flushFramesSync()) encode(piece);
      check(encoder.sendFrameSync(null));
      drain();
      check(muxer.writeTrailerSync());
      muxer.closeOutputSync();
      muxer.freeContext();
      encoder.freeContext();
      packet.free();
      cut.close();
    },
  };
}

function check(code: number): void {
  FFmpegError.throwIfError(code);
}
