import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

/** @returns SHA-256 in hex */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, ...(signal && { signal }) }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** New and renamed files survive a power cut only once their folder is on the disk. */
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
