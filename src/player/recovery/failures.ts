import type { Clock } from '../clock.ts';
import type { FailureCode } from './failure.ts';
import type { AccessEnd, Notice } from '../notices.ts';
import * as queues from '../queue/queue.ts';
import type { Queue } from '../queue/queue.ts';
import type { Track } from '../track.ts';

/** Consecutive broken files before playback stops: the cause is then not the files. */
const MAX_FAILURES_IN_A_ROW = 5;
/** After waiting this long for the connection, a downloaded audio plays instead. */
const MAX_RECONNECT_MS = 5000;

type FailureParts = {
  clock: Clock;
  findMore?: (track: Track) => Promise<readonly Track[]>;
  isReconnecting: () => boolean;
  state: {
    queue: () => Queue;
    current: () => Track | null;
    goTo: (queue: Queue, how: { isAutomatic: boolean }) => void;
    /** Whether the loaded audio started automatically after the previous one. */
    startedAutomatically: () => boolean;
    listening: { hasPlayed: () => boolean };
    mayHear: (track: Track) => boolean;
    settings: { keepsPlaying: () => boolean };
  };
  /** The queue with the next playable audio as its head; the same queue when none follows. */
  following: () => Queue;
  isOnDevice: (track: Track) => boolean;
  /** Whether the sleep timer ends with this audio; if so, the queue has moved on. */
  stopForSleep: () => boolean;
  /** The server refused an audio that started automatically or was playing: from now on, only free ones may play. */
  accessEnded?: (() => void) | undefined;
  /** Prompts for access to an audio that the listener chose. */
  askForAccess: (track: Track) => void;
  notify: (notice: Notice) => void;
};

export function createFailures(parts: FailureParts) {
  const {
    clock,
    findMore,
    isReconnecting,
    state,
    following,
    isOnDevice,
    stopForSleep,
    accessEnded,
    askForAccess,
    notify,
  } = parts;
  let failuresInARow = 0;
  /** The audio refused while it was playing, until another one plays. */
  let refusedTrack: Track | null = null;

  /**
   * Starts the next playable audio, unless the sleep timer ends with this one. A suggestion comes alone: after one that
   * cannot play, others are asked for.
   * @param tell whether playback continues @param keep what is skipped, in the queue
   */
  function goOn(track: Track, tell: (continues: boolean) => void, keep = (next: Queue) => next): void {
    function go(next: Queue): boolean {
      if (next === state.queue()) return false;
      state.goTo(keep(next), { isAutomatic: true });
      return true;
    }
    if (stopForSleep()) return tell(false);
    if (go(following())) return tell(true);
    if (!findMore || !state.startedAutomatically() || !state.settings.keepsPlaying()) return tell(false);
    findMore(track).then(
      // The listener may have chosen something else meanwhile.
      (more) => tell(state.current() !== track || go(queues.next(queues.extend(state.queue(), more), state.mayHear))),
      () => tell(false),
    );
  }

  /** Continues with the free audios of the list. The refused one stays in it, like other skipped ones. */
  function onAccessEnded(track: Track, reason: AccessEnd) {
    accessEnded?.();
    const tell = (continues: boolean) => notify({ kind: 'access-ended', reason, continues });
    goOn(track, tell, (next) => keepSkipped(next, track));
  }

  /** It was free when the list was loaded; its creator has since changed that. Other audios are not affected. */
  function onNowLocked(track: Track) {
    goOn(track, (continues) => notify({ kind: 'now-locked', title: track.title, continues }));
  }

  function onBrokenFile(track: Track) {
    const { id, title } = track;
    failuresInARow += 1;
    const tell = (continues: boolean) => notify({ kind: 'file-broken', trackId: id, title, continues });
    if (failuresInARow < MAX_FAILURES_IN_A_ROW) goOn(track, tell);
    else tell(false);
  }

  return {
    /** @param wasStarted it was playing or loading to play */
    failed(code: FailureCode, wasStarted: boolean) {
      const track = state.current();
      if (!track) return;
      if (wasStarted && (code === 'decode' || code === 'gone')) return onBrokenFile(track);
      const hasPlayed = state.listening.hasPlayed();
      if (code === 'login-required' || code === 'subscription-required') {
        // The listener pressed Play on it, or again after it was refused midway.
        if (hasPlayed ? refusedTrack === track : !state.startedAutomatically()) return askForAccess(track);
        if (hasPlayed) refusedTrack = track;
        return track.isFree ? onNowLocked(track) : onAccessEnded(track, code);
      }
      if (!hasPlayed && state.startedAutomatically() && code !== 'network') goOn(track, () => undefined);
    },
    /**
     * The site does not answer, even if the machine reports a connection. An audio that started automatically and has not
     * played yet stays in the list while the downloaded ones play.
     */
    connectionLost() {
      const track = state.current();
      clock.after(MAX_RECONNECT_MS, () => {
        const isWaiting =
          isReconnecting() && state.current() === track && state.startedAutomatically() && !state.listening.hasPlayed();
        if (!track || !isWaiting || isOnDevice(track)) return;
        const stored = queues.next(state.queue(), isOnDevice);
        if (stored !== state.queue()) state.goTo(keepSkipped(stored, track), { isAutomatic: true });
      });
    },
    /** An audio plays. */
    onPlaying() {
      failuresInARow = 0;
      refusedTrack = null;
    },
  };
}

/** Moves an audio that could not play from the history back to the front of the rest. */
function keepSkipped(queue: Queue, skipped: Track): Queue {
  const list = queue.list.toSpliced(queue.individualAddToQueueIndex, 0, skipped);
  return { ...queue, list, played: queue.played.slice(0, -1) };
}
