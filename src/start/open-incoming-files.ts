import { join } from 'node:path';
import type { Config } from '#config';
import type { Blobs } from '#domain/gateways.ts';
import { openDiskIncomingFiles } from '#gateways/disk-incoming-files.ts';
import type { StorageError } from '#gateways/s3-failure.ts';

export type IncomingStore = ReturnType<typeof openDiskIncomingFiles> | Awaited<ReturnType<typeof openRemote>>;

/** Uploads arrive in the blobs' storage, so that a complete file becomes a blob without a copy through the site. */
export async function openIncomingFiles(
  { dataDir, storage }: Pick<Config, 'dataDir' | 'storage'>,
  blobs: Blobs,
  onFailure?: (error: StorageError) => void,
): Promise<IncomingStore> {
  return storage === undefined
    ? openDiskIncomingFiles({ dir: join(dataDir, 'uploads'), blobs })
    : openRemote(storage, blobs, onFailure);
}

async function openRemote(
  storage: NonNullable<Config['storage']>,
  blobs: Blobs,
  onFailure: ((error: StorageError) => void) | undefined,
) {
  // Loaded only where it is used.
  const { openS3IncomingFiles } = await import('#gateways/s3-incoming-files.ts');
  const { bucket, endpoint, region, accessKeyId, secretAccessKey } = storage;
  return openS3IncomingFiles({ blobs, bucket, endpoint, region, accessKeyId, secretAccessKey, onFailure });
}
