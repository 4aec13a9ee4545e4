import { readSealed, writeSealed } from '#offline/sealed-values.ts';
import { type QueueTracks, isTrack } from '#player/queue/local-queue.ts';
import type { Track } from '#player/track.ts';

const name = 'sotto_queue_tracks';
/** A browser whose database does not open must not block the queue; the site has a copy. */
const maxWaitMs = 1000;

/** The stored queue's audios, read once. Writes run one after the other; the last one wins. */
export async function openSealedTracks(storage: Parameters<typeof readSealed>[0]): Promise<QueueTracks> {
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, maxWaitMs));
  const stored = await Promise.race([readSealed<unknown>(storage, name), timeout]);
  let tracks = new Map<string, Track>();
  for (const track of Array.isArray(stored) ? (stored as unknown[]) : [])
    if (isTrack(track)) tracks.set(track.id, track);
  let pending: readonly Track[] | undefined;
  let isWriting = false;

  async function write(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    for (let next = takePending(); next !== undefined; next = takePending())
      await writeSealed(storage, name, next.length === 0 ? undefined : next);
    isWriting = false;
  }

  function takePending(): readonly Track[] | undefined {
    const next = pending;
    pending = undefined;
    return next;
  }

  return {
    find: (id) => tracks.get(id),
    save(saved) {
      if (saved.length === tracks.size && saved.every((track) => tracks.get(track.id) === track)) return;
      tracks = new Map(saved.map((track) => [track.id, track]));
      // At once, because another page may follow a log-out.
      if (saved.length === 0) storage.set(name, '');
      pending = saved;
      void write();
    },
  };
}
