import type { Clock } from './clock.ts';
import type { Engine } from './playback.ts';
import * as queues from './queue.ts';
import type { Queue } from './queue.ts';
import type { Track } from './track.ts';
import type { WarmUp } from './warm-up.ts';

type GoingOnParts = {
  engine: Engine;
  clock: Clock;
  queue: () => Queue;
  mayHear: (track: Track) => boolean;
  keepsPlaying: () => boolean;
  findMore: ((track: Track) => Promise<readonly Track[]>) | undefined;
  warmUp: WarmUp | undefined;
  /** Audios that the list can go on with have come. */
  onMore: () => void;
};

/** The last seconds of an audio, in which the next one is loaded ahead at the latest (product, "Playing"). */
const WARM_UP_SECONDS = 30;
/** Browsers may leave the very last samples unbuffered. */
const WHOLE_WITHIN_SECONDS = 0.5;
/** A server that did not answer is not asked for more again before this. */
const ASK_AGAIN_MS = 10_000;
/** So many of what was heard here is not proposed again. */
const HEARD_LIMIT = 50;

/** What comes after the current audio without being asked for, and what is made ready for that. */
export function createGoingOn(parts: GoingOnParts) {
  const { engine, clock, queue, mayHear, keepsPlaying, findMore, warmUp, onMore } = parts;
  let heard: string[] = [];
  let more: { after: string; tracks: readonly Track[] } | null = null;
  let asked: { after: string; again: number } | null = null;

  function moreAfter(track: Track | undefined): readonly Track[] {
    if (!track || more?.after !== track.id || !keepsPlaying()) return [];
    return more.tracks.filter((found) => found.id !== track.id && !heard.includes(found.id) && mayHear(found));
  }

  /** The queue with the next audio as its head; the same queue when nothing follows. Never what is locked. */
  function following(): Queue {
    const now = queue();
    const inList = queues.next(now, mayHear);
    return inList === now ? queues.next(queues.extend(now, moreAfter(now.list[0])), mayHear) : inList;
  }

  function askForMore(track: Track) {
    if (!findMore || !keepsPlaying() || more?.after === track.id) return;
    if (asked?.after === track.id && clock.now() < asked.again) return;
    const own = { after: track.id, again: Number.POSITIVE_INFINITY };
    asked = own;
    findMore(track).then(
      (tracks) => {
        if (queue().list[0]?.id !== track.id) return;
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
    /** More is there for when the list is over. */
    hasMore: () => moreAfter(queue().list[0]).length > 0,
    /** The loaded audio plays: makes ready what comes after it. */
    observe(track: Track) {
      const now = queue();
      if (heard.at(-1) !== track.id) heard = [...heard.filter((id) => id !== track.id), track.id].slice(-HEARD_LIMIT);
      if (queues.next(now, mayHear) === now) askForMore(track);
      const { duration, canSetVolume } = engine.getSnapshot();
      if (!warmUp || duration === null) return;
      // Once this one is there whole, the line is free; before that, only when it is nearly over.
      const isWhole = engine.getBuffered() >= duration - WHOLE_WITHIN_SECONDS;
      if (!isWhole && duration - engine.getPosition() > WARM_UP_SECONDS) return warmUp.drop();
      const [next] = following().list;
      if (next && next.id !== track.id) warmUp.warm(next.audioFileUrl, canSetVolume);
    },
    /** Logged out: what was heard is forgotten too. */
    forget() {
      heard = [];
      more = null;
      asked = null;
      warmUp?.drop();
    },
  };
}
