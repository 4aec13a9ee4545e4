import { Hono } from 'hono';
import { DomainError } from '#domain/errors.ts';
import { imageFormats, imageWidths } from '#domain/gateways.ts';
import type { ImageFormat, Images, ImageVariant } from '#domain/gateways.ts';
import { errorResponse } from './errors.ts';
import { evaluatePreconditions } from './ranges.ts';

const fits = ['cover', 'contain', 'inside'] as const satisfies ImageVariant['fit'][];
const defaultWidth = 640;
const defaultQuality = 80;
const maxHeight = 2000;
const largestWidth = imageWidths.at(-1) ?? maxHeight;

/** `GET` and `HEAD /images/{key}?width=&quality=&format=&height=&fit=` (spec 7): a blob under `images/`, scaled and encoded. */
export function imageRoutes({ images }: { images: Images }): Hono {
  const app = new Hono();

  app.get('/images/*', async (c) => {
    // Keys need no escapes, so a path with one names nothing; `Blobs` refuses it, and `..` with it.
    const key = new URL(c.req.url).pathname.slice(1);
    const asked = parseVariant(c.req.queries());
    if (!asked) return errorResponse('request/invalid');
    const { format, ...size } = asked;
    const variant = { ...size, format: format ?? negotiateFormat(c.req.header('accept')) };
    const image = await images.variant(key, variant).catch((error: unknown) => {
      if (error instanceof DomainError) return error;
      throw error;
    });
    // More encodes wait than can be done soon: the client is asked to come again, which is no fault of the server.
    if (image instanceof DomainError) return errorResponse(image.code, undefined, { 'retry-after': '5' });
    if (!image) return errorResponse('request/not-found');

    const headers = {
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${image.etag}"`,
      // Feeds and previews of links show them on pages of others.
      'cross-origin-resource-policy': 'cross-origin',
      ...(format ? {} : { vary: 'Accept' }),
    };
    const precondition = evaluatePreconditions(c.req.raw.headers, image);
    if (precondition === 'not-modified') return new Response(null, { status: 304, headers });
    if (precondition === 'failed') return errorResponse('request/precondition-failed');
    return new Response(c.req.method === 'HEAD' ? null : (image.bytes as Uint8Array<ArrayBuffer>), {
      headers: {
        ...headers,
        'content-type': image.mime,
        'content-length': String(image.bytes.length),
        'x-content-type-options': 'nosniff',
      },
    });
  });

  app.all('/images/*', () => errorResponse('request/method-not-allowed', undefined, { allow: 'GET, HEAD' }));
  return app;
}

/**
 * The variant that a query asks for, without a format when it leaves that to Accept; `undefined` when a value is bad.
 * Sizes and qualities snap to few steps, so that a client cannot fill the disk with variants nobody can tell apart.
 */
function parseVariant(
  query: Record<string, string[]>,
): (Omit<ImageVariant, 'format'> & { format?: ImageFormat }) | undefined {
  const { width: widths, quality: qualities, height: heights, format: formats, fit: fitNames } = query;
  const width = readNumber(widths, 1);
  const quality = readNumber(qualities, 0);
  const height = readNumber(heights, 1);
  const format = readName(formats, imageFormats);
  const fit = readName(fitNames, fits);
  if (width === 'bad' || quality === 'bad' || height === 'bad' || format === 'bad' || fit === 'bad') return undefined;

  const wanted = width ?? defaultWidth;
  const snapped = imageWidths.find((step) => step >= wanted) ?? largestWidth;
  return {
    width: snapped,
    // The height follows the width, so that snapping does not change the shape.
    height: height === undefined ? undefined : clamp(Math.round((height * snapped) / wanted), 1, maxHeight),
    quality: Math.round(clamp(quality ?? defaultQuality, 30, 95) / 5) * 5,
    format,
    fit: fit ?? 'cover',
  };
}

function readNumber(values: string[] | undefined, least: number): number | undefined | 'bad' {
  if (!values) return undefined;
  const [value = ''] = values;
  return values.length === 1 && /^\d{1,9}$/.test(value) && Number(value) >= least ? Number(value) : 'bad';
}

function readName<T extends string>(values: string[] | undefined, names: readonly T[]): T | undefined | 'bad' {
  if (!values) return undefined;
  return (values.length === 1 && names.find((name) => name === values[0])) || 'bad';
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/**
 * The best of what an Accept header takes, AVIF before WebP before JPEG where it has no preference. Browsers that know
 * AVIF or WebP say so; a wildcard alone comes from those that may not, and means JPEG. PNG only when nothing else will do.
 */
export function negotiateFormat(accept: string | undefined): ImageFormat {
  const weights = new Map<string, number>();
  for (const range of (accept ?? '*/*').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const parsed = weight === undefined ? 1 : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
    weights.set(type, parsed);
  }
  const wildcard = weights.get('image/*') ?? weights.get('*/*') ?? 0;
  const candidates: [ImageFormat, number][] = [
    ['avif', weights.get('image/avif') ?? 0],
    ['webp', weights.get('image/webp') ?? 0],
    ['jpeg', weights.get('image/jpeg') ?? wildcard],
  ];
  const best = candidates.reduce((a, b) => (b[1] > a[1] ? b : a));
  if (best[1] > 0) return best[0];
  return (weights.get('image/png') ?? 0) > 0 ? 'png' : 'jpeg';
}
