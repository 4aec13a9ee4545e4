import { readPart, writePart } from '#offline/files.ts';
import { type DownloadRecord, readRecord, readRecords } from '#offline/records.ts';
import { readKey } from '#offline/sealing.ts';
import { currentVerdict } from './serve-download.ts';
import { fetchUncached, storedHeadersOf } from './stored-page.ts';

/** Comments, plays and favorites on a stored page are as old as the page. */
const freshMs = 7 * 24 * 60 * 60 * 1000;

/** The page of one audio for this user: the document, and the data with which the app renders it. */
type AudioPage = {
  build: string;
  storedAt: number;
  headers: [string, string][];
  html: string;
  data: { type: string; text: string };
};

/** Stores the pages of downloads that are missing, old or of another build; one at a time, since nothing waits for them. */
export async function storeAudioPages(build: string, isUsable: (html: string) => boolean): Promise<void> {
  const key = await readKey();
  if (key === undefined) return;
  for (const { id, track, state } of await readRecords(key)) {
    if (state !== 'kept') continue;
    const stored = await read(key, id);
    if (stored?.build === build && Math.abs(Date.now() - stored.storedAt) < freshMs) continue;
    const page = await load(build, track.slug);
    if (page === undefined || !isUsable(page.html)) continue;
    // Removed meanwhile, possibly with the key.
    if ((await readRecord((await readKey()) ?? key, id)) !== undefined)
      await writePart(key, id, 'page', new TextEncoder().encode(JSON.stringify(page)));
  }
}

async function load(build: string, slug: string): Promise<AudioPage | undefined> {
  const path = `/audio/${encodeURIComponent(slug)}`;
  const [document, data] = await Promise.all([
    fetchUncached(path, { accept: 'text/html' }),
    fetchUncached(`${path}.data`),
  ]);
  if (!document.ok || !data.ok) return undefined;
  return {
    build,
    storedAt: Date.now(),
    headers: storedHeadersOf(document),
    html: await document.text(),
    data: { type: data.headers.get('content-type') ?? '', text: await data.text() },
  };
}

export async function hasAudioPage(build: string, slug: string): Promise<boolean> {
  return (await find(build, slug)) !== undefined;
}

/** @returns undefined when this build stored no such page */
export async function readAudioPage(
  build: string,
  { slug, isData }: { slug: string; isData: boolean },
): Promise<Response | undefined> {
  const page = await find(build, slug);
  if (page === undefined) return undefined;
  return isData
    ? new Response(page.data.text, { headers: { 'content-type': page.data.type } })
    : // Marks the page as stored; an attribute of `html` is not covered by the policy's hashes.
      new Response(page.html.replace('<html', '<html data-kept'), { headers: page.headers });
}

/** While the licence is valid. */
async function find(build: string, slug: string): Promise<AudioPage | undefined> {
  const key = await readKey();
  if (key === undefined || (await currentVerdict()) !== 'valid') return undefined;
  const matches = ({ track, state }: DownloadRecord) => state === 'kept' && track.slug === slug;
  const record = (await readRecords(key)).find(matches);
  const page = record && (await read(key, record.id));
  return page?.build === build ? page : undefined;
}

async function read(key: CryptoKey, id: string): Promise<AudioPage | undefined> {
  const bytes = await readPart(key, id, 'page');
  return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as AudioPage);
}
