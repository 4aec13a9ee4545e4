import type { LocalPosition } from '../queue/local-queue.ts';
import type { Listening } from './listening.ts';
import type { Track } from '../track.ts';

/**
 * Maximum lag of the server's position behind this browser's; a larger difference means that another device played on.
 */
export const LAG_SECONDS = 15;

/** Position of each audio in seconds: from this page, from storage, or from the server. */
export function createResumePositions(
  listening: Listening,
  resumeFrom: (track: Track) => number | undefined = () => undefined,
) {
  let kept: LocalPosition | null = null;
  let isOwn = false;

  /** Position from earlier pages or other devices; undefined when there is none. */
  function stored(track: Track): number | undefined {
    const there = resumeFrom(track);
    const here = kept?.id === track.id ? kept.seconds : undefined;
    if (here === undefined || there === undefined) return here ?? there;
    return isOwn && Math.abs(there - here) <= LAG_SECONDS ? here : there;
  }

  return {
    of: (track: Track) => listening.placeIn(track.id) ?? stored(track) ?? 0,
    stored,
    /** The account's positions are new, and win over those of this page, except for the current audio. */
    renew(current: Track | null) {
      if (listening.hasSounded() || kept?.id !== current?.id) kept = null;
      listening.keepPosition(current?.id);
    },
    /** Sets the position of the saved queue's head, as this browser stored it each second. */
    restore(place: LocalPosition) {
      kept = place;
      isOwn = true;
    },
    /** The same from the server: it stores the position with each change of the queue only, so the history wins. */
    suggest(place: LocalPosition) {
      if (kept?.id === place.id) return;
      kept = place;
      isOwn = false;
    },
    /** The audio was removed from the listener's history. */
    drop(trackId: string) {
      if (kept?.id === trackId) kept = null;
      listening.clearPosition(trackId);
    },
    clear() {
      kept = null;
      listening.clear();
    },
  };
}
