import { isWhole, readMp3Claim } from '../mp3-frames.ts';
import { readHead, readTail } from '../read-part.ts';

/** Seconds that the header states beyond the content; 0 where a file ends in the middle, and does not say how long it was. */

/** Programs that write to a pipe do not know the length, and state one near the largest. */
const unknownBytes = 0x7fff_0000;

/**
 * A WAV file's (RIFF, RF64).
 * @returns undefined for a whole file
 */
export function missingOfWav(path: string, fileBytes: number): number | undefined {
  const head = readHead(path, 0, 12).toString('latin1');
  if (!/^(?:RIFF|RF64|BW64)/.test(head)) return undefined;
  let bytesPerSecond = 0;
  let longBytes: number | undefined;
  for (let at = 12, chunks = 0; chunks < 1000; chunks += 1) {
    const chunk = readHead(path, at, 24);
    if (chunk.length < 8) return undefined;
    const name = chunk.toString('latin1', 0, 4);
    const stated = chunk.readUInt32LE(4);
    if (name === 'fmt ' && chunk.length >= 20) bytesPerSecond = chunk.readUInt32LE(16);
    if (name === 'ds64' && chunk.length >= 24) longBytes = Number(chunk.readBigUInt64LE(16));
    if (name === 'data') {
      const bytes = stated === 0xffff_ffff ? longBytes : stated;
      if (bytes === undefined || bytes >= unknownBytes || bytesPerSecond === 0) return undefined;
      return secondsOver((bytes - (fileBytes - at - 8)) / bytesPerSecond);
    }
    // Chunks begin at even positions.
    at += 8 + stated + (stated % 2);
  }
  return undefined;
}

/** Longer than any page (RFC 3533, 6). */
const mostPageBytes = 27 + 255 + 255 * 255;

/** Ogg states no length, but that of each page. @returns 0 for a file that ends within a page */
export function missingOfOgg(path: string, fileBytes: number): number | undefined {
  const tail = readTail(path, fileBytes, 2 * mostPageBytes);
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
