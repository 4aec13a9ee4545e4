import { createHash } from 'node:crypto';
import { S3Store } from '@tus/s3-store';
import { validate } from 'uuid';
import type { Blobs, IncomingFiles } from '#domain/gateways.ts';
import { incomingPrefix } from './s3-blobs.ts';

export type S3IncomingOptions = {
  blobs: Blobs;
  bucket: string;
  endpoint: string | undefined;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** Uploads by the tus protocol, as multipart uploads in the bucket of the blobs. */
export function openS3IncomingFiles({ blobs, bucket, endpoint, region, ...credentials }: S3IncomingOptions) {
  const datastore = new S3Store({
    partSize: 8 * 1024 * 1024,
    // Storage with S3's API often lacks tags.
    useTags: false,
    s3ClientConfig: {
      bucket,
      region,
      credentials,
      // Servers without support for the SDK's checksums would store them as part of the file.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    },
  });
  const { remote } = blobs;
  if (remote === undefined) throw new Error('the blobs are not in the bucket');
  const keyOf = (id: string) => {
    if (!validate(id)) throw new TypeError(`Not an id: ${JSON.stringify(id)}`);
    return incomingPrefix + id;
  };
  const files: IncomingFiles = {
    async received(id) {
      const upload = await datastore.getUpload(keyOf(id)).catch(absent);
      if (upload === undefined || upload.offset !== upload.size) return upload?.offset;
      // The store mistakes an upload that the bucket's rules aborted for a complete one.
      const isWhole = (await blobs.stat(keyOf(id)))?.bytes === upload.size;
      return isWhole ? upload.size : undefined;
    },
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
