import { createHash } from 'node:crypto';
import { closeSync, createWriteStream, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** @returns SHA-256 in hex */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path, 'r');
  try {
    // Two buffers for the whole file: one is filled while the other is hashed, which leaves no garbage.
    let [filled, free] = [Buffer.allocUnsafeSlow(1 << 20), Buffer.allocUnsafeSlow(1 << 20)];
    let { bytesRead } = await file.read(filled);
    while (bytesRead > 0) {
      signal?.throwIfAborted();
      const next = file.read(free);
      hash.update(filled.subarray(0, bytesRead));
      ({ bytesRead } = await next);
      [filled, free] = [free, filled];
    }
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

/** Writes a file while it is hashed. @returns its size, and its SHA-256 in hex */
export async function writeHashed(
  path: string,
  body: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    body,
    async function* (source: AsyncIterable<Uint8Array>) {
      for await (const part of source) {
        hash.update(part);
        bytes += part.byteLength;
        yield part;
      }
    },
    createWriteStream(path),
    { ...(signal && { signal }) },
  );
  return { bytes, sha256: hash.digest('hex') };
}

/** New and renamed files survive a power cut only once their folder is synced. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; its file systems journal names by themselves.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** @returns fewer bytes at the end of the file */
export function readHead(path: string, start: number, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(length);
    return head.subarray(0, readSync(file, head, 0, length, start));
  } finally {
    closeSync(file);
  }
}

export function readTail(path: string, fileBytes: number, length: number): Buffer {
  const start = Math.max(0, fileBytes - length);
  return readHead(path, start, fileBytes - start);
}
