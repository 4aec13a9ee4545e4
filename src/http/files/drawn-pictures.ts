import { createHash } from 'node:crypto';
import type { HonoRequest } from 'hono';
import { LRUCache } from 'lru-cache';
import { DomainError } from '#domain/kernel/errors.ts';
import { createConcurrencyLimit } from '../limits/concurrency-limit.ts';
import { errorResponse } from '../errors.ts';
import { pictureResponse } from './picture-response.ts';
import { evaluatePreconditions } from './ranges.ts';

type DrawnPictures<Subject> = {
  /** @returns a JPEG; everything that it shows is in `subject` */
  draw: (subject: Subject) => Promise<Uint8Array>;
  /** Pictures kept in memory, of some 60 KB each. */
  kept: number;
  /** Pictures that may wait for their turn. */
  line: number;
  cacheControl: string;
};

/**
 * Answers with pictures that are drawn when they are first asked for, and again when their subject changes. Nothing is
 * drawn without a subject, for HEAD, and for a client that has the picture.
 */
export function drawnPictures<Subject extends object>({ draw, kept, line, cacheControl }: DrawnPictures<Subject>) {
  const drawing = createConcurrencyLimit({ max: 1, line });
  const cached = new LRUCache<string, Promise<Uint8Array>>({ max: kept });

  async function drawnOnce(etag: string, subject: Subject): Promise<Uint8Array> {
    const drawn = cached.get(etag) ?? drawing(() => draw(subject));
    cached.set(etag, drawn);
    try {
      return await drawn;
    } catch (error) {
      cached.delete(etag);
      throw error;
    }
  }

  /** @param subject undefined: it does not exist, or not for this viewer */
  return async (req: HonoRequest, subject: Subject | undefined): Promise<Response> => {
    if (subject === undefined) return errorResponse('request/not-found');
    const etag = createHash('sha256').update(JSON.stringify(subject)).digest('base64url').slice(0, 22);
    const isWanted = req.method !== 'HEAD' && evaluatePreconditions(req.raw.headers, { etag }) === 'proceed';
    try {
      const bytes = isWanted ? await drawnOnce(etag, subject) : undefined;
      return pictureResponse(req, {
        etag,
        cacheControl,
        mime: 'image/jpeg',
        length: bytes?.byteLength,
        body: () => bytes ?? new Uint8Array(),
      });
    } catch (error) {
      if (error instanceof DomainError) return errorResponse(error.code);
      throw error;
    }
  };
}
