import { closeSync, openSync, readSync } from 'node:fs';

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
