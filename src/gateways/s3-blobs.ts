import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat as statFile } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { BlobInfo, BlobLinks, Blobs, ByteRange } from '#domain/gateways.ts';
import { callLimits } from './call-limits.ts';
import { isBlobKey } from './disk-blobs.ts';
import { inTime } from './in-time.ts';
import { hashFile } from './local-files.ts';
import { type StorageError, isMissingObject, isOutOfRange, isRefusal, toStorageError } from './s3-failure.ts';
import { readThrough } from './s3-reading.ts';

export type OpenS3BlobsOptions = {
  bucket: string;
  /** Undefined: Amazon's own, of the region. */
  endpoint: string | undefined;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Replaces the endpoint in signed addresses, and is what they are signed for. */
  publicUrl: string | undefined;
  /** Give listeners signed addresses. */
  redirect: boolean;
  /** Called for each failed call, with the reason for the operator. */
  onFailure?: ((error: StorageError) => void) | undefined;
};

/** The SDK signs the SHA-256 of each part, so that the storage refuses corrupted data. */
const partBytes = 8 * 1024 * 1024;

/** Unfinished uploads (`s3-incoming-files.ts`): in the bucket, but not blobs of the site. */
export const incomingPrefix = 'uploads/';

const linkSeconds = 15 * 60;
/** Links stay the same this long, so that browsers and CDNs can use their caches. */
const linkRoundingMs = 5 * 60_000;

const mimes: Record<string, string> = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  webp: 'image/webp',
  avif: 'image/avif',
  jpg: 'image/jpeg',
  png: 'image/png',
};

type Access = Pick<OpenS3BlobsOptions, 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'>;

/** Settings that all clients of the storage share. */
export function clientOptions({ endpoint, region, accessKeyId, secretAccessKey }: Access) {
  return {
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Servers without support for the SDK's checksums would store them as part of the file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: callLimits.storage.attempts,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
  } as const;
}

// Each listener whose sound is proxied by the site holds a connection.
const agents = { httpAgent: { maxSockets: 1000 }, httpsAgent: { maxSockets: 1000 } };

/** Connections of clients that upload: a slow line takes minutes for a part, but never stops completely. */
export function uploadHandler() {
  const { connectMs, silenceMs } = callLimits.storageUpload;
  return { ...agents, connectionTimeout: connectMs, socketTimeout: silenceMs };
}

/** For the site's own calls, and small answers with them: the SDK limits only the time until an answer begins. */
function sendInTime<Output>(send: (options: { abortSignal: AbortSignal }) => Promise<Output>): Promise<Output> {
  return inTime(callLimits.storage.wholeMs, (abortSignal) => send({ abortSignal }));
}

/** Blobs as objects of a bucket in S3 or a storage with its API. Does not contact it before the first call. */
export async function openS3Blobs(options: OpenS3BlobsOptions): Promise<Blobs> {
  const { bucket, endpoint, publicUrl } = options;
  const client = new S3Client({
    ...clientOptions(options),
    requestHandler: {
      ...agents,
      connectionTimeout: callLimits.storage.connectMs,
      requestTimeout: callLimits.storage.answerMs,
      throwOnRequestTimeout: true,
    },
  });
  // Separate, because an upload may take longer than the first byte of an answer.
  const uploader = new S3Client({ ...clientOptions(options), requestHandler: uploadHandler() });

  function failed(error: unknown): StorageError {
    const named = toStorageError(error, { bucket, endpoint });
    options.onFailure?.(named);
    return named;
  }

  async function statBlob(key: string): Promise<BlobInfo | undefined> {
    if (!isBlobKey(key)) return undefined;
    try {
      const head = await sendInTime((options) =>
        client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }), options),
      );
      const sha256 = head.Metadata?.['sha256'];
      return {
        key,
        bytes: head.ContentLength ?? 0,
        modifiedAt: head.LastModified ?? new Date(0),
        ...(sha256 !== undefined && { sha256 }),
      };
    } catch (error) {
      if (!isRefusal(error)) throw failed(error);
      // Responses to HEAD contain no reason: a missing bucket, key or right looks like a missing object.
      const found = await get(key, { start: 0, end: 0 });
      found?.body.destroy();
      return undefined;
    }
  }

  /** @param etag of an earlier answer that this one continues */
  async function get(key: string, range: ByteRange | { start: number; end?: undefined }, etag?: string) {
    const isWhole = range.start === 0 && range.end === undefined;
    try {
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ...(!isWhole && { Range: `bytes=${range.start}-${range.end ?? ''}` }),
        ...(etag !== undefined && { IfMatch: etag }),
      });
      const answer = await sendInTime((options) => client.send(command, options));
      const total = answer.ContentRange?.split('/')[1] ?? answer.ContentLength;
      return { body: answer.Body as Readable, size: Number(total), etag: answer.ETag };
    } catch (error) {
      if (isMissingObject(error) || isOutOfRange(error)) return undefined;
      throw failed(error);
    }
  }

  async function put(
    key: string,
    body: Uint8Array | Readable,
    { bytes, sha256 }: { bytes?: number | undefined; sha256: string | undefined },
  ): Promise<BlobInfo> {
    if (!isBlobKey(key)) throw new TypeError(`Not a blob key: ${JSON.stringify(key)}`);
    const checked = body instanceof Readable ? checkHash(body, key, sha256) : { body, failure: () => undefined };
    const type = mimes[key.slice(key.lastIndexOf('.') + 1)];
    const upload = new Upload({
      client: uploader,
      partSize: partBytes,
      queueSize: 2,
      params: {
        Bucket: bucket,
        Key: key,
        Body: checked.body,
        ...(bytes !== undefined && { ContentLength: bytes }),
        ...(type !== undefined && { ContentType: type }),
        ...(sha256 !== undefined && { Metadata: { sha256 } }),
      },
    });
    try {
      await upload.done();
    } catch (error) {
      throw checked.failure() ?? failed(error);
    } finally {
      // After a failure it may be half read.
      if (checked.body instanceof Readable) checked.body.destroy();
    }
    const info = await statBlob(key);
    if (!info) throw new Error(`Blob ${key} was removed while it was written`);
    return info;
  }

  return {
    stat: statBlob,

    read(key, range) {
      return readThrough({
        key,
        range,
        open: async (from, etag) => (isBlobKey(key) ? get(key, from, etag) : undefined),
        onGivenUp: failed,
      });
    },

    async write(key, content, expected) {
      if (!(content instanceof Uint8Array))
        return put(key, Readable.fromWeb(content as NodeReadableStream), { sha256: expected });
      const sha256 = createHash('sha256').update(content).digest('hex');
      if (expected !== undefined && sha256 !== expected) throw otherContent(key);
      return put(key, content, { sha256 });
    },

    async importFile(key, path) {
      const sha256 = await hashFile(path);
      const { size } = await statFile(path);
      return put(key, createReadStream(path, { highWaterMark: 1 << 20 }), { bytes: size, sha256 });
    },

    async remove(key) {
      if (!isBlobKey(key)) return;
      const command = new DeleteObjectCommand({ Bucket: bucket, Key: key });
      await sendInTime((options) => client.send(command, options)).catch((error: unknown) => {
        if (!isMissingObject(error)) throw failed(error);
      });
    },

    async *list(prefix) {
      let token: string | undefined;
      do {
        const command = new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: prefix,
          ...(token !== undefined && { ContinuationToken: token }),
        });
        const page = await sendInTime((options) => client.send(command, options)).catch((error: unknown) => {
          throw failed(error);
        });
        for (const { Key: key = '', Size: bytes = 0, LastModified: modifiedAt = new Date(0) } of page.Contents ?? [])
          if (isBlobKey(key) && (prefix !== '' || !key.startsWith(incomingPrefix))) yield { key, bytes, modifiedAt };
        token = page.NextContinuationToken;
      } while (token !== undefined);
    },

    remote: {
      async open(key, range) {
        const part = isBlobKey(key) ? await get(key, range) : undefined;
        if (part === undefined) return undefined;
        const body = readThrough({
          key,
          range,
          first: part,
          open: (from, etag) => get(key, from, etag),
          onGivenUp: failed,
        });
        return { size: part.size, body };
      },
      async copy(from, to, sha256) {
        if (!isBlobKey(from) || !isBlobKey(to)) throw new TypeError(`Not blob keys: ${JSON.stringify([from, to])}`);
        const type = mimes[to.slice(to.lastIndexOf('.') + 1)];
        await uploader
          .send(
            new CopyObjectCommand({
              Bucket: bucket,
              Key: to,
              CopySource: `${bucket}/${from}`,
              MetadataDirective: 'REPLACE',
              Metadata: { sha256 },
              ...(type !== undefined && { ContentType: type }),
            }),
          )
          .catch((error: unknown) => {
            throw failed(error);
          });
      },
      clockAhead: () => client.config.systemClockOffset,
      ...(options.redirect && { links: await openLinks() }),
    },
  };

  async function openLinks(): Promise<BlobLinks> {
    const signer = publicUrl === undefined ? client : new S3Client(clientOptions({ ...options, endpoint: publicUrl }));

    const sign: BlobLinks['sign'] = (key, { method, mime }) => {
      const params = {
        Bucket: bucket,
        Key: key,
        ResponseContentType: mime,
        ResponseContentDisposition: 'inline',
        ResponseCacheControl: `private, max-age=${linkSeconds}`,
      };
      // The SDK learns this machine's clock skew from responses.
      const now = Date.now() + client.config.systemClockOffset;
      return getSignedUrl(signer, method === 'GET' ? new GetObjectCommand(params) : new HeadObjectCommand(params), {
        expiresIn: linkSeconds,
        signingDate: new Date(now - (now % linkRoundingMs)),
      });
    };
    const { origin } = new URL(await sign('origin', { method: 'GET', mime: 'audio/mpeg' }));
    return { origin, sign };
  }
}

/** Fails the stream at its end when the content is not the expected one, so that the upload is not completed. */
function checkHash(source: Readable, key: string, expected: string | undefined) {
  const hash = createHash('sha256');
  let failure: Error | undefined;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      if (expected !== undefined && hash.digest('hex') !== expected) failure = otherContent(key);
      done(failure);
    },
  });
  source.on('error', (error) => {
    failure = error;
    body.destroy(error);
  });
  body.on('close', () => source.destroy());
  source.pipe(body);
  return { body, failure: () => failure };
}

function otherContent(key: string): Error {
  return new Error(`The content of blob ${key} is not the expected one`);
}
