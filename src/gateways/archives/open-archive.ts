import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Entry, RandomAccessReader, type ZipFile, fromRandomAccessReader } from 'yauzl';
import { type Blobs, type OpenArchive, WebRefusal } from '#domain/gateways.ts';
import { writeHashed } from '../local-files.ts';

/** More than a site of a million audios would have for one creator. */
const maxFiles = 200_000;
/** All files together may unfold to that many times the archive: text takes a tenth, sound as much as before. */
const maxRatio = 20;
const freeBytes = 100 * 1024 * 1024;
/** The list of the files is read in blocks of this size. */
const blockBytes = 256 * 1024;

/**
 * Reads a ZIP that somebody else made, where it is stored: only its list of files is in memory. What it states about its
 * files is checked before they are read, and again while they are (yauzl's `validateEntrySizes`), so that neither a file
 * that unfolds without end nor many names of one file take more than that.
 */
export function openArchives({ blobs, folder = tmpdir() }: { blobs: Blobs; folder?: string }): OpenArchive {
  return async (key, within) => {
    const stored = await blobs.stat(key);
    if (stored === undefined) throw new WebRefusal('status', 'The archive is gone', 404);
    const zip = await openZip(new BlobReader(blobs, key, stored.bytes), stored.bytes);
    const entries = await readEntries(zip, stored.bytes, within);

    async function open(name: string, maxBytes: number): Promise<Readable> {
      const entry = entries.get(name);
      if (entry === undefined) throw new WebRefusal('status', `${name} is not in the archive`, 404);
      if (entry.uncompressedSize > maxBytes)
        throw new WebRefusal('too-large', `${name} is larger than ${Math.floor(maxBytes / 1024)} KiB`);
      return new Promise((resolve, reject) => {
        zip.openReadStream(entry, (error, body) => (error ? reject(unreadable(error)) : resolve(body)));
      });
    }

    return {
      names: [...entries.keys()],
      async read(name, { bytes, signal }) {
        const body = await open(name, bytes);
        const parts: Buffer[] = [];
        try {
          for await (const part of body) {
            signal?.throwIfAborted();
            parts.push(part as Buffer);
          }
        } catch (error) {
          signal?.throwIfAborted();
          throw unreadable(error);
        }
        return { url: name, type: undefined, content: Buffer.concat(parts) };
      },
      async download(name, { bytes: maxBytes, signal }, keep) {
        const body = await open(name, maxBytes);
        const own = await mkdtemp(join(folder, 'sotto-archive-'));
        try {
          const path = join(own, 'file');
          const written = await writeHashed(path, body, signal).catch((error: unknown) => {
            signal?.throwIfAborted();
            throw unreadable(error);
          });
          return await keep({ url: name, type: undefined, path, ...written });
        } finally {
          await rm(own, { recursive: true, force: true });
        }
      },
      close: () => zip.close(),
    };
  };
}

/** A fault of the archive; one of the disk stays what it is, so that the job is tried again. */
function unreadable(error: unknown): unknown {
  if (error instanceof WebRefusal || !(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && !code.startsWith('Z_')) return error;
  return new WebRefusal('unreadable', error.message);
}

function openZip(reader: RandomAccessReader, bytes: number): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromRandomAccessReader(reader, bytes, { lazyEntries: true, autoClose: false }, (error, zip) =>
      error ? reject(unreadable(error)) : resolve(zip),
    );
  });
}

/** Files below a folder, by their path in it. */
function readEntries(zip: ZipFile, bytes: number, folder: string): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let files = 0;
  let unfolded = 0;
  return new Promise((resolve, reject) => {
    zip.on('error', (error) => reject(unreadable(error)));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      files += 1;
      unfolded += entry.uncompressedSize;
      const { fileName: name } = entry;
      if (files > maxFiles) return reject(new WebRefusal('too-large', `More files than ${maxFiles}`));
      if (unfolded > maxRatio * bytes + freeBytes)
        return reject(new WebRefusal('too-large', `It unfolds to more than ${maxRatio} times its size`));
      if (entry.isEncrypted()) return reject(new WebRefusal('unreadable', `${name} is encrypted`));
      if (name.startsWith(folder) && !name.endsWith('/')) {
        const path = name.slice(folder.length);
        if (entries.has(path)) return reject(new WebRefusal('unreadable', `${name} is in it twice`));
        entries.set(path, entry);
      }
      zip.readEntry();
    });
    zip.readEntry();
  });
}

/** Parts of a stored file. The small parts of which a list of files is made come from one block. */
class BlobReader extends RandomAccessReader {
  readonly #blobs: Blobs;
  readonly #key: string;
  readonly #bytes: number;
  #block: { start: number; content: Buffer } | undefined;

  constructor(blobs: Blobs, key: string, bytes: number) {
    super();
    this.#blobs = blobs;
    this.#key = key;
    this.#bytes = bytes;
  }

  /** @param end the byte after the last one */
  override _readStreamForRange(start: number, end: number): Readable {
    if (start >= end) return Readable.from([]);
    const body = this.#blobs.read(this.#key, { start, end: end - 1 });
    return Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    void this.#copy(buffer, offset, length, position).then(
      () => process.nextTick(done, null),
      (error: Error) => process.nextTick(done, error),
    );
  }

  async #copy(buffer: Buffer, offset: number, length: number, position: number): Promise<void> {
    const { start, content } = await this.#load(position, length);
    content.copy(buffer, offset, position - start, position - start + length);
  }

  async #load(position: number, length: number): Promise<{ start: number; content: Buffer }> {
    const before = this.#block;
    if (before && position >= before.start && position + length <= before.start + before.content.byteLength)
      return before;
    const end = Math.min(this.#bytes, position + Math.max(length, blockBytes));
    if (position < 0 || position + length > end) throw new WebRefusal('unreadable', 'It ends too early');
    const parts: Buffer[] = [];
    for await (const part of this._readStreamForRange(position, end)) parts.push(part as Buffer);
    const block = { start: position, content: Buffer.concat(parts) };
    if (block.content.byteLength < length) throw new WebRefusal('unreadable', 'It ends too early');
    this.#block = block;
    return block;
  }
}
