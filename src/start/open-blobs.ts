import { join } from 'node:path';
import type { Config } from '#config';
import type { Blobs } from '#domain/gateways.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openDiskIncomingFiles } from '#gateways/disk-incoming-files.ts';
import type { StorageError } from '#gateways/s3-failure.ts';

type StorageSettings = Pick<Config, 'dataDir' | 'storage'>;

/** The site's files: in object storage when configured, else below DATA_DIR. */
export async function openBlobs(
  config: StorageSettings,
  options: { onFailure?: (error: StorageError) => void } = {},
): Promise<Blobs> {
  return config.storage === undefined ? openLocalBlobs(config) : openRemoteBlobs(config.storage, options);
}

export function openLocalBlobs({ dataDir }: Pick<Config, 'dataDir'>): Blobs {
  return openDiskBlobs({ dir: join(dataDir, 'blobs') });
}

export async function openRemoteBlobs(
  storage: NonNullable<Config['storage']>,
  options: { onFailure?: (error: StorageError) => void } = {},
): Promise<Blobs> {
  // Loaded only where it is used: it takes 0.2 s and 20 MB.
  const { openS3Blobs } = await import('#gateways/s3-blobs.ts');
  return openS3Blobs({ ...storage, ...options });
}

/** Uploads arrive in the blobs' storage, so that a complete file becomes a blob without a copy through the site. */
export async function openIncomingFiles(
  { dataDir, storage }: StorageSettings,
  blobs: Blobs,
  onFailure?: (error: StorageError) => void,
) {
  return storage === undefined
    ? openDiskIncomingFiles({ dir: join(dataDir, 'uploads'), blobs })
    : openRemoteIncoming(storage, blobs, onFailure);
}

async function openRemoteIncoming(
  storage: NonNullable<Config['storage']>,
  blobs: Blobs,
  onFailure: ((error: StorageError) => void) | undefined,
) {
  // Loaded only where it is used.
  const { openS3IncomingFiles } = await import('#gateways/s3-incoming-files.ts');
  const { bucket, endpoint, region, accessKeyId, secretAccessKey } = storage;
  return openS3IncomingFiles({ blobs, bucket, endpoint, region, accessKeyId, secretAccessKey, onFailure });
}
