import { chunksOf, rangeIn, slicesOf } from '#offline/chunks.ts';
import { readPart } from '#offline/files.ts';
import { createLicenceCheck } from '#offline/licence-check.ts';
import { type Verdict, recordTime, readLicence, verdictOf } from '#offline/licence.ts';
import { type DownloadedFile, readRecord } from '#offline/records.ts';
import { readKey } from '#offline/sealing.ts';

/** The server inserts the site's public key here: both coordinates, separated by a dot. */
const [x, y] = '__LICENCE_KEY__'.split('.');
const checkLicence = createLicenceCheck({ kty: 'EC', crv: 'P-256', x, y });

/** Serves the sound or the cover of a download. The status tells the player why there is no sound. */
export async function serveDownload(
  { id, part }: { id: string; part: 'sound' | 'cover' },
  request: Request,
): Promise<Response> {
  const key = await readKey();
  const record = key && (await readRecord(key, id));
  if (key === undefined || record === undefined) return new Response(null, { status: 404 });
  if (part === 'cover') {
    const cover = record.cover === undefined ? undefined : await readPart(key, id, 'cover');
    if (cover === undefined) return new Response(null, { status: 404 });
    return new Response(cover, { headers: { 'content-type': record.cover ?? '' } });
  }
  if ((await currentVerdict()) !== 'valid') return new Response(null, { status: 402 });
  const fromSite = () => Response.redirect(record.track.audioFileUrl);
  const { file } = record;
  if (file === undefined || file.chunks < chunksOf(file.size)) return fromSite();
  return (await answerSound(key, id, file, request.headers.get('range'))) ?? fromSite();
}

/** Checks the licence's signature too. */
export async function currentVerdict(): Promise<Verdict> {
  const licence = await readLicence();
  if (licence === undefined) return 'none';
  const now = Date.now();
  const verdict = verdictOf(licence, await checkLicence(licence.licence), now);
  // A full disk must not stop playback.
  if (verdict === 'valid') await recordTime(licence, now).catch(() => undefined);
  return verdict;
}

/** Slices for 206 responses: after a 200, Chromium cannot seek. @returns undefined when the first chunk is missing */
async function answerSound(
  key: CryptoKey,
  id: string,
  { size, mime }: DownloadedFile,
  rangeHeader: string | null,
): Promise<Response | undefined> {
  const range = rangeIn(rangeHeader, size);
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${size}` } });
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const slices = slicesOf(start, end);
  const [first] = slices;
  const firstChunk = first && (await readPart(key, id, first.chunk));
  if (first === undefined || firstChunk === undefined) return undefined;
  let next = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const slice = slices[next];
        if (slice === undefined) return controller.close();
        const chunk = next === 0 ? firstChunk : await readPart(key, id, slice.chunk);
        if (chunk === undefined) return controller.error(new Error('A part of this file is missing'));
        next += 1;
        controller.enqueue(chunk.subarray(slice.from, slice.to));
        if (next === slices.length) controller.close();
      },
    },
    // Reads nothing before the element wants it.
    { highWaterMark: 0 },
  );
  return new Response(body, {
    status: range === undefined ? 200 : 206,
    headers: {
      'content-type': mime,
      'content-length': String(end - start + 1),
      'accept-ranges': 'bytes',
      ...(range !== undefined && { 'content-range': `bytes ${start}-${end}/${size}` }),
    },
  });
}
