import { chunksOf } from './chunks.ts';
import { coverAddress } from './files.ts';
import type { DownloadRecord, DownloadTrack } from './records.ts';

/** Downloaded tracks show their stored cover. */
export function withStoredCover({ id, track, cover }: DownloadRecord): DownloadTrack {
  return { ...track, imageUrl: cover === undefined ? track.imageUrl : coverAddress(id) };
}

/** @returns stored bytes, and the size of the whole file once known */
export function progressOf({ file }: DownloadRecord): { bytes: number; size: number | undefined } {
  if (file === undefined) return { bytes: 0, size: undefined };
  const part = file.chunks / Math.max(1, chunksOf(file.size));
  return { bytes: Math.round(part * file.size), size: file.size };
}
