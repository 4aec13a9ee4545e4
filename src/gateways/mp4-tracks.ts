import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A track of an MP4 or M4A file (ISO/IEC 14496-12). */
export type Mp4Track = {
  /** `soun` or `vide`, for example. */
  kind: string;
  samples: number;
  /** Mean number of samples a second; undefined for a track without a length. */
  rate: number | undefined;
  /** Silence that the edit list puts between and before its samples. */
  emptySeconds: number;
};

/** Bytes of the index that are read: that of twelve hours takes 20 MB. */
const mostIndexBytes = 64 * 1024 * 1024;

/** @returns no tracks for other files, and for a broken index */
export function readMp4Tracks(path: string): Mp4Track[] {
  const index = readIndex(path);
  if (index === undefined) return [];
  const boxes = [...boxesOf(index)];
  const scale = timescaleOf(boxes.find(({ type }) => type === 'mvhd')?.content);
  return boxes.filter(({ type }) => type === 'trak').flatMap(({ content }) => readTrack(content, scale) ?? []);
}

/** Few pictures, or one a second at most: a cover that an editor stored as a track. */
export function isStillPicture({ kind, samples, rate }: Mp4Track): boolean {
  return kind === 'vide' && (samples <= 10 || (rate !== undefined && rate <= 1));
}

function readIndex(path: string): Buffer | undefined {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const head = Buffer.alloc(16);
    for (let at = 0; at + 8 <= size;) {
      readSync(file, head, 0, head.length, at);
      const short = head.readUInt32BE(0);
      const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? size - at : short;
      const start = short === 1 ? 16 : 8;
      if (length < start) return undefined;
      if (head.toString('latin1', 4, 8) === 'moov') {
        const content = Buffer.alloc(Math.min(length - start, size - at - start, mostIndexBytes));
        readSync(file, content, 0, content.length, at + start);
        return content;
      }
      at += length;
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}

type Box = { type: string; content: Buffer };

function* boxesOf(bytes: Buffer): Generator<Box> {
  for (let at = 0; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    if (length < 8) return;
    yield { type: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + 8, at + length) };
    at += length;
  }
}

function findBox(bytes: Buffer | undefined, ...types: string[]): Buffer | undefined {
  return types.reduce<Buffer | undefined>(
    (inner, type) => inner && [...boxesOf(inner)].find((box) => box.type === type)?.content,
    bytes,
  );
}

function readTrack(track: Buffer, movieScale: number | undefined): Mp4Track | undefined {
  const media = findBox(track, 'mdia');
  const kind = findBox(media, 'hdlr')?.toString('latin1', 8, 12);
  const header = findBox(media, 'mdhd');
  if (kind === undefined || header === undefined) return undefined;
  const sizes = findBox(media, 'minf', 'stbl', 'stsz');
  const samples = sizes !== undefined && sizes.length >= 12 ? sizes.readUInt32BE(8) : 0;
  const scale = timescaleOf(header);
  const units = header[0] === 1 ? uint64(header, 24) : uint32(header, 16);
  const seconds = scale === undefined || units === undefined ? 0 : units / scale;
  const empty = emptyUnits(findBox(track, 'edts', 'elst'));
  return {
    kind,
    samples,
    rate: seconds > 0 ? samples / seconds : undefined,
    emptySeconds: movieScale === undefined ? 0 : empty / movieScale,
  };
}

/** For `mvhd` and `mdhd`, which begin alike. */
function timescaleOf(header: Buffer | undefined): number | undefined {
  return header === undefined ? undefined : uint32(header, header[0] === 1 ? 20 : 12) || undefined;
}

/** Units of the movie in which nothing of the track is played: the media time of such an edit is -1 (8.6.6). */
function emptyUnits(list: Buffer | undefined): number {
  if (list === undefined || list.length < 8) return 0;
  const isLong = list[0] === 1;
  const width = isLong ? 20 : 12;
  const count = Math.min(list.readUInt32BE(4), Math.floor((list.length - 8) / width));
  let units = 0;
  for (let entry = 0; entry < count; entry += 1) {
    const at = 8 + entry * width;
    const mediaTime = isLong ? list.readBigInt64BE(at + 8) : BigInt(list.readInt32BE(at + 4));
    if (mediaTime === -1n) units += (isLong ? uint64(list, at) : uint32(list, at)) ?? 0;
  }
  return units;
}

function uint32(bytes: Buffer, at: number): number | undefined {
  return at + 4 <= bytes.length ? bytes.readUInt32BE(at) : undefined;
}

function uint64(bytes: Buffer, at: number): number | undefined {
  return at + 8 <= bytes.length ? Number(bytes.readBigUInt64BE(at)) : undefined;
}
