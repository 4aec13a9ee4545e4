import { createHash } from 'node:crypto';
import type { Blobs, SoundFile } from '../gateways.ts';

/** From the content, so that the same file is stored once. */
export function soundKey({ sha256, extension }: SoundFile): string {
  return `audio/${sha256.slice(0, 20)}${extension}`;
}

/** The original file, beside the listening files made from it. */
export function originalKey({ sha256, extension }: SoundFile): string {
  return `originals/${sha256.slice(0, 20)}${extension}`;
}

/** @returns false when the file changed since it was read */
export async function keepSound(
  blobs: Blobs,
  file: SoundFile,
  path: string,
  key: string = soundKey(file),
): Promise<boolean> {
  return (await blobs.stat(key))?.bytes === file.bytes || (await blobs.importFile(key, path)).bytes === file.bytes;
}

/** @param image from `Covers.encode` @returns its key */
export async function keepImage(blobs: Blobs, image: Uint8Array): Promise<string> {
  const key = `images/${createHash('sha256').update(image).digest('hex').slice(0, 20)}.webp`;
  if ((await blobs.stat(key))?.bytes !== image.byteLength) await blobs.write(key, image);
  return key;
}
