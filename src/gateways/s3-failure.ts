import { DomainError } from '#domain/kernel/errors.ts';

/**
 * The storage is unreachable, slow or refuses. Visitors get the text of `server/unavailable`; `cause` has one line for
 * the operator, with the remedy.
 */
export class StorageError extends DomainError {
  constructor(explanation: string) {
    super('server/unavailable', undefined, { cause: new Error(explanation) });
    this.name = 'StorageError';
  }

  get explanation(): string {
    return (this.cause as Error).message;
  }
}

type SdkError = Error & { code?: string; Code?: string; $metadata?: { httpStatusCode?: number } };

const notFound = new Set(['NoSuchKey', 'NotFound']);

/** Whether the storage reports a missing object; a missing bucket does not count. */
export function isMissingObject(error: unknown): boolean {
  return notFound.has((error as SdkError).name);
}

/** The range is outside the object. */
export function isOutOfRange(error: unknown): boolean {
  return (error as SdkError).$metadata?.httpStatusCode === 416;
}

/** The storage answered, and a retry would get the same answer. */
export function isRefusal(error: unknown): boolean {
  const status = (error as SdkError).$metadata?.httpStatusCode ?? 0;
  return status >= 300 && status < 500 && status !== 429;
}

/** Names the failure and its remedy; neither contains the secret. */
export function toStorageError(error: unknown, where: { bucket: string; endpoint: string | undefined }): StorageError {
  if (error instanceof StorageError) return error;
  const storage = where.endpoint === undefined ? 'Amazon S3' : `the storage at ${where.endpoint}`;
  const { name, code, message, $metadata } = error as SdkError;
  const status = $metadata?.httpStatusCode;
  switch (name) {
    case 'NoSuchBucket':
      return new StorageError(`${storage} has no bucket ${where.bucket}; create it, or correct S3_BUCKET`);
    case 'InvalidAccessKeyId':
      return new StorageError(`${storage} does not know the access key; correct S3_ACCESS_KEY_ID`);
    case 'SignatureDoesNotMatch':
      return new StorageError(`${storage} refuses the secret of the access key; correct S3_SECRET_ACCESS_KEY`);
    case 'RequestTimeTooSkewed':
      return new StorageError(`${storage} has another time than this machine; let both keep time (NTP)`);
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
      return new StorageError(`the bucket ${where.bucket} is in another region; correct S3_REGION`);
    case 'AccessDenied':
      return new StorageError(
        `${storage} denies access to the bucket ${where.bucket}; give the key (S3_ACCESS_KEY_ID) the rights to list, get, put and delete objects`,
      );
    default:
  }
  if (status === 403)
    return new StorageError(
      `${storage} refuses the key (403): correct S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY; npm run sotto -- doctor says which part is wrong`,
    );
  if (status !== undefined && status >= 300) {
    // Responses to HEAD have no error name.
    return new StorageError(`${storage} answers ${status}${name === 'Unknown' ? '' : ` (${name})`}`);
  }
  return new StorageError(`${storage} cannot be reached (${code ?? (name === 'Error' ? message : name)})`);
}
