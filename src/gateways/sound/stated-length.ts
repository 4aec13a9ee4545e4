import { isWhole, readMp3Claim } from '../mp3-frames.ts';
import { readHead, readTail } from '../local-files.ts';

/** Seconds that the header states beyond the content; 0 where a file ends in the middle, and does not say how long it was. */

/** Programs that write to a pipe do not know the length, and state one near the largest of 32 bits. */
const isUnknown = (bytes: number) => bytes >= 0x7fff_0000 && bytes <= 0xffff_ffff;

type Chunk = { name: string; at: number; stated: number };

/** Chunks of a WAV (RIFF, RF64), Wave64 or CAF file: names, positions and stated lengths of their contents. */
function* chunksOf(path: string): Generator<Chunk> {
  const head = readHead(path, 0, 4).toString('latin1');
  const isLong = head === 'riff';
  const isCaf = head === 'caff';
  if (!isLong && !isCaf && !/^(?:RIFF|RF64|BW64)/.test(head)) return;
  const headBytes = isLong ? 24 : isCaf ? 12 : 8;
  // Chunks begin at even positions, those of Wave64 at every eighth.
  const step = isLong ? 8 : isCaf ? 1 : 2;
  let at = isLong ? 40 : isCaf ? 8 : 12;
  for (let count = 0; count < 1000; count += 1) {
    const bytes = readHead(path, at, headBytes);
    if (bytes.length < headBytes) return;
    const stated = isLong
      ? Number(bytes.readBigUInt64LE(16)) - headBytes
      : isCaf
        ? Number(bytes.readBigInt64BE(4))
        : bytes.readUInt32LE(4);
    yield { name: bytes.toString('latin1', 0, 4), at: at + headBytes, stated };
    if (stated < 0) return;
    at = Math.ceil((at + headBytes + stated) / step) * step;
  }
}

/**
 * A WAV file's (RIFF, RF64), a Wave64's or a CAF's.
 * @returns undefined for a whole file
 */
export function missingOfWav(path: string, fileBytes: number): number | undefined {
  let bytesPerSecond = 0;
  let longBytes: number | undefined;
  for (const { name, at, stated } of chunksOf(path)) {
    const content = readHead(path, at, 24);
    if (name === 'fmt ' && content.length >= 12) bytesPerSecond = content.readUInt32LE(8);
    if (name === 'desc' && content.length >= 24)
      bytesPerSecond = (content.readDoubleBE(0) * content.readUInt32BE(16)) / content.readUInt32BE(20);
    if (name === 'ds64' && content.length >= 16) longBytes = Number(content.readBigUInt64LE(8));
    if (name === 'data') {
      const bytes = stated === 0xffff_ffff ? longBytes : stated;
      if (bytes === undefined || bytes < 0 || isUnknown(bytes)) return undefined;
      const missing = bytes - (fileBytes - at);
      // Compressed sound may not say how many bytes a second takes.
      return bytesPerSecond > 0 ? secondsOver(missing / bytesPerSecond) : missing > 0 ? 0 : undefined;
    }
  }
  return undefined;
}

/** Longer than any page (RFC 3533, 6). */
const maxPageBytes = 27 + 255 + 255 * 255;

/** Ogg states no length, but that of each page. @returns 0 for a file that ends within a page */
export function missingOfOgg(path: string, fileBytes: number): number | undefined {
  const tail = readTail(path, fileBytes, 2 * maxPageBytes);
  const at = tail.lastIndexOf('OggS');
  if (at === -1) return undefined;
  const segments = tail[at + 26];
  const table = tail.subarray(at + 27, at + 27 + (segments ?? 0));
  if (segments === undefined || table.length < segments) return 0;
  const end = at + 27 + segments + table.reduce((sum, length) => sum + length, 0);
  return end > tail.length ? 0 : undefined;
}

/**
 * An MP3's. The first frame states how many frames and bytes follow; after joined files and in wrong headers these do
 * not fit each other or the file.
 */
export function missingOfMp3(path: string, fileBytes: number, seconds: number): number | undefined {
  const claim = readMp3Claim(path, fileBytes);
  if (claim === undefined || isWhole(claim, fileBytes)) return undefined;
  return secondsOver(claim.seconds - seconds);
}

/** Less is rounding, and the encoder’s delay. */
export function secondsOver(seconds: number): number | undefined {
  return seconds > 1 ? Math.round(seconds) : undefined;
}
