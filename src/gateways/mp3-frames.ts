import { open } from 'node:fs/promises';

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
    let claimed: number | undefined;
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
      if (frames === 0 && claimed === undefined) {
        claimed = readClaim(bytes, inner + frame.sideInfoEnd);
        if (claimed !== undefined) {
          at += frame.bytes;
          continue;
        }
      }
      frames += 1;
      seconds += frame.samples / frame.sampleRate;
      at += frame.bytes;
    }
    return { seconds, isCutShort: claimed !== undefined && frames < claimed - 20 - claimed * 0.01 };
  } finally {
    await file.close();
  }
}

/** The number of frames, from the header frame that encoders write first. */
function readClaim(bytes: Buffer, at: number): number | undefined {
  const name = bytes.toString('latin1', at, at + 4);
  if ((name !== 'Xing' && name !== 'Info') || at + 12 > bytes.length || (bytes.readUInt32BE(at + 4) & 1) === 0)
    return undefined;
  return bytes.readUInt32BE(at + 8);
}

function isTag(bytes: Buffer, at: number): boolean {
  return /^(?:TAG|ID3|APE|LYR)/.test(bytes.toString('latin1', at, at + 3));
}

/** Length of an ID3 tag between two joined files; its cover picture is full of false frame headers. */
function tagLength(bytes: Buffer, at: number): number | undefined {
  if (bytes.toString('latin1', at, at + 3) !== 'ID3' || at + 10 > bytes.length) return undefined;
  return 10 + bytes.subarray(at + 6, at + 10).reduce((length, byte) => length * 128 + (byte & 0x7f), 0);
}
