import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  gunzipSync,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib';
import type { MiddlewareHandler } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import { LRUCache } from 'lru-cache';
import { errorResponse } from './errors.ts';
import { evaluatePreconditions } from './files/ranges.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const encoders = {
  zstd: promisify(zstdCompress),
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
};
/** Ordered by preference among codings with equal weight. */
const codings = ['zstd', 'br', 'gzip'] as const;
type Coding = (typeof codings)[number];
/** The order for a body whose Brotli copy is the smallest (`shrink`). */
const shrunkCodings: readonly Coding[] = ['br', 'zstd', 'gzip'];

/** Smaller bodies do not gain from compression. */
const minBytes = 1024;

/**
 * Options of Brotli and zstd that make their memory fit the body. They would otherwise allocate several megabytes for each,
 * and V8 collects all garbage after a few of those: 170 KB of HTML took 4 to 6 ms of CPU time instead of 1.7.
 */
const forBrotli = (body: Bytes, quality: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
    // As a power of two; 16 bytes of the window cannot be used (RFC 7932 §9.1).
    [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(10, Math.ceil(Math.log2(body.byteLength + 16)))),
  },
});
const forZstd = (body: Bytes, level: number) => ({
  pledgedSrcSize: body.byteLength,
  params: { [constants.ZSTD_c_compressionLevel]: level },
});

/**
 * Each level takes about as long as gzip 6 (170 KB of HTML: 1.6 to 1.8 ms): responses are cached for seconds only, so
 * higher levels would not pay off.
 */
async function encode(body: Bytes, coding: Coding): Promise<Bytes> {
  const options = { zstd: forZstd(body, 9), br: forBrotli(body, 5), gzip: { level: 6 } };
  return new Uint8Array(await encoders[coding](body, options[coding]));
}

/** A user's page has 100 to 200 KB; larger responses would delay others. */
const maxBytesAtOnce = 512 * 1024;

/**
 * For a response that is sent once, on the request's own thread: passing it to another thread takes longer than these
 * levels. 180 KB of HTML take 0.4 ms by zstd 3 and are 9 % larger than by `encode`, which takes 1.8 ms.
 */
export function encodeOnceOnly(body: Bytes, coding: Coding): Bytes | Promise<Bytes> {
  if (!isQuickFirst(body.byteLength)) return encode(body, coding);
  return quickEncoders[coding](body);
}

/** One output buffer instead of many to join, and not much larger: the copy retains it. */
const chunkFor = (body: Bytes) => ({ chunkSize: Math.max(1024, Math.ceil(body.byteLength / 4)) });
const quickEncoders = {
  zstd: (body: Bytes) => zstdCompressSync(body, { ...chunkFor(body), ...forZstd(body, 3) }),
  br: (body: Bytes) => brotliCompressSync(body, { ...chunkFor(body), ...forBrotli(body, 2) }),
  gzip: (body: Bytes) => gzipSync(body, { ...chunkFor(body), level: 3 }),
};

/**
 * The preferred coding of an Accept-Encoding header (RFC 9110 §12.5.3); undefined means the plain body, also for a
 * header that accepts nothing.
 * @param bytes size of the plain body; small ones are encoded only for clients that refuse plain
 * @param offered codings that exist of this body
 */
export function chooseCoding(
  header: string | null | undefined,
  bytes: number,
  offered: readonly Coding[] = codings,
): Coding | undefined {
  if (!header) return undefined;
  const accepted = readAccepted(header);
  const others = accepted.get('*');
  const weightOf = (coding: Coding) => accepted.get(coding) ?? others ?? 0;
  const best = offered.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
  const identity = accepted.get('identity') ?? (others === 0 ? 0 : undefined);
  // "identity;q=0" alone names no coding, and every client knows gzip.
  if (identity === 0 && weightOf(best) === 0 && others === undefined && !accepted.has('gzip')) return 'gzip';
  if (weightOf(best) === 0 || (identity !== 0 && bytes < minBytes)) return undefined;
  return (identity ?? 0) > weightOf(best) ? undefined : best;
}

const acceptedByHeader = new LRUCache<string, Map<string, number>>({ max: 200 });

/** Weight of each coding. Cached, because browsers send a few headers, each with every request. */
function readAccepted(header: string): Map<string, number> {
  const weights = acceptedByHeader.get(header);
  if (weights !== undefined) return weights;
  const accepted = new Map(parseAccept(header).map(({ type, q }) => [type.toLowerCase(), q]));
  if (header.length < 200) acceptedByHeader.set(header, accepted);
  return accepted;
}

/** One coding of a body; each has its own tag (RFC 9110 §8.8.3). */
type Copy = { bytes: Bytes; variant: Variant };

/** `-quick` by `encodeOnceOnly`, for the first request; `-small` by `shrink`. */
type Variant = '' | '-quick' | '-small';
const variants: readonly Variant[] = ['', '-quick', '-small'];

/** A cached body with its encoded copies, each created on first request. */
export type CachedBody = {
  /** Size in the cache. */
  bytes: number;
  /** Bytes of the plain body. */
  size: number;
  /**
   * Undefined as soon as there is an encoded copy, which is a fifth as large: memory outside of V8's heap makes it collect
   * everything after each 64 MB.
   */
  plain: Bytes | undefined;
  /** Opaque, without quotes. */
  etag: string;
  encoded: Map<Coding, Copy | Promise<Copy>>;
  /** Its codings, the preferred one first. */
  codings: readonly Coding[];
};

/** With the headers that all its copies share. */
export type CachedAnswer = CachedBody & { headers: Record<string, string> };

export function toCachedBody(body: Bytes, etag: string): CachedBody {
  // The encoded copies that replace it, all three together, are smaller.
  return { bytes: body.byteLength, size: body.byteLength, plain: body, etag, encoded: new Map(), codings };
}

export function plainOf({ plain, encoded }: CachedBody): Bytes {
  if (plain !== undefined) return plain;
  for (const [coding, copy] of encoded)
    if (!(copy instanceof Promise)) return new Uint8Array(decoders[coding](copy.bytes));
  throw new Error('the body has no copy');
}

const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

let isShrinking = false;

/**
 * Makes the Brotli copy of a cached body an eighth smaller, and the preferred one: for a body that stays the same, since
 * 160 KB of HTML take 40 to 50 ms. In the background and one body at a time: a call during another does nothing.
 */
export async function shrink(cached: CachedBody): Promise<void> {
  if (isShrinking || cached.codings === shrunkCodings) return;
  isShrinking = true;
  try {
    const plain = plainOf(cached);
    const bytes = new Uint8Array(await encoders.br(plain, forBrotli(plain, 10)));
    cached.encoded.set('br', { bytes, variant: '-small' });
    cached.codings = shrunkCodings;
  } finally {
    isShrinking = false;
  }
}

/**
 * A cached body in one coding, undefined for the plain one. The first request gets a copy that is made at once, because
 * many pages are asked for once only; the second one starts a smaller copy.
 * @returns a promise on the first requests for a large body
 */
export function copyOf(cached: CachedBody, coding: Coding | undefined): Copy | Promise<Copy> {
  const { encoded } = cached;
  if (coding === undefined) return { bytes: plainOf(cached), variant: '' };
  const existing = encoded.get(coding);
  if (existing === undefined) {
    const plain = plainOf(cached);
    const first = isQuickFirst(plain.byteLength)
      ? { bytes: quickEncoders[coding](plain), variant: '-quick' as const }
      : encodeAgain(cached, coding);
    encoded.set(coding, first);
    if (!(first instanceof Promise)) cached.plain = undefined;
    return first;
  }
  if (!(existing instanceof Promise) && existing.variant === '-quick' && !improving.has(existing)) {
    improving.add(existing);
    void encodeAgain(cached, coding).catch(() => undefined);
  }
  return existing;
}

/** The variant that a request would get now. */
function currentVariant({ size, encoded }: CachedBody, coding: Coding | undefined): Variant {
  const existing = coding && encoded.get(coding);
  if (existing === undefined) return isQuickFirst(size) ? '-quick' : '';
  return existing instanceof Promise ? '' : existing.variant;
}

function isQuickFirst(size: number): boolean {
  return size <= maxBytesAtOnce;
}

/** Quick copies which are being replaced. */
const improving = new WeakSet<Copy>();

async function encodeAgain(cached: CachedBody, coding: Coding): Promise<Copy> {
  const copy = { bytes: await encode(plainOf(cached), coding), variant: '' as const };
  const existing = cached.encoded.get(coding);
  // A shrunk copy made meanwhile is smaller.
  if (existing instanceof Promise || existing?.variant !== '-small') cached.encoded.set(coding, copy);
  cached.plain = undefined;
  return copy;
}

function tagOfCopy(etag: string, coding: Coding | undefined, variant: Variant): string {
  return coding === undefined ? etag : `${etag}-${coding}${variant}`;
}

/** The tags of all copies of a body, and its own. */
export function tagsOfCopies(etag: string): string[] {
  return [etag, ...codings.flatMap((coding) => variants.map((variant) => tagOfCopy(etag, coding, variant)))];
}

/** @param headers a `vary` of their own must name Accept-Encoding */
export function headersOfCopy(
  cached: CachedBody,
  coding: Coding | undefined,
  { bytes, variant }: Copy,
  headers: Record<string, string>,
): Record<string, string> {
  return {
    vary: 'Accept-Encoding',
    ...headers,
    etag: `"${tagOfCopy(cached.etag, coding, variant)}"`,
    ...(coding !== undefined && { 'content-encoding': coding }),
    'content-length': String(bytes.byteLength),
  };
}

/**
 * Answers with a cached body: 304 or 412 according to the request's conditions, otherwise encoded as it accepts.
 * @param headers a `vary` of their own must name Accept-Encoding
 * @param modifiedAt of the body; without it, dates are ignored
 */
export function sendCached(
  cached: CachedBody,
  { method, headers: asked }: { method: string; headers: Headers },
  ownHeaders: Record<string, string>,
  modifiedAt?: Date,
): Response | Promise<Response> {
  const headers = modifiedAt === undefined ? ownHeaders : { ...ownHeaders, 'last-modified': modifiedAt.toUTCString() };
  const coding = chooseCoding(asked.get('accept-encoding'), cached.size, cached.codings);
  const since = modifiedAt === undefined ? null : asked.get('if-modified-since');
  const condition = asked.get('if-none-match') ?? asked.get('if-match') ?? since;
  if (condition !== null) {
    // The client's copy may be of another variant: it stands for the same body.
    const tags = variants.map((variant) => tagOfCopy(cached.etag, coding, variant));
    const current = tagOfCopy(cached.etag, coding, currentVariant(cached, coding));
    const etag = tags.find((tag) => condition.includes(`"${tag}"`)) ?? current;
    const outcome = evaluatePreconditions(asked, { etag, ...(modifiedAt && { modifiedAt }) });
    if (outcome === 'failed') return errorResponse('request/precondition-failed');
    if (outcome === 'not-modified')
      return new Response(null, { status: 304, headers: { vary: 'Accept-Encoding', ...headers, etag: `"${etag}"` } });
  }
  const send = (copy: Copy) =>
    new Response(method === 'HEAD' ? null : copy.bytes, { headers: headersOfCopy(cached, coding, copy, headers) });
  const copy = copyOf(cached, coding);
  return copy instanceof Promise ? copy.then(send) : send(copy);
}

/** `isEncoded`: by the cache of responses. */
export type EncodingEnv = { Variables: { isEncoded?: boolean } };

/** Encodes JSON answers that are not cached, such as personal ones. Appends the coding's name to an ETag. */
export const compressJson: MiddlewareHandler<EncodingEnv> = async (context, next) => {
  await next();
  // Reading a response makes the server send it as a stream, which takes longer than a cached answer.
  if (context.get('isEncoded')) return;
  const { headers, body, status } = context.res;
  if (!/^(?:application\/json|text\/html)/.test(headers.get('content-type') ?? '')) return;
  headers.set('vary', 'Accept-Encoding');
  const accepted = context.req.header('accept-encoding');
  if (body === null || headers.has('content-encoding') || !accepted) return;
  const plain = new Uint8Array(await context.res.arrayBuffer());
  const coding = chooseCoding(accepted, plain.byteLength);
  const encodedHeaders = new Headers(headers);
  if (coding !== undefined) {
    encodedHeaders.set('content-encoding', coding);
    encodedHeaders.delete('content-length');
    const etag = headers.get('etag');
    if (etag?.startsWith('"')) encodedHeaders.set('etag', `${etag.slice(0, -1)}-${coding}"`);
  }
  // Without this, Hono would add the old headers to the new ones.
  context.res = undefined;
  context.res = new Response(coding === undefined ? plain : await encodeOnceOnly(plain, coding), {
    status,
    headers: encodedHeaders,
  });
};
