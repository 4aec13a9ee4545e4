import { crc8 } from '#gateways/flac-end.ts';

/** Small, valid, silent sound files for tests. */

const mp3Frame = Buffer.alloc(104);
// MPEG 1 layer III, 32 kbit/s, 44.1 kHz, mono; a frame of zeros is silence.
mp3Frame.set([0xff, 0xfb, 0x10, 0xc4]);

export type Id3Frames = Record<string, string | Buffer>;

export function silentMp3(seconds: number, frames: Id3Frames = {}): Buffer {
  const count = Math.round((seconds * 44_100) / 1152);
  return Buffer.concat([id3(frames), ...Array.from({ length: count }, () => mp3Frame)]);
}

/** The header frame that encoders write: number of frames and bytes that follow. */
export function silentMp3WithCount(seconds: number, frames: Id3Frames = {}): Buffer {
  const count = Math.round((seconds * 44_100) / 1152);
  const counting = Buffer.from(mp3Frame);
  counting.write('Info', 4 + 17, 'latin1');
  counting.writeUInt32BE(3, 4 + 17 + 4);
  counting.writeUInt32BE(count, 4 + 17 + 8);
  counting.writeUInt32BE(count * mp3Frame.length, 4 + 17 + 12);
  return Buffer.concat([id3(frames), counting, ...Array.from({ length: count }, () => mp3Frame)]);
}

function id3(frames: Id3Frames): Buffer {
  const body = Buffer.concat(
    Object.entries(frames).map(([id, content]) => {
      const data = typeof content === 'string' ? textFrame(id, content) : content;
      return Buffer.concat([Buffer.from(id, 'latin1'), syncSafe(data.length), Buffer.alloc(2), data]);
    }),
  );
  return body.length === 0
    ? body
    : Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0]), syncSafe(body.length), body]);
}

function textFrame(id: string, text: string): Buffer {
  const utf8 = Buffer.from(text, 'utf8');
  return id === 'COMM'
    ? Buffer.concat([Buffer.from('\u0003eng\0', 'latin1'), utf8])
    : Buffer.concat([Buffer.from([3]), utf8]);
}

/** The content of an APIC frame. */
export function picture(image: Uint8Array, mime = 'image/png'): Buffer {
  return Buffer.concat([Buffer.from(`\u0003${mime}\0\u0003\0`, 'latin1'), image]);
}

function syncSafe(length: number): Buffer {
  return Buffer.from([(length >> 21) & 0x7f, (length >> 14) & 0x7f, (length >> 7) & 0x7f, length & 0x7f]);
}

/** 16 bit mono at 8 kHz; `info` are chunks of its LIST, such as INAM and IART. */
export function silentWav(seconds: number, info: Record<string, string> = {}): Buffer {
  const chunk = (id: string, data: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(id, 0, 'latin1');
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  };
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(8000, 4);
  format.writeUInt32LE(16_000, 8);
  format.writeUInt16LE(2, 12);
  format.writeUInt16LE(16, 14);
  const list = Object.entries(info).map(([id, text]) => chunk(id, Buffer.from(`${text}\0`, 'utf8')));
  const body = [
    chunk('fmt ', format),
    ...(list.length > 0 ? [chunk('LIST', Buffer.concat([Buffer.from('INFO'), ...list]))] : []),
    chunk('data', Buffer.alloc(Math.round(seconds * 8000) * 2)),
  ];
  return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...body]));
}

const flacBlock = 4096;

/** 16 bit mono at 44.1 kHz; `comments` may hold any character, as their lengths are written. */
export function silentFlac(seconds: number, comments: Record<string, string> = {}): Buffer {
  const frames = Math.ceil((seconds * 44_100) / flacBlock);
  const info = Buffer.alloc(34);
  info.writeUInt16BE(flacBlock, 0);
  info.writeUInt16BE(flacBlock, 2);
  info.writeBigUInt64BE((44_100n << 44n) | (15n << 36n) | BigInt(frames * flacBlock), 10);
  const vendor = Buffer.from('test');
  const entries = Object.entries(comments).map(([name, value]) => Buffer.from(`${name}=${value}`, 'utf8'));
  const withLength = (data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(data.length);
    return Buffer.concat([length, data]);
  };
  const count = Buffer.alloc(4);
  count.writeUInt32LE(entries.length);
  const comment = Buffer.concat([withLength(vendor), count, ...entries.map(withLength)]);
  const block = (type: number, data: Buffer) =>
    Buffer.concat([Buffer.from([type, 0, data.length >> 8, data.length & 0xff]), data]);
  return Buffer.concat([
    Buffer.from('fLaC'),
    block(0, info),
    block(0x84, comment),
    ...Array.from({ length: frames }, (_none, number) => flacFrame(number)),
  ]);
}

/** One constant subframe of zeros (RFC 9639, 9.2). */
function flacFrame(number: number): Buffer {
  const coded = number < 0x80 ? [number] : [0xc0 | (number >> 6), 0x80 | (number & 0x3f)];
  const header = [0xff, 0xf8, 0xc9, 0x08, ...coded];
  const frame = Buffer.from([...header, crc8(Uint8Array.from(header)), 0, 0, 0]);
  const check = Buffer.alloc(2);
  check.writeUInt16BE(crc16(frame));
  return Buffer.concat([frame, check]);
}

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) !== 0 ? ((crc << 1) ^ 0x8005) & 0xffff : crc << 1;
  }
  return crc;
}
