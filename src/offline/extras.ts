import type { OfflineCalls } from './device.ts';
import { writePart } from './files.ts';
import type { KeptAudio, KeptTrack } from './records.ts';

/** Stores the cover and returns the transcript. Neither is needed to play, so neither is retried. */
export async function keepExtras(
  key: CryptoKey,
  id: string,
  track: KeptTrack,
  calls: Pick<OfflineCalls, 'findTranscript'>,
): Promise<Partial<Pick<KeptAudio, 'cover' | 'transcript'>>> {
  const [cover, transcript] = await Promise.all([
    keepCover(key, id, track).catch(() => undefined),
    calls.findTranscript(track.id).catch(() => undefined),
  ]);
  return { ...(cover !== undefined && { cover }), ...(transcript !== undefined && { transcript }) };
}

/** @returns the media type */
async function keepCover(key: CryptoKey, id: string, { imageUrl }: KeptTrack): Promise<string | undefined> {
  if (imageUrl === null) return undefined;
  const answer = await fetch(`${imageUrl}?width=640&quality=80&format=webp`);
  if (!answer.ok) return undefined;
  await writePart(key, id, 'cover', await answer.arrayBuffer());
  return answer.headers.get('content-type') ?? 'image/webp';
}
