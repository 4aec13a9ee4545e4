import { open } from 'node:fs/promises';

const streamInfoAt = 8;
const streamInfoLength = 34;
/** Bytes; more than the longest common frame and the tags that some programs append. */
const minTailBytes = 256 * 1024;

/**
 * Whether a FLAC file contains all samples that its header announces (RFC 9639, 8.2 and 9.1). Each frame has its sample
 * number, so the last frame's header is enough.
 * @param start position of `fLaC` in the file
 */
export async function reachesItsEnd(path: string, start: number): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const info = Buffer.alloc(streamInfoLength);
    await file.read(info, 0, streamInfoLength, start + streamInfoAt);
    const total = Number(info.readBigUInt64BE(10) & 0xf_ffff_ffffn);
    if (total === 0) return true; // Written without a known length, for example from a pipe.
    const { size } = await file.stat();
    const tail = Buffer.alloc(Math.min(size, Math.max(minTailBytes, info.readUIntBE(7, 3) * 2)));
    await file.read(tail, 0, tail.length, size - tail.length);
    for (let at = tail.length - 6; at >= 0; at -= 1) {
      const frame = readFrameHeader(tail, at, info.readUInt16BE(0));
      // Sound may look like a header by chance; only an exact match counts.
      if (frame !== undefined && frame.first < total && frame.first + frame.samples >= total) return true;
    }
    return false;
  } finally {
    await file.close();
  }
}

function readFrameHeader(
  bytes: Buffer,
  at: number,
  fixedBlock: number,
): { first: number; samples: number } | undefined {
  const [sync, kind, sizes, layout] = bytes.subarray(at, at + 4);
  if (
    sync !== 0xff ||
    (kind !== 0xf8 && kind !== 0xf9) ||
    sizes === undefined ||
    layout === undefined ||
    (layout & 1) !== 0
  )
    return undefined;
  const number = readCodedNumber(bytes, at + 4);
  if (number === undefined) return undefined;
  let end = number.end;
  const blockCode = sizes >> 4;
  let samples: number;
  if (blockCode === 0) return undefined;
  else if (blockCode === 1) samples = 192;
  else if (blockCode <= 5) samples = 576 << (blockCode - 2);
  else if (blockCode <= 7) {
    const width = blockCode - 5;
    if (end + width > bytes.length) return undefined;
    samples = bytes.readUIntBE(end, width) + 1;
    end += width;
  } else samples = 256 << (blockCode - 8);
  const rateCode = sizes & 0x0f;
  end += rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0;
  if (end >= bytes.length || bytes[end] !== crc8(bytes.subarray(at, end))) return undefined;
  return { first: kind === 0xf9 ? number.value : number.value * fixedBlock, samples };
}

/** Coded like UTF-8, up to 36 bits. */
function readCodedNumber(bytes: Buffer, at: number): { value: number; end: number } | undefined {
  const first = bytes[at];
  if (first === undefined || (first & 0xc0) === 0x80 || first === 0xff) return undefined;
  const ones = Math.clz32(~(first << 24));
  const length = Math.max(1, ones);
  let value = ones === 0 ? first : first & (0x7f >> ones);
  for (let index = 1; index < length; index += 1) {
    const next = bytes[at + index];
    if (next === undefined || (next & 0xc0) !== 0x80) return undefined;
    value = value * 64 + (next & 0x3f);
  }
  return { value, end: at + length };
}

/** Polynomial x^8 + x^2 + x + 1. */
export function crc8(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x80) !== 0 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1;
  }
  return crc;
}
