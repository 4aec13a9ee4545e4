import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { FileStore } from '@tus/file-store';
import { ERRORS } from '@tus/server';

/** Bytes that wait for the disk before no more are read. */
const mostWaitingBytes = 2 * 1024 * 1024;

/** tus's store on disk, with a way to write that leaves nothing to the garbage collector. */
export class DiskUploadStore extends FileStore {
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
    const writeWaiting = async (): Promise<void> => {
      // At once and not in full batches: on a slow line a batch takes long, and it is lost when the process ends.
      while (waiting.length > 0) {
        const [batch, at] = [waiting.splice(0), end];
        end += waitingBytes;
        waitingBytes = 0;
        await writeAll(file, batch, at);
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
            // Awaited below; until then nobody listens.
            writing.catch(() => undefined);
          } else if (waitingBytes >= mostWaitingBytes) await writing;
        }
      } finally {
        // Also when the connection broke: its client goes on after what has arrived.
        await writing;
      }
    } catch {
      throw ERRORS.FILE_WRITE_ERROR;
    } finally {
      // Not awaited: the disk works while the next part arrives, and the file is hashed.
      void syncAndClose(file, path);
    }
    return end;
  }
}

type OpenFile = Awaited<ReturnType<typeof open>>;

/** A disk that failed says so once, and only here: the file goes, so that its upload begins anew. */
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
  // A disk that is nearly full takes a part.
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
