import { Demuxer } from 'node-av/api';
import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, FormatContext, Frame, Packet, Rational } from 'node-av/lib';

/** Writes an MP4 of grey pictures, 25 a second: its path, their number, and a file whose sound goes with them. */
const check = (code: number) => FFmpegError.throwIfError(code);
const [path = '', count = '25', soundPath] = process.argv.slice(2);
const [width, height] = [64, 64];
const codec = Codec.findEncoderByName('mpeg4' as never);
if (codec === null) throw new Error('there is no encoder for video');
const encoder = new CodecContext();
encoder.allocContext3(codec);
encoder.width = width;
encoder.height = height;
encoder.pixelFormat = AV_PIX_FMT_YUV420P;
encoder.timeBase = new Rational(1, 25);
check(encoder.open2Sync(codec, null));
const muxer = new FormatContext();
check(muxer.allocOutputContext2(null, 'mp4', path));
const stream = muxer.newStream(codec);
check(stream.codecpar.fromContext(encoder));
stream.timeBase = new Rational(1, 25);
const sound = soundPath === undefined ? undefined : Demuxer.openSync(soundPath);
const heard = sound?.audio();
const copy = heard && muxer.newStream(null);
if (heard && copy) {
  check(heard.codecpar.copy(copy.codecpar));
  copy.timeBase = heard.timeBase;
}
check(muxer.openOutputSync());
check(muxer.writeHeaderSync(null));
const packet = new Packet();
packet.alloc();
function drain(): void {
  while (encoder.receivePacketSync(packet) >= 0) {
    packet.streamIndex = stream.index;
    packet.rescaleTs(encoder.timeBase, stream.timeBase);
    check(muxer.interleavedWriteFrameSync(packet));
    packet.unref();
  }
}
for (let index = 0; index < Number(count); index += 1) {
  const frame = Frame.fromVideoBuffer(Buffer.alloc((width * height * 3) / 2, 128), {
    width,
    height,
    format: AV_PIX_FMT_YUV420P,
    timeBase: { num: 1, den: 25 },
  } as never);
  frame.pts = BigInt(index);
  check(encoder.sendFrameSync(frame));
  frame.free();
  drain();
}
check(encoder.sendFrameSync(null));
drain();
if (sound && heard && copy)
  for (const one of sound.packetsSync(heard.index)) {
    if (one === null) break;
    one.streamIndex = copy.index;
    one.rescaleTs(heard.timeBase, copy.timeBase);
    check(muxer.interleavedWriteFrameSync(one));
  }
check(muxer.writeTrailerSync());
muxer.closeOutputSync();
process.exit(0);
