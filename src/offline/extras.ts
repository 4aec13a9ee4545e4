import { browserLimits } from '#player/browser-limits.ts';
import { timedFetch } from '#player/timed-fetch.ts';
import type { OfflineCalls } from './device.ts';
import { writePart } from './files.ts';
import type { DownloadRecord, DownloadTrack } from './records.ts';

type Extras = Pick<DownloadRecord, 'cover' | 'transcript' | 'hasExtras'>;

/** Stores the cover and returns the transcript. Playing needs neither, so what fails is requested again later. */
export async function storeExtras(
  key: CryptoKey,
  { id, track }: Pick<DownloadRecord, 'id' | 'track'>,
  calls: Pick<OfflineCalls, 'findTranscript'>,
): Promise<Partial<Extras>> {
  const [cover, transcript] = await Promise.allSettled([storeCover(key, id, track), calls.findTranscript(track.id)]);
  return {
    ...(cover.status === 'fulfilled' && cover.value !== undefined && { cover: cover.value }),
    ...(transcript.status === 'fulfilled' && transcript.value !== undefined && { transcript: transcript.value }),
    hasExtras: cover.status === 'fulfilled' && transcript.status === 'fulfilled',
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
