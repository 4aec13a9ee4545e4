import { createHash } from 'node:crypto';
import { validate } from 'uuid';
import type { Blobs, IncomingFiles } from '#domain/gateways.ts';
import { type OpenS3BlobsOptions, clientOptions, incomingPrefix, uploadHandler } from './s3-blobs.ts';
import { toStorageError } from './s3-failure.ts';
import { S3UploadStore } from './s3-upload-store.ts';

/** Uploads by the tus protocol, as multipart uploads in the bucket of the blobs. */
export function openS3IncomingFiles({
  blobs,
  bucket,
  onFailure,
  ...access
}: Omit<OpenS3BlobsOptions, 'publicUrl' | 'redirect'> & { blobs: Blobs }) {
  const datastore = new S3UploadStore({
    partSize: 8 * 1024 * 1024,
    // Storage with S3's API often lacks tags.
    useTags: false,
    s3ClientConfig: { bucket, ...clientOptions(access), requestHandler: uploadHandler() },
    bytesOf: async (key) => (await blobs.stat(key))?.bytes,
    failed(error) {
      const named = toStorageError(error, { bucket, endpoint: access.endpoint });
      onFailure?.(named);
      return named;
    },
  });
  const { remote } = blobs;
  if (remote === undefined) throw new Error('the blobs are not in the bucket');
  const keyOf = (id: string) => {
    if (!validate(id)) throw new TypeError(`Not an id: ${JSON.stringify(id)}`);
    return incomingPrefix + id;
  };
  const files: IncomingFiles = {
    received: async (id) => (await datastore.getUpload(keyOf(id)).catch(absent))?.offset,
    async hash(id, signal) {
      const hash = createHash('sha256');
      for await (const chunk of blobs.read(keyOf(id))) {
        signal?.throwIfAborted();
        hash.update(chunk);
      }
      return hash.digest('hex');
    },
    keepAs: (id, key, sha256) => remote.copy(keyOf(id), key, sha256),
    async remove(id) {
      const key = keyOf(id);
      await datastore.remove(key).catch(absent);
      // Parts that the store leaves behind; all of them when the upload was complete.
      for (const left of [key, `${key}.part`, `${key}.info`]) await blobs.remove(left);
    },
    async *list() {
      for await (const { key, modifiedAt } of blobs.list(incomingPrefix)) {
        const id = key.slice(incomingPrefix.length).replace(/\.(?:info|part)$/, '');
        // Each upload has an `.info`, even before its first part.
        if (key.endsWith('.info') && validate(id)) yield { id, changedAt: modifiedAt };
      }
    },
    // It grows as needed.
    room: async () => undefined,
  };
  return { ...files, datastore, tusId: keyOf };
}

function absent(error: { status_code?: number; name?: string }): undefined {
  if (error.status_code !== 404 && error.status_code !== 410 && error.name !== 'NoSuchUpload') throw error;
}
