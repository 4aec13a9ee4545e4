import { hexDigest } from '#formats/hex.ts';
import { browserLimits, inTime } from '#player/browser-limits.ts';
import { type TimedInit, timedFetch } from '#player/timed-fetch.ts';
import { chunkBytes, chunksOf, createChunker } from './chunks.ts';
import type { OfflineCalls } from './device.ts';
import { isDiskFull, readPart, removeFiles, writePart } from './files.ts';
import type { DownloadedFile, DownloadRecord, DownloadTrack, FailureReason, Refusal } from './records.ts';

export type DownloadOutcome = { ok: true; file: DownloadedFile } | { ok: false; reason: FailureReason | 'stopped' };

type Download = {
  key: CryptoKey;
  id: string;
  address: string;
  file: DownloadedFile | undefined;
  fetch(address: string, init: TimedInit): Promise<Response>;
  signal: AbortSignal;
  onProgress(file: DownloadedFile): Promise<void>;
};

/** Maximum bytes to hash at once, because hashing needs the whole file in memory. */
const maxHashed = 256 * 1024 * 1024;

/**
 * Stores a file in chunks, from where it stopped. The site checks the right to hear with each request; a changed file
 * starts over.
 */
export async function downloadFile(download: Download): Promise<DownloadOutcome> {
  try {
    const outcome = await fetchFile(download);
    if (!outcome.ok) return outcome;
    if (await isWhole(download.key, download.id, outcome.file)) return outcome;
    await removeFiles(download.id);
    return { ok: false, reason: 'damaged' };
  } catch (error) {
    if (download.signal.aborted) return { ok: false, reason: 'stopped' };
    return { ok: false, reason: isDiskFull(error) ? 'no-space' : 'network' };
  }
}

async function fetchFile({ key, id, address, file, fetch, signal, onProgress }: Download): Promise<DownloadOutcome> {
  const stored = file === undefined ? 0 : file.chunks * chunkBytes;
  if (file !== undefined && file.chunks >= chunksOf(file.size)) return { ok: true, file };
  // Through this site, because a page cannot read from the storage it would be redirected to.
  const answer = await fetch(`${address}?download`, {
    headers: file !== undefined && stored > 0 ? { range: `bytes=${stored}-`, 'if-range': `"${file.etag}"` } : {},
    credentials: 'same-origin',
    cache: 'no-store',
    signal,
    limitMs: browserLimits.silence,
  });
  const refusal = await refusalOf(answer);
  if (refusal !== undefined) return { ok: false, reason: refusal };
  const isResumed = answer.status === 206 && file !== undefined;
  if (answer.body === null || !(isResumed || answer.status === 200)) return { ok: false, reason: 'network' };
  const etag = (answer.headers.get('etag') ?? '').replaceAll(/^W\/|"/g, '');
  if (isResumed && etag !== file.etag) return { ok: false, reason: 'network' };
  if (!isResumed) await removeFiles(id);
  let current: DownloadedFile = isResumed
    ? file
    : {
        size: Number(answer.headers.get('content-length')),
        mime: answer.headers.get('content-type') ?? 'audio/mpeg',
        etag,
        chunks: 0,
      };
  if (!(current.size > 0)) return { ok: false, reason: 'network' };

  async function store(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await writePart(key, id, current.chunks, bytes);
    current = { ...current, chunks: current.chunks + 1 };
    await onProgress(current);
    signal.throwIfAborted();
  }
  const chunker = createChunker();
  // WebKit cannot iterate a stream.
  const reader = (answer.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  const next = () => inTime(reader.read(), browserLimits.silence);
  try {
    for (let piece = await next(); !piece.done; piece = await next())
      for (const chunk of chunker.add(piece.value)) await store(chunk);
  } catch (error) {
    // Otherwise the rest would be fetched, although the disk is full.
    void reader.cancel(error).catch(() => {});
    throw error;
  }
  const rest = chunker.rest();
  // A connection that breaks may look like the end of the file.
  if (current.chunks * chunkBytes + rest.byteLength !== current.size) return { ok: false, reason: 'network' };
  if (rest.byteLength > 0) await store(rest);
  return { ok: true, file: current };
}

/** By the site, whose answer has an error code; a proxy's error page passes. */
async function refusalOf(answer: Response): Promise<Refusal | undefined> {
  if (![401, 402, 403, 404].includes(answer.status)) return undefined;
  const body: unknown = await inTime(answer.json(), browserLimits.silence).catch(() => undefined);
  const code = (body as { error?: { code?: unknown } } | undefined)?.error?.code;
  if (code === 'audio/stream-only') return 'stream-only';
  // An age can be confirmed.
  return typeof code === 'string' && code !== 'age/required' ? 'refused' : undefined;
}

/** Reads everything back: checks each chunk's authentication, and the hash of the whole file. */
async function isWhole(key: CryptoKey, id: string, { size, chunks, etag }: DownloadedFile): Promise<boolean> {
  const isHashed = /^[0-9a-f]{20}$/.test(etag) && size <= maxHashed;
  const whole = new Uint8Array(isHashed ? size : 0);
  let read = 0;
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const bytes = await readPart(key, id, chunk);
    if (bytes === undefined || read + bytes.byteLength > size) return false;
    if (isHashed) whole.set(bytes, read);
    read += bytes.byteLength;
  }
  if (read !== size) return false;
  if (!isHashed) return true;
  return (await hexDigest(whole)).startsWith(etag);
}

type Extras = Pick<DownloadRecord, 'cover' | 'transcript' | 'chapters' | 'hasExtras'>;

/** Stores the cover and returns transcript and chapters. Playing needs none of them, so what fails is requested again later. */
export async function storeExtras(
  key: CryptoKey,
  { id, track }: Pick<DownloadRecord, 'id' | 'track'>,
  calls: Pick<OfflineCalls, 'findTranscript' | 'findChapters'>,
): Promise<Partial<Extras>> {
  const [cover, transcript, chapters] = await Promise.allSettled([
    storeCover(key, id, track),
    calls.findTranscript(track.id),
    calls.findChapters(track.id),
  ]);
  return {
    ...(cover.status === 'fulfilled' && cover.value !== undefined && { cover: cover.value }),
    ...(transcript.status === 'fulfilled' && transcript.value !== undefined && { transcript: transcript.value }),
    ...(chapters.status === 'fulfilled' && chapters.value !== undefined && { chapters: chapters.value }),
    hasExtras: [cover, transcript, chapters].every(({ status }) => status === 'fulfilled'),
  };
}

/** @returns the media type; undefined without a cover @throws when it could not be loaded or stored */
async function storeCover(key: CryptoKey, id: string, { imageUrl }: DownloadTrack): Promise<string | undefined> {
  if (imageUrl === null) return undefined;
  const answer = await timedFetch(`${imageUrl}?width=640&quality=80&format=webp`, { limitMs: browserLimits.asset });
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error('The cover could not be loaded');
  await writePart(key, id, 'cover', await answer.arrayBuffer());
  return answer.headers.get('content-type') ?? 'image/webp';
}
