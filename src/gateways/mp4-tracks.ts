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
  /** Length with that silence, without what the edit list leaves out; undefined where the index does not say it. */
  seconds: number | undefined;
};

/** Bytes of the index that are read: that of twelve hours takes 20 MB. */
const maxIndexBytes = 64 * 1024 * 1024;

/** @returns no tracks for other files, and for a broken index */
export function readMp4Tracks(path: string): Mp4Track[] {
  return withBoxes(path, (boxes, read) => {
    let index: Buffer | undefined;
    const inFragments = new Map<number, number>();
    for (const box of boxes) {
      if (box.type === 'moov') index = read(box);
      if (box.type === 'moof') countSamples(read(box), inFragments);
      // Without fragments, nothing after the index matters.
      if (index !== undefined && findBox(index, 'mvex') === undefined) break;
    }
    const parts = index === undefined ? [] : [...boxesOf(index)];
    const scale = timescaleOf(parts.find(({ type }) => type === 'mvhd')?.content);
    return parts
      .filter(({ type }) => type === 'trak')
      .flatMap(({ content }) => readTrack(content, scale, inFragments) ?? []);
  });
}

/** Samples of a fragment (8.8.4 to 8.8.8), by the ids of their tracks. */
function countSamples(fragment: Buffer, counts: Map<number, number>): void {
  for (const { type, content } of boxesOf(fragment)) {
    if (type !== 'traf') continue;
    const id = uint32(findBox(content, 'tfhd') ?? content, 4) ?? 0;
    for (const run of boxesOf(content))
      if (run.type === 'trun') counts.set(id, (counts.get(id) ?? 0) + (uint32(run.content, 4) ?? 0));
  }
}

/** Few pictures, or one a second at most: a cover that an editor stored as a track. */
export function isStillPicture({ kind, samples, rate }: Mp4Track): boolean {
  return kind === 'vide' && (samples <= 10 || (rate !== undefined && rate <= 1));
}

/** Whether the file ends within its sound; its index, or its fragments, state nothing about that. */
export function isMp4Cut(path: string): boolean {
  return withBoxes(path, (boxes, _read, size) => {
    for (const { type, at, length } of boxes) if (/^(?:mdat|moof)$/.test(type) && at + length > size) return true;
    return false;
  });
}

/** Position and length of a box's content in the file. */
type FileBox = { type: string; at: number; length: number };

function withBoxes<Result>(
  path: string,
  use: (boxes: Iterable<FileBox>, read: (box: FileBox) => Buffer, size: number) => Result,
): Result {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const read = ({ at, length }: FileBox) => {
      const content = Buffer.alloc(Math.min(length, size - at, maxIndexBytes));
      return content.subarray(0, readSync(file, content, 0, content.length, at));
    };
    return use(fileBoxes(file, size), read, size);
  } finally {
    closeSync(file);
  }
}

function* fileBoxes(file: number, size: number): Generator<FileBox> {
  const head = Buffer.alloc(16);
  for (let at = 0; at + 8 <= size;) {
    readSync(file, head, 0, head.length, at);
    const short = head.readUInt32BE(0);
    const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? size - at : short;
    const start = short === 1 ? 16 : 8;
    if (length < start) return;
    yield { type: head.toString('latin1', 4, 8), at: at + start, length: length - start };
    at += length;
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

function readTrack(
  track: Buffer,
  movieScale: number | undefined,
  inFragments: Map<number, number>,
): Mp4Track | undefined {
  const media = findBox(track, 'mdia');
  const kind = findBox(media, 'hdlr')?.toString('latin1', 8, 12);
  const header = findBox(media, 'mdhd');
  if (kind === undefined || header === undefined) return undefined;
  const sizes = findBox(media, 'minf', 'stbl', 'stsz');
  const head = findBox(track, 'tkhd');
  const id = head && uint32(head, head[0] === 1 ? 20 : 12);
  const listed = sizes !== undefined && sizes.length >= 12 ? sizes.readUInt32BE(8) : 0;
  const samples = listed + (inFragments.get(id ?? 0) ?? 0);
  const scale = timescaleOf(header);
  const units = header[0] === 1 ? uint64(header, 24) : uint32(header, 16);
  const seconds = scale === undefined || units === undefined ? 0 : units / scale;
  const edits = movieScale === undefined || scale === undefined ? [] : readEdits(findBox(track, 'edts', 'elst'));
  const inMovie = (length: number) => length / (movieScale ?? 1);
  const edited = edits.map(({ length, from }) =>
    from === undefined ? inMovie(length) : Math.min(inMovie(length), Math.max(0, seconds - from / (scale ?? 1))),
  );
  return {
    kind,
    samples,
    rate: seconds > 0 ? samples / seconds : undefined,
    emptySeconds: edits.reduce((sum, { length, from }) => sum + (from === undefined ? inMovie(length) : 0), 0),
    // Fragmented files have a length of 0 here.
    seconds: seconds > 0 ? (edits.length > 0 ? edited.reduce((sum, length) => sum + length, 0) : seconds) : undefined,
  };
}

/** For `mvhd` and `mdhd`, which begin alike. */
function timescaleOf(header: Buffer | undefined): number | undefined {
  return header === undefined ? undefined : uint32(header, header[0] === 1 ? 20 : 12) || undefined;
}

/** A part of the movie, in its units; `from`: position in the track, in its own units, undefined for silence (8.6.6). */
type Edit = { length: number; from: number | undefined };

function readEdits(list: Buffer | undefined): Edit[] {
  if (list === undefined || list.length < 8) return [];
  const isLong = list[0] === 1;
  const width = isLong ? 20 : 12;
  const count = Math.min(list.readUInt32BE(4), Math.floor((list.length - 8) / width));
  return Array.from({ length: count }, (_none, entry) => {
    const at = 8 + entry * width;
    const from = isLong ? Number(list.readBigInt64BE(at + 8)) : list.readInt32BE(at + 4);
    return { length: (isLong ? uint64(list, at) : uint32(list, at)) ?? 0, from: from === -1 ? undefined : from };
  });
}

function uint32(bytes: Buffer, at: number): number | undefined {
  return at + 4 <= bytes.length ? bytes.readUInt32BE(at) : undefined;
}

function uint64(bytes: Buffer, at: number): number | undefined {
  return at + 8 <= bytes.length ? Number(bytes.readBigUInt64BE(at)) : undefined;
}
