import type { Clock } from './clock.ts';
import type { Engine } from './playback.ts';
import * as queues from './queue/queue.ts';
import type { Queue } from './queue/queue.ts';
import type { Track } from './track.ts';
import type { WarmUp } from './media/warm-up.ts';

type AutoplayParts = {
  engine: Engine;
  clock: Clock;
  queue: () => Queue;
  mayHear: (track: Track) => boolean;
  isOnDevice: (track: Track) => boolean;
  isOffline: () => boolean;
  keepsPlaying: () => boolean;
  findMore: ((track: Track) => Promise<readonly Track[]>) | undefined;
  warmUp: WarmUp | undefined;
  /** Called when suggestions to continue the list have arrived. */
  onMore: () => void;
};

/** The next audio is preloaded at the latest in these last seconds of the current one (product, "Playing"). */
const WARM_UP_SECONDS = 30;
/** Tolerance: browsers may leave the last samples unbuffered. */
const WHOLE_WITHIN_SECONDS = 0.5;
/** Minimum delay between requests after a failed one. */
const ASK_AGAIN_MS = 10_000;
/** The most recently heard audios, which are never suggested again. */
const HEARD_LIMIT = 50;

/** Chooses the audio that follows automatically, and preloads it. */
export function createAutoplay(parts: AutoplayParts) {
  const { engine, clock, queue, mayHear, isOnDevice, isOffline, keepsPlaying, findMore, warmUp, onMore } = parts;
  let heard: string[] = [];
  let more: { after: string; tracks: readonly Track[] } | null = null;
  let asked: { after: string; again: number } | null = null;

  function moreAfter(track: Track | undefined): readonly Track[] {
    if (!track || more?.after !== track.id || !keepsPlaying()) return [];
    return more.tracks.filter((found) => found.id !== track.id && !heard.includes(found.id) && mayHear(found));
  }

  /** The queue with the next playable audio as its head; the same queue when none follows. */
  function following(): Queue {
    const now = queue();
    for (const chooses of isOffline() ? [isOnDevice, mayHear] : [mayHear]) {
      const inList = queues.next(now, chooses);
      if (inList !== now) return inList;
    }
    return queues.next(queues.extend(now, moreAfter(now.list[0])), mayHear);
  }

  function askForMore(track: Track) {
    if (!findMore || !keepsPlaying() || more?.after === track.id) return;
    if (asked?.after === track.id && clock.now() < asked.again) return;
    const own = { after: track.id, again: Number.POSITIVE_INFINITY };
    asked = own;
    findMore(track).then(
      (tracks) => {
        if (queue().list[0]?.id !== track.id) {
          // Asked for again once the listener is back at this audio.
          if (asked === own) asked = null;
          return;
        }
        more = { after: track.id, tracks };
        onMore();
      },
      () => {
        own.again = clock.now() + ASK_AGAIN_MS;
      },
    );
  }

  return {
    following,
    /** Whether suggestions can follow the end of the list. */
    hasMore: () => moreAfter(queue().list[0]).length > 0,
    /** Called while the loaded audio plays: preloads the next one. */
    observe(track: Track) {
      const now = queue();
      if (heard.at(-1) !== track.id) heard = [...heard.filter((id) => id !== track.id), track.id].slice(-HEARD_LIMIT);
      if (queues.next(now, mayHear) === now) askForMore(track);
      const { duration, canSetVolume } = engine.getSnapshot();
      if (!warmUp || duration === null) return;
      // Preload once this audio is fully buffered and the bandwidth is free; otherwise only near its end.
      const isWhole = engine.getBuffered() >= duration - WHOLE_WITHIN_SECONDS;
      if (!isWhole && duration - engine.getPosition() > WARM_UP_SECONDS) return warmUp.drop();
      const [next] = following().list;
      if (next && next.id !== track.id) warmUp.warm(next.audioFileUrl, canSetVolume);
    },
    /** On log-out, also clears the list of heard audios. */
    clear() {
      heard = [];
      more = null;
      asked = null;
      warmUp?.drop();
    },
  };
}
