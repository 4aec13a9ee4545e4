import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { ContentSource } from '#domain/analytics/forms.ts';
import { browserClock } from '#player/clock.ts';
import { retryDelay } from '#player/network.ts';
import type { Player } from '#player/player.ts';
import type { Queue } from '#player/queue/queue.ts';
import type { Track } from '#player/track.ts';
import { type RestOfList, loadPart } from './load-list.ts';
import { trackOf } from './track-of.ts';

/** Each has 100 audios: enough for a long night. More would make the queue, which is always sent whole, too large. */
const maxParts = 5;
const maxFailures = 6;

/** @param know receives the loaded audios */
export function createAppendRest(cacheAudios: (audios: readonly AudioItem[]) => void) {
  /**
   * Appends the rest of a list to the queue, which has its first page already, until another list replaces it.
   * @param shown the part that is in the queue already
   */
  return async function appendRest(
    player: Pick<Player, 'getSnapshot' | 'addMissingToQueue'>,
    { path, cursor: after }: RestOfList,
    shown: readonly AudioItem[],
    source: ContentSource,
  ): Promise<void> {
    let cursor = after;
    for (let parts = 0, failures = 0; cursor && parts < maxParts && failures < maxFailures;) {
      const part = await loadPart(path, cursor).catch(() => undefined);
      const { queue } = player.getSnapshot();
      if (!includes(queue, shown.at(-1), source)) return;
      if (part === undefined) {
        const wait = retryDelay(failures);
        failures += 1;
        await new Promise<void>((resolve) => browserClock.after(wait, resolve));
        continue;
      }
      cacheAudios(part.items);
      const tracks = part.items.map((audio) => trackOf(audio, source));
      player.addMissingToQueue(withRest(queue, tracks));
      cursor = part.nextCursor ?? undefined;
      parts += 1;
    }
  };
}

function includes({ listType, list, played }: Queue, last: AudioItem | undefined, source: ContentSource): boolean {
  return listType === source && [...list, ...played].some(({ id }) => id === last?.id);
}

/** The queue with more of its list, in front of the audios that were before the chosen one. */
function withRest(queue: Queue, tracks: readonly Track[]): Queue {
  const present = new Set([...queue.list, ...queue.played].map(({ id }) => id));
  const missing = tracks.filter(({ id }) => !present.has(id) && present.add(id));
  const index = Math.max(queue.list.length - queue.index, queue.individualAddToQueueIndex);
  return { ...queue, list: queue.list.toSpliced(index, 0, ...missing) };
}
