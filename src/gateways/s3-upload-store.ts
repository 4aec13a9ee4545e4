import type { Part } from '@aws-sdk/client-s3';
import { type MetadataValue, type Options, S3Store } from '@tus/s3-store';
import { type Upload, ERRORS } from '@tus/server';
import { callLimits } from './call-limits.ts';
import { inTime } from './in-time.ts';
import { type StorageError, isMissingObject } from './s3-failure.ts';

export type S3UploadStoreOptions = Options & {
  /** Size of an object; undefined: there is none. */
  bytesOf(key: string): Promise<number | undefined>;
  /** The error for a failed call. */
  failed(error: unknown): StorageError;
};

/** tus's S3 store, which mistakes a storage that is away for a missing upload, and an aborted upload for a whole one. */
export class S3UploadStore extends S3Store {
  private readonly bytesOf: S3UploadStoreOptions['bytesOf'];

  constructor({ bytesOf, failed, ...options }: S3UploadStoreOptions) {
    super(options);
    this.bytesOf = bytesOf;
    // At the outermost step, after the SDK's own retries.
    this.client.middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          try {
            if (isTransfer.test(commandName)) return await next(args);
            return await inTime(callLimits.storage.wholeMs, () => next(args));
          } catch (error) {
            throw isMissing(error) ? error : failed(error);
          }
        },
      { step: 'initialize', name: 'storageErrors' },
    );
  }

  /** Completes an upload whose parts have all arrived, such as after the end of its process. */
  override async getUpload(id: string): Promise<Upload> {
    // Cached for the inherited method, which reports each of its failures as a missing upload.
    const metadata = await this.getMetadata(id).catch((error: unknown) => {
      throw isMissing(error) ? ERRORS.FILE_NOT_FOUND : error;
    });
    const upload = await super.getUpload(id);
    // The inherited method assumes that a multipart upload that is gone was completed.
    if (upload.offset === upload.size && !(await this.isComplete(upload)))
      await this.unlessComplete(upload, async () =>
        super.finishMultipartUpload(metadata, await this.retrieveParts(id)),
      );
    return upload;
  }

  protected override finishMultipartUpload(metadata: MetadataValue, parts: Part[]): Promise<string | undefined> {
    return this.unlessComplete(metadata.file, () => super.finishMultipartUpload(metadata, parts));
  }

  /** Accepts that another process completed it meanwhile, or that the answer to an earlier try was lost. */
  private async unlessComplete<Result>(upload: Upload, complete: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await complete();
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (!(await this.isComplete(upload))) throw ERRORS.FILE_NOT_FOUND;
      return undefined;
    }
  }

  private async isComplete({ id, size }: Upload): Promise<boolean> {
    return (await this.bytesOf(id)) === size;
  }
}

/** Calls that send bytes of the upload, or put its parts together, take as long as they need. */
const isTransfer = /^(?:PutObject|UploadPart|CompleteMultipartUpload)Command$/;

function isMissing(error: unknown): boolean {
  return isMissingObject(error) || (error as Error).name === 'NoSuchUpload';
}
