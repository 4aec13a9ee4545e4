import type { KeptPlace } from './kept-queue.ts';
import type { Listening } from './listening.ts';
import type { Track } from './track.ts';

/** The server's place is at most so far behind the one that this browser kept, unless another device went on. */
const LAG_SECONDS = 15;

/** Where each audio stands, in seconds: heard on this page, kept from the page before, or stored on the server. */
export function createPlaces(listening: Listening, resumeFrom: (track: Track) => number | undefined = () => undefined) {
  let kept: KeptPlace | null = null;

  /** What earlier pages and other devices left; undefined when they left nothing. */
  function stored(track: Track): number | undefined {
    const there = resumeFrom(track);
    const here = kept?.id === track.id ? kept.seconds : undefined;
    if (here === undefined || there === undefined) return here ?? there;
    return Math.abs(there - here) > LAG_SECONDS ? there : here;
  }

  return {
    of: (track: Track) => listening.placeIn(track.id) ?? stored(track) ?? 0,
    stored,
    /** The place of the saved queue's head. */
    restore(place: KeptPlace) {
      kept = place;
    },
    /** Taken out of the listener's history. */
    drop(trackId: string) {
      if (kept?.id === trackId) kept = null;
      listening.forgetPlace(trackId);
    },
    forget() {
      kept = null;
      listening.forget();
    },
  };
}
