import type { LocalPosition } from '../queue/local-queue.ts';
import type { Listening } from './listening.ts';
import type { Track } from '../track.ts';

/**
 * Maximum lag of the server's position behind this browser's; a larger difference means that another device has played.
 */
export const MAX_LAG_SECONDS = 15;

/** Position of each audio in seconds: from this page, from storage, or from the server. */
export function createResumePositions(listening: Listening, resumeFrom: (track: Track) => number | undefined) {
  let local: LocalPosition | null = null;
  let isFromBrowser = false;

  /** Position from earlier pages or other devices; undefined when there is none. */
  function stored(track: Track): number | undefined {
    const remote = resumeFrom(track);
    const own = local?.id === track.id ? local.seconds : undefined;
    if (own === undefined || remote === undefined) return own ?? remote;
    return isFromBrowser && Math.abs(remote - own) <= MAX_LAG_SECONDS ? own : remote;
  }

  return {
    of: (track: Track) => listening.positionOf(track.id) ?? stored(track) ?? 0,
    stored,
    /** The account's positions were reloaded and win over this page's, except for the current audio. */
    renew(current: Track | null) {
      if (listening.hasPlayed() || local?.id !== current?.id) local = null;
      listening.keepPosition(current?.id);
    },
    /** Sets the position of the saved queue's head, as this browser stored it each second. */
    restore(position: LocalPosition) {
      local = position;
      isFromBrowser = true;
    },
    /** The same from the server, which stores it only with each change of the queue; so the history wins. */
    suggest(position: LocalPosition) {
      if (local?.id === position.id) return;
      local = position;
      isFromBrowser = false;
    },
    /** The audio was removed from the listener's history. */
    drop(trackId: string) {
      if (local?.id === trackId) local = null;
      listening.clearPosition(trackId);
    },
    clear() {
      local = null;
      listening.clear();
    },
  };
}
