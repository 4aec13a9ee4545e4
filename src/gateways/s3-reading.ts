import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { ByteRange } from '#domain/gateways.ts';
import { callLimits } from './call-limits.ts';
import { inTime } from './in-time.ts';
import type { StorageError } from './s3-failure.ts';

type Part = { body: Readable; etag?: string | undefined };

type Options = {
  key: string;
  range: ByteRange | undefined;
  /** The response of the first call, if already made. */
  first?: Part;
  /**
   * Calls the storage.
   * @param etag of the earlier response that this one continues
   * @returns undefined for a missing blob
   * @throws StorageError after its own retries
   */
  open(from: ByteRange | { start: number; end?: undefined }, etag: string | undefined): Promise<Part | undefined>;
  /** @returns the error for the reader after too many broken connections */
  onGivenUp(error: unknown): StorageError;
};

const chunkBytes = 128 * 1024;

/**
 * A byte stream that reads only as fast as its consumer and, when the connection breaks or stalls, continues with
 * another call.
 */
export function readThrough({ key, range, first, open, onGivenUp }: Options): ReadableStream<Uint8Array> {
  let position = range?.start ?? 0;
  let part = first;
  let chunks = first && iterate(first);
  let rest: Uint8Array | undefined;
  let continuations = 0;
  let isCancelled = false;

  function iterate({ body }: Part): AsyncIterator<Uint8Array> {
    // An error between two reads is reported by the next read.
    body.on('error', () => {});
    return body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  }

  /** @returns undefined at the end */
  async function nextChunk(): Promise<Uint8Array | undefined> {
    for (;;) {
      chunks ??= iterate(await openFrom(position));
      try {
        const reading = chunks;
        const { done, value } = await inTime(callLimits.storageReading.silenceMs, () => reading.next());
        if (done !== true) return value;
        if (range === undefined || position > range.end) return undefined;
        throw new Error(`The blob ends at byte ${position}, before the range does`);
      } catch (error) {
        part?.body.destroy();
        chunks = undefined;
        continuations += 1;
        if (isCancelled) return undefined;
        if (continuations >= callLimits.storageReading.attempts) throw onGivenUp(error);
        await wait(50 * 2 ** continuations);
      }
    }
  }

  async function openFrom(start: number): Promise<Part> {
    part = await open(range ? { start, end: range.end } : { start }, part?.etag);
    if (part === undefined) throw new Error(`No blob ${JSON.stringify(key)}`);
    if (isCancelled) part.body.destroy();
    return part;
  }

  return new ReadableStream({
    type: 'bytes',
    autoAllocateChunkSize: chunkBytes,
    async pull(controller) {
      while (rest === undefined || rest.length === 0) {
        rest = await nextChunk();
        if (isCancelled) return;
        if (rest === undefined) {
          controller.close();
          controller.byobRequest?.respond(0);
          return;
        }
      }
      const request = controller.byobRequest;
      if (!request?.view) return;
      const { buffer, byteOffset, byteLength } = request.view;
      const length = Math.min(byteLength, rest.length);
      new Uint8Array(buffer, byteOffset, length).set(rest.subarray(0, length));
      rest = rest.subarray(length);
      position += length;
      request.respond(length);
      if (range !== undefined && position > range.end) {
        controller.close();
        // Read to its end, so that the connection can be reused.
        chunks?.next().catch(() => {});
      }
    },
    cancel() {
      isCancelled = true;
      part?.body.destroy();
    },
  });
}
