import { type Context, Hono } from 'hono';
import { DomainError } from '#domain/kernel/errors.ts';
import {
  imageFormats,
  imageQualities,
  imageRatios,
  imageWidths,
  type Images,
  type ImageVariant,
} from '#domain/gateways.ts';
import { errorResponse, refuseUnlessRead } from '../errors.ts';
import { pictureResponse } from './picture-response.ts';
import { clientAddress } from '../limits/rate-limit.ts';

const fits = ['cover', 'contain', 'inside'] as const satisfies ImageVariant['fit'][];
const defaultWidth = 640;
const defaultQuality = 80;
const largestWidth = imageWidths.at(-1) ?? 2000;

/** `GET` and `HEAD /images/{key}?width=&quality=&format=&height=&fit=` (spec 7): a blob under `images/`, scaled and encoded. */
export function imageRoutes({ images, trustProxy }: { images: Images; trustProxy: number }): Hono {
  const app = new Hono();

  app.get('/images/*', async (c) => {
    // Keys contain no escapes, so a path with one matches nothing; `Blobs` refuses it and `..`.
    const key = new URL(c.req.url).pathname.slice(1);
    const variant = parseVariant(c.req.queries());
    return variant === undefined
      ? errorResponse('request/invalid')
      : answerWithImage(c, { images, key, variant, trustProxy });
  });
  app.all('/images/*', refuseUnlessRead);
  return app;
}

export async function answerWithImage(
  c: Context,
  { images, key, variant, trustProxy }: { images: Images; key: string; variant: ImageVariant; trustProxy: number },
): Promise<Response> {
  const asker = { client: clientAddress(c, trustProxy), signal: c.req.raw.signal };
  const image = await images.variant(key, variant, asker).catch((error: unknown) => {
    if (error instanceof DomainError) return error;
    throw error;
  });
  // The encode queue is full, which is not a server error: the client should retry.
  if (image instanceof DomainError) return errorResponse(image.code, undefined, { 'retry-after': '5' });
  if (!image) return errorResponse('request/not-found');
  return pictureResponse(c.req, {
    etag: image.etag,
    cacheControl: 'public, max-age=31536000, immutable',
    mime: image.mime,
    length: image.bytes.length,
    body: () => image.bytes,
  });
}

/**
 * The variant of a query; `undefined` for invalid values. The format comes from the URL and never from Accept, so that
 * a CDN caches one answer per URL; the default is JPEG. Sizes and qualities snap to few steps, to limit the cache on
 * disk.
 */
function parseVariant(query: Record<string, string[]>): ImageVariant | undefined {
  const { width: widths, quality: qualities, height: heights, format: formats, fit: fitNames } = query;
  const width = readNumber(widths, 1);
  const quality = readNumber(qualities, 0);
  const height = readNumber(heights, 1);
  const format = readName(formats, imageFormats);
  const fit = readName(fitNames, fits);
  if (width === 'bad' || quality === 'bad' || height === 'bad' || format === 'bad' || fit === 'bad') return undefined;

  const requestedWidth = width ?? defaultWidth;
  const snapped = imageWidths.find((step) => step >= requestedWidth) ?? largestWidth;
  return {
    width: snapped,
    height: height === undefined ? undefined : Math.round(snapped * nearest(imageRatios, height / requestedWidth)),
    quality: nearest(imageQualities, quality ?? defaultQuality),
    format: format ?? 'jpeg',
    fit: fit ?? 'cover',
  };
}

function readNumber(values: string[] | undefined, min: number): number | undefined | 'bad' {
  if (!values) return undefined;
  const [value = ''] = values;
  return values.length === 1 && /^\d{1,9}$/.test(value) && Number(value) >= min ? Number(value) : 'bad';
}

function readName<T extends string>(values: string[] | undefined, names: readonly T[]): T | undefined | 'bad' {
  if (!values) return undefined;
  return (values.length === 1 && names.find((name) => name === values[0])) || 'bad';
}

function nearest(steps: readonly number[], wanted: number): number {
  return steps.reduce((best, step) => (Math.abs(step - wanted) < Math.abs(best - wanted) ? step : best));
}
