import type { PlayerOptions } from './player-options.ts';
import type { createPlayerState } from './player-state.ts';
import * as queues from './queue/queue.ts';
import type { Queue } from './queue/queue.ts';
import type { Track } from './track.ts';

/** The next audio is preloaded at the latest in these last seconds of the current one (product, "Playing"). */
const WARM_UP_SECONDS = 30;
/** Tolerance: browsers may leave the last samples unbuffered. */
const BUFFER_TOLERANCE_SECONDS = 0.5;
const RETRY_AFTER_MS = 10_000;
/** Number of recently played audios that are not suggested again. */
const RECENT_LIMIT = 50;

/**
 * Chooses the audio that follows automatically, and preloads it.
 * @param onMore suggestions to continue the list have arrived
 */
export function createAutoplay(
  { engine, clock, isOnDevice, isOffline, findMore, warmUp }: PlayerOptions,
  { queue, mayHear, settings }: Pick<ReturnType<typeof createPlayerState>, 'queue' | 'mayHear' | 'settings'>,
  onMore: () => void,
) {
  const { keepsPlaying } = settings;
  let recentIds: string[] = [];
  let suggestions: { after: string; tracks: readonly Track[] } | null = null;
  let request: { after: string; retryAt: number } | null = null;

  function suggestionsAfter(track: Track | undefined): readonly Track[] {
    if (!track || suggestions?.after !== track.id || !keepsPlaying()) return [];
    return suggestions.tracks.filter(
      (suggestion) => suggestion.id !== track.id && !recentIds.includes(suggestion.id) && mayHear(suggestion),
    );
  }

  /** The queue with the next playable audio as its head; the same queue when none follows. */
  function following(): Queue {
    const now = queue();
    for (const isCandidate of isOffline() ? [isOnDevice, mayHear] : [mayHear]) {
      const inQueue = queues.next(now, isCandidate);
      if (inQueue !== now) return inQueue;
    }
    return queues.next(queues.extend(now, suggestionsAfter(now.list[0])), mayHear);
  }

  function requestMore(track: Track) {
    if (!findMore || !keepsPlaying() || suggestionsAfter(track)[0]) return;
    if (request?.after === track.id && clock.now() < request.retryAt) return;
    const ownRequest = { after: track.id, retryAt: Number.POSITIVE_INFINITY };
    request = ownRequest;
    findMore(track).then(
      (tracks) => {
        if (queue().list[0]?.id !== track.id) {
          // Requested again when this audio is current again.
          if (request === ownRequest) request = null;
          return;
        }
        suggestions = { after: track.id, tracks };
        // Access may end, and what is hidden is taken out of the list: then others are asked for.
        if (tracks.some(mayHear)) ownRequest.retryAt = clock.now() + RETRY_AFTER_MS;
        onMore();
      },
      () => {
        ownRequest.retryAt = clock.now() + RETRY_AFTER_MS;
      },
    );
  }

  return {
    following,
    /** Whether suggestions can follow the end of the list. */
    hasMore: () => suggestionsAfter(queue().list[0]).length > 0,
    /** Called while the loaded audio plays: preloads the next one. */
    observe(track: Track) {
      const now = queue();
      if (recentIds.at(-1) !== track.id)
        recentIds = [...recentIds.filter((id) => id !== track.id), track.id].slice(-RECENT_LIMIT);
      const isLast = queues.next(now, mayHear) === now;
      if (isLast) requestMore(track);
      const { duration, canSetVolume } = engine.getSnapshot();
      if (!warmUp || duration === null) return;
      // Preload once this audio is fully buffered and the bandwidth is free; otherwise only near its end.
      const isWhole = engine.getBuffered() >= duration - BUFFER_TOLERANCE_SECONDS;
      // A suggestion is fetched when it is about to play, not before: it may be this device's own.
      if ((isLast || !isWhole) && duration - engine.getPosition() > WARM_UP_SECONDS) return warmUp.drop();
      const [next] = following().list;
      if (next && next.id !== track.id) warmUp.warm(next.audioFileUrl, canSetVolume);
    },
    /** On log-out, also clears the list of heard audios. */
    clear() {
      recentIds = [];
      suggestions = null;
      request = null;
      warmUp?.drop();
    },
  };
}
