import { type Hash, createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { FileStore } from '@tus/file-store';
import { ERRORS } from '@tus/server';
import { LRUCache } from 'lru-cache';

/** Buffered bytes beyond which no more are read. */
const maxWaitingBytes = 2 * 1024 * 1024;

/** SHA-256 of the received bytes up to `end`. */
type Arrived = { hash: Hash; end: number };

/** tus's disk store, with a write path that leaves nothing to the garbage collector. */
export class DiskUploadStore extends FileStore {
  /** Uploads whose parts all came to this process, in sequence. */
  private readonly arrived = new LRUCache<string, Arrived>({ max: 1000 });

  /**
   * Computed while the bytes arrive, which saves a second read of a large file.
   * @returns SHA-256 in hex; undefined when a part came by another process, or before a restart
   */
  hashOf(id: string, bytes: number): string | undefined {
    const known = this.arrived.get(id);
    return known?.end === bytes ? known.hash.copy().digest('hex') : undefined;
  }

  forget(id: string): void {
    this.arrived.delete(id);
  }

  private arrivedUpTo(offset: number, id: string): Arrived | undefined {
    if (offset === 0) return { hash: createHash('sha256'), end: 0 };
    const known = this.arrived.get(id);
    return known?.end === offset ? known : undefined;
  }

  /**
   * Chunks are freed as soon as they are written, so the caller cannot use them afterwards. Left to the collector, each
   * 16 MB of them cause a full collection of the site's heap, which costs more than the whole upload.
   */
  override async write(chunks: Readable, id: string, offset: number): Promise<number> {
    const path = join(this.directory, id);
    const file = await open(path, 'r+').catch(refuse);
    const waiting: Uint8Array[] = [];
    let waitingBytes = 0;
    let end = offset;
    let writing: Promise<void> | undefined;
    const arrived = this.arrivedUpTo(offset, id);
    // Undefined until the part is written: refused bytes have no hash.
    this.arrived.delete(id);
    const writeWaiting = async (): Promise<void> => {
      // Written at once, not in full batches: on a slow line a batch takes long, and is lost when the process ends.
      while (waiting.length > 0) {
        const [batch, at] = [waiting.splice(0), end];
        end += waitingBytes;
        waitingBytes = 0;
        const written = writeAll(file, batch, at);
        // Waits for the disk, which frees the chunks.
        if (arrived !== undefined) addToHash(arrived, batch);
        await written;
      }
      writing = undefined;
    };
    try {
      try {
        for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
          waiting.push(chunk);
          waitingBytes += chunk.length;
          if (writing === undefined) {
            writing = writeWaiting();
            // Awaited below; until then nothing handles its rejection.
            writing.catch(() => undefined);
          } else if (waitingBytes >= maxWaitingBytes) await writing;
        }
      } finally {
        // Also after a broken connection: the client resumes after the received bytes.
        await writing;
        if (arrived !== undefined) this.arrived.set(id, arrived);
      }
    } catch {
      throw ERRORS.FILE_WRITE_ERROR;
    } finally {
      // Not awaited: the disk works while the next part arrives.
      void syncAndClose(file, path);
    }
    return end;
  }
}

function addToHash(arrived: Arrived, batch: readonly Uint8Array[]): void {
  for (const chunk of batch) {
    arrived.hash.update(chunk);
    arrived.end += chunk.length;
  }
}

type OpenFile = Awaited<ReturnType<typeof open>>;

/** A disk error is reported once, here only; the file is deleted, so its upload starts over. */
async function syncAndClose(file: OpenFile, path: string): Promise<void> {
  try {
    await file.datasync();
  } catch {
    await rm(path, { force: true });
  } finally {
    await file.close().catch(() => undefined);
  }
}

async function writeAll(file: OpenFile, batch: Uint8Array[], at: number): Promise<void> {
  if (batch.length === 0) return;
  const bytes = batch.reduce((sum, { length }) => sum + length, 0);
  const { bytesWritten } = await file.writev(batch, at);
  // A nearly full disk may accept only a part.
  if (bytesWritten < bytes) {
    const rest = Buffer.concat(batch).subarray(bytesWritten);
    for (let done = 0; done < rest.length;)
      done += (await file.write(rest, done, rest.length - done, at + bytesWritten + done)).bytesWritten;
  }
  for (const { buffer, byteLength } of batch)
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

function refuse(): never {
  throw ERRORS.FILE_WRITE_ERROR;
}
