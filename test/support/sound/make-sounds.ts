import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PIX_FMT_GRAY8,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVJ420P,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
} from 'node-av/constants';
import { type Stream, Codec, CodecContext, FFmpegError, FormatContext, Frame, Packet, Rational } from 'node-av/lib';
import type { SoundFile } from './sounds.ts';

/** Writes files of a tone, as other programs write them with FFmpeg. Reads their descriptions from its first argument. */
const check = (code: number) => FFmpegError.throwIfError(code);
for (const file of JSON.parse(process.argv[2] ?? '[]') as SoundFile[]) write(file);
process.exit(0);

type Track = { stream: Stream; encoder: CodecContext; frames: Generator<Frame> };

function write({ path, container, codec, seconds, rate = 48_000, startsAt = 0, options = {}, pictures }: SoundFile) {
  const muxer = new FormatContext();
  check(muxer.allocOutputContext2(null, container, path));
  const tracks = [
    openSound(muxer, { codec, seconds, rate, startsAt }),
    ...(pictures ? [openPictures(muxer, pictures)] : []),
  ];
  for (const [name, value] of Object.entries(options)) check(muxer.setOption(name, value));
  check(muxer.openOutputSync());
  check(muxer.writeHeaderSync(null));
  const packet = new Packet();
  packet.alloc();
  for (const { stream, encoder, frames } of tracks) {
    const drain = () => {
      while (encoder.receivePacketSync(packet) >= 0) {
        packet.streamIndex = stream.index;
        packet.rescaleTs(encoder.timeBase, stream.timeBase);
        check(muxer.interleavedWriteFrameSync(packet));
        packet.unref();
      }
    };
    for (const frame of frames) {
      check(encoder.sendFrameSync(frame));
      frame.free();
      drain();
    }
    check(encoder.sendFrameSync(null));
    drain();
  }
  check(muxer.writeTrailerSync());
  muxer.closeOutputSync();
}

function openEncoder(name: string, setUp: (encoder: CodecContext) => void) {
  const codec = Codec.findEncoderByName(name as never);
  if (codec === null) throw new Error(`there is no encoder ${name}`);
  const encoder = new CodecContext();
  encoder.allocContext3(codec);
  setUp(encoder);
  encoder.threadCount = 1;
  check(encoder.open2Sync(codec, null));
  return { codec, encoder };
}

type Sound = Required<Pick<SoundFile, 'codec' | 'seconds' | 'rate' | 'startsAt'>>;

function openSound(muxer: FormatContext, { codec: name, seconds, rate, startsAt }: Sound): Track {
  const { codec, encoder } = openEncoder(name, (context) => {
    context.sampleRate = rate;
    context.sampleFormat = Codec.findEncoderByName(name as never)?.sampleFormats?.[0] ?? AV_SAMPLE_FMT_S16;
    context.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    context.timeBase = new Rational(1, rate);
    context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  });
  const stream = muxer.newStream(codec);
  check(stream.codecpar.fromContext(encoder));
  stream.timeBase = new Rational(1, rate);
  function* frames() {
    const size = encoder.frameSize || 1024;
    const { sampleFormat } = encoder;
    const isFloat = sampleFormat === AV_SAMPLE_FMT_FLT || sampleFormat === AV_SAMPLE_FMT_FLTP;
    const isWide = !isFloat && sampleFormat !== AV_SAMPLE_FMT_S16 && sampleFormat !== AV_SAMPLE_FMT_S16P;
    for (let at = 0; at < seconds * rate; at += size) {
      const frame = new Frame();
      frame.alloc();
      frame.format = sampleFormat;
      frame.sampleRate = rate;
      frame.channelLayout = AV_CHANNEL_LAYOUT_MONO;
      frame.nbSamples = Math.min(size, Math.round(seconds * rate) - at);
      check(frame.getBuffer());
      const [plane] = frame.data ?? [];
      for (let index = 0; plane !== undefined && index < frame.nbSamples; index += 1) {
        const value = 0.3 * Math.sin((2 * Math.PI * 440 * (at + index)) / rate);
        if (isFloat) plane.writeFloatLE(value, 4 * index);
        else if (isWide) plane.writeInt32LE(Math.round(value * 0x7fff_ffff), 4 * index);
        else plane.writeInt16LE(Math.round(value * 0x7fff), 2 * index);
      }
      frame.pts = BigInt(at + Math.round(startsAt * rate));
      yield frame;
    }
  }
  return { stream, encoder, frames: frames() };
}

function openPictures(muxer: FormatContext, { codec: name, count, every }: NonNullable<SoundFile['pictures']>): Track {
  const [width, height] = [64, 64];
  const format = { mjpeg: AV_PIX_FMT_YUVJ420P, png: AV_PIX_FMT_GRAY8 }[name] ?? AV_PIX_FMT_YUV420P;
  const { codec, encoder } = openEncoder(name, (context) => {
    context.width = width;
    context.height = height;
    context.pixelFormat = format;
    context.timeBase = new Rational(1, 1000);
    context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  });
  const stream = muxer.newStream(codec);
  check(stream.codecpar.fromContext(encoder));
  stream.timeBase = new Rational(1, 1000);
  function* frames() {
    for (let index = 0; index < count; index += 1) {
      const bytes = width * height * (name === 'png' ? 1 : 1.5);
      const pixels = Buffer.alloc(bytes, 60 + ((10 * index) % 180));
      const frame = Frame.fromVideoBuffer(pixels, { width, height, format, timeBase: { num: 1, den: 1000 } } as never);
      frame.pts = BigInt(Math.round(1000 * every * index));
      yield frame;
    }
  }
  return { stream, encoder, frames: frames() };
}
