import { open } from 'node:fs/promises';
import { readHead } from './local-files.ts';

export type Mp3Measure = {
  seconds: number;
  /** The file has fewer frames than its header announces. */
  isCutShort: boolean;
};

const bitRates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const sampleRates = [44_100, 48_000, 32_000] as const;

type Frame = { bytes: number; samples: number; sampleRate: number; sideInfoEnd: number };

/** A layer III header (ISO/IEC 11172-3, 2.4.1.3, and 13818-3); free bit rates, which are unused, are not supported. */
function readFrame(bytes: Buffer, at: number): Frame | undefined {
  const [first, second = 0, third = 0, fourth = 0] = bytes.subarray(at, at + 4);
  if (first !== 0xff || at + 4 > bytes.length || (second & 0xe6) !== 0xe2) return undefined;
  const version = (second >> 3) & 3; // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
  if (version === 1) return undefined;
  const isFirst = version === 3;
  const bitRate = bitRates[isFirst ? 1 : 2][third >> 4];
  const baseRate = sampleRates[(third >> 2) & (3 as 0 | 1 | 2)];
  if (!bitRate || baseRate === undefined) return undefined;
  const sampleRate = baseRate / (isFirst ? 1 : version === 2 ? 2 : 4);
  const samples = isFirst ? 1152 : 576;
  const isMono = fourth >> 6 === 3;
  const sideInfo = isFirst ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  const check = (second & 1) === 0 ? 2 : 0;
  return {
    bytes: Math.floor(((samples / 8) * bitRate * 1000) / sampleRate) + ((third >> 1) & 1),
    samples,
    sampleRate,
    sideInfoEnd: 4 + check + sideInfo,
  };
}

/**
 * Counts the frames of an MP3, because its header may be wrong and is often missing.
 * @param start position where the search for the first frame begins
 */
export async function measureMp3(path: string, start: number): Promise<Mp3Measure> {
  const file = await open(path, 'r');
  try {
    const window = Buffer.alloc(1 << 20);
    let windowAt = start;
    let filled = 0;
    let seconds = 0;
    let frames = 0;
    let claim: Mp3Claim | undefined;
    const { size } = await file.stat();
    for (let at = start; ;) {
      if (at - windowAt + 4096 > filled) {
        windowAt = at;
        filled = (await file.read(window, 0, window.length, at)).bytesRead;
        if (filled < 4) break;
      }
      const bytes = window.subarray(0, filled);
      const inner = at - windowAt;
      if (inner + 4 > filled) break;
      const frame = readFrame(bytes, inner);
      const next = frame === undefined ? undefined : inner + frame.bytes;
      // A header may appear by chance, so the next one must match too, or the file must end here.
      const isSure =
        next !== undefined && (next + 4 > filled || readFrame(bytes, next) !== undefined || isTag(bytes, next));
      if (frame === undefined || !isSure) {
        at += tagLength(bytes, inner) ?? 1;
        continue;
      }
      if (frames === 0 && claim === undefined) {
        claim = readClaim(bytes, inner, frame);
        if (claim !== undefined) {
          claim.start = at;
          at += frame.bytes;
          continue;
        }
      }
      frames += 1;
      seconds += frame.samples / frame.sampleRate;
      at += frame.bytes;
    }
    const isTrue = claim !== undefined && isPossible(claim, size) && !isWhole(claim, size);
    return { seconds, isCutShort: isTrue && frames < claim!.frames * 0.99 - 20 };
  } finally {
    await file.close();
  }
}

/** The length that the first frame states, which holds no sound. */
export type Mp3Claim = {
  frames: number;
  seconds: number;
  /** Sum of all frames; some programs omit it. */
  bytes: number | undefined;
  /** Position of that frame. */
  start: number;
};

/** @returns undefined where nothing is stated, or what cannot be */
export function readMp3Claim(path: string, fileBytes: number): Mp3Claim | undefined {
  const start = tagLength(readHead(path, 0, 10), 0) ?? 0;
  const bytes = readHead(path, start, 64 * 1024);
  for (let at = 0; at + 4 <= bytes.length; at += 1) {
    const frame = readFrame(bytes, at);
    if (frame === undefined || readFrame(bytes, at + frame.bytes) === undefined) continue;
    const claim = readClaim(bytes, at, frame);
    return claim !== undefined && isPossible(claim, fileBytes) ? { ...claim, start: start + at } : undefined;
  }
  return undefined;
}

/** `Xing` and `Info` of LAME, and `VBRI` of Fraunhofer. */
function readClaim(bytes: Buffer, at: number, { samples, sampleRate, sideInfoEnd }: Frame): Mp3Claim | undefined {
  const read = (inner: number) => (inner + 4 <= bytes.length ? bytes.readUInt32BE(inner) : 0);
  const nameAt = (inner: number) => bytes.toString('latin1', inner, inner + 4);
  const xing = at + sideInfoEnd;
  const vbri = at + 36;
  const isXing = nameAt(xing) === 'Xing' || nameAt(xing) === 'Info';
  const flags = isXing ? read(xing + 4) : 0;
  const stated = isXing
    ? { frames: (flags & 1) === 0 ? 0 : read(xing + 8), bytes: (flags & 3) === 3 ? read(xing + 12) : 0 }
    : nameAt(vbri) === 'VBRI'
      ? { frames: read(vbri + 14), bytes: read(vbri + 10) }
      : { frames: 0, bytes: 0 };
  if (stated.frames === 0) return undefined;
  const seconds = (stated.frames * samples) / sampleRate;
  return { frames: stated.frames, seconds, bytes: stated.bytes || undefined, start: at };
}

/** The smallest frame has 24 bytes, the largest 1,441. */
function isPossible({ frames, bytes }: Mp3Claim, fileBytes: number): boolean {
  if (bytes === undefined) return frames * 24 <= fileBytes;
  return bytes >= frames * 20 && bytes <= (frames + 10) * 1500;
}

/** Whether all stated bytes are there; after joined files there are more. */
export function isWhole({ bytes, start }: Mp3Claim, fileBytes: number): boolean {
  return bytes !== undefined && bytes <= fileBytes - start;
}

function isTag(bytes: Buffer, at: number): boolean {
  return /^(?:TAG|ID3|APE|LYR)/.test(bytes.toString('latin1', at, at + 3));
}

/** Length of an ID3 tag between two joined files; its cover picture is full of false frame headers. */
function tagLength(bytes: Buffer, at: number): number | undefined {
  if (bytes.toString('latin1', at, at + 3) !== 'ID3' || at + 10 > bytes.length) return undefined;
  return 10 + bytes.subarray(at + 6, at + 10).reduce((length, byte) => length * 128 + (byte & 0x7f), 0);
}
