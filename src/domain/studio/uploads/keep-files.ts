import { createHash } from 'node:crypto';
import type { SoundFile } from '../../gateways.ts';
import { type FileTools, storeFile } from '../../stored-files.ts';

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
  tools: FileTools,
  file: SoundFile,
  path: string,
  key: string = soundKey(file),
): Promise<boolean> {
  let stored = file.bytes;
  await storeFile(tools, { key, bytes: file.bytes }, async () => {
    stored = (await tools.blobs.importFile(key, path)).bytes;
  });
  return stored === file.bytes;
}

/** @param image from `Covers.encode` @returns its key */
export async function keepImage(tools: FileTools, image: Uint8Array): Promise<string> {
  const key = `images/${createHash('sha256').update(image).digest('hex').slice(0, 20)}.webp`;
  await storeFile(tools, { key, bytes: image.byteLength }, () => tools.blobs.write(key, image));
  return key;
}
