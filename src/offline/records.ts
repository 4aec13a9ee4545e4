import { read, readKeys, remove, write } from './database.ts';
import { chunksOf } from './chunks.ts';
import { coverAddress } from './files.ts';
import { readKey, sealJson, unsealJson } from './sealing.ts';

/** Facts about an audio for lists and the player; the same fields as the player's track. */
export type DownloadTrack = {
  id: string;
  slug: string;
  title: string;
  language?: string | undefined;
  imageUrl: string | null;
  audioFileUrl: string;
  numberDuration: number;
  color: string | null;
  isFree: boolean;
  voice: { id: string; name: string; slug: string; linkedSeries?: { slug: string } | null };
};

export type DownloadedFile = {
  size: number;
  mime: string;
  /** The site's ETag: the beginning of the content's SHA-256. */
  etag: string;
  /** Number of complete chunks on the device, from the start. */
  chunks: number;
};

/** `evicted`: the browser deleted it. `stream-only`: a performer has not agreed to downloads. */
export type FailureReason = 'no-space' | 'network' | Refusal | 'damaged' | 'evicted';
export type Refusal = 'refused' | 'stream-only';

/** The site’s answer will be the same the next time. */
export function isRefusal(failure: FailureReason | undefined): failure is Refusal {
  return failure === 'refused' || failure === 'stream-only';
}

export type DownloadRecord = {
  /** Random, and the only name on the disk. */
  id: string;
  track: DownloadTrack;
  state: 'waiting' | 'loading' | 'paused' | 'kept' | 'failed';
  failure?: FailureReason | undefined;
  file?: DownloadedFile | undefined;
  /** Media type of the cover, when there is one. */
  cover?: string | undefined;
  transcript?: unknown;
  chapters?: unknown;
  /** Cover, transcript and chapters are stored, or there are none. */
  hasExtras?: boolean;
  addedAt: number;
};

const about = (id: string) => `audio ${id}`;

export async function readRecord(key: CryptoKey, id: string): Promise<DownloadRecord | undefined> {
  return unsealJson<DownloadRecord>(key, await read('items', id), about(id));
}

/** Earliest added first. */
export async function readRecords(key: CryptoKey): Promise<DownloadRecord[]> {
  const ids = await readKeys('items');
  const all = await Promise.all(ids.map((id) => readRecord(key, id)));
  return all
    .filter((record) => record !== undefined)
    .toSorted((one, other) => one.addedAt - other.addedAt || (one.id < other.id ? -1 : 1));
}

export async function writeRecord(key: CryptoKey, record: DownloadRecord): Promise<void> {
  await write('items', record.id, await sealJson(key, record, about(record.id)));
}

export function removeRecord(id: string): Promise<void> {
  return remove('items', id);
}

export function withStoredCover({ id, track, cover }: DownloadRecord): DownloadTrack {
  return { ...track, imageUrl: cover === undefined ? track.imageUrl : coverAddress(id) };
}

/** @returns stored bytes, and the size of the whole file once known */
export function progressOf({ file }: DownloadRecord): { bytes: number; size: number | undefined } {
  if (file === undefined) return { bytes: 0, size: undefined };
  const part = file.chunks / Math.max(1, chunksOf(file.size));
  return { bytes: Math.round(part * file.size), size: file.size };
}

/** Position in seconds of each download, by audio id, for an offline start. */
type Positions = Record<string, number>;

const positionsName = 'places';

export async function readPositions(): Promise<Positions> {
  const key = await readKey();
  return (key && (await unsealJson<Positions>(key, await read('state', positionsName), positionsName))) ?? {};
}

export async function writePositions(positions: Positions): Promise<void> {
  const key = await readKey();
  if (key !== undefined) await write('state', positionsName, await sealJson(key, positions, positionsName));
}
