import type { Clock } from '../clock.ts';
import type { FailureCode } from './failure.ts';
import type { AccessEnd, Notice } from '../notices.ts';
import * as queues from '../queue/queue.ts';
import type { Queue } from '../queue/queue.ts';
import type { Track } from '../track.ts';

/** Consecutive broken files without sound before playback stops, because the cause is then elsewhere. */
const MAX_FAILURES_IN_A_ROW = 5;
/** How long an audio may wait for a lost connection before one on the device takes its turn. */
const LOST_FOR_MS = 5000;

type FailureParts = {
  clock: Clock;
  isReconnecting: () => boolean;
  state: {
    queue: () => Queue;
    current: () => Track | null;
    goTo: (queue: Queue, how: { isAutomatic: boolean }) => void;
    /** The loaded audio started by itself after another one. */
    wentOn: () => boolean;
    listening: { hasSounded: () => boolean };
  };
  /** The queue with the next playable audio as its head; the same queue when none follows. */
  following: () => Queue;
  isOnDevice: (track: Track) => boolean;
  /** Starts the next playable audio; false when there is none, or the sleep timer ends with this one. */
  goOn: () => boolean;
  /** Whether the sleep timer ends with this audio, which then has left the queue. */
  endsHere: () => boolean;
  /** The server refused an audio that followed by itself or had sounded: from now on only free ones may be heard. */
  accessEnded: (() => void) | undefined;
  /** Prompts for the access to an audio that the listener asked for. */
  askForAccess: (track: Track) => void;
  notify: (notice: Notice) => void;
};

/** Decides what follows an audio that cannot be played. */
export function createFailures(parts: FailureParts) {
  const { clock, isReconnecting, state, following, isOnDevice, goOn, endsHere, accessEnded, askForAccess, notify } =
    parts;
  let brokenInARow = 0;
  /** Refused after it had sounded, and silent since. */
  let refused: Track | null = null;

  /** The list goes on with what is free. The refused audio stays in it, like others that are skipped. */
  function onAccessEnded(track: Track, reason: AccessEnd) {
    accessEnded?.();
    const next = following();
    const goesOn = next !== state.queue() && !endsHere();
    if (goesOn) state.goTo(keepSkipped(next, track), { isAutomatic: true });
    notify({ kind: 'access-ended', reason, goesOn });
  }

  /** Free when the list was loaded: its creator has changed it since, so nothing else is refused. */
  function onNowLocked({ title }: Track) {
    notify({ kind: 'now-locked', title, goesOn: goOn() });
  }

  function onBroken({ id, title }: Track) {
    brokenInARow += 1;
    const goesOn = brokenInARow < MAX_FAILURES_IN_A_ROW && goOn();
    notify({ kind: 'file-broken', trackId: id, title, goesOn });
  }

  return {
    /** @param wasStarted it was playing, or about to */
    failed(code: FailureCode, wasStarted: boolean) {
      const track = state.current();
      if (!track) return;
      if (wasStarted && (code === 'decode' || code === 'gone')) return onBroken(track);
      const hasSounded = state.listening.hasSounded();
      if (code === 'login-required' || code === 'subscription-required') {
        // The listener pressed Play: on it, or again after a refusal in the middle.
        if (hasSounded ? refused === track : !state.wentOn()) return askForAccess(track);
        if (hasSounded) refused = track;
        return track.isFree ? onNowLocked(track) : onAccessEnded(track, code);
      }
      if (!hasSounded && state.wentOn() && code !== 'network') goOn();
    },
    /**
     * The site does not answer, though the machine may report a connection. An audio that followed by itself and has not
     * sounded yet stays in the list while those on the device play.
     */
    connectionLost() {
      const track = state.current();
      clock.after(LOST_FOR_MS, () => {
        const waits = isReconnecting() && state.current() === track && state.wentOn() && !state.listening.hasSounded();
        if (!track || !waits || isOnDevice(track)) return;
        const stored = queues.next(state.queue(), isOnDevice);
        if (stored !== state.queue()) state.goTo(keepSkipped(stored, track), { isAutomatic: true });
      });
    },
    /** An audio plays. */
    sounded() {
      brokenInARow = 0;
      refused = null;
    },
  };
}

/** After the next audio became the head: one that could not be heard returns from the history to the front of the rest. */
function keepSkipped(queue: Queue, skipped: Track): Queue {
  const list = queue.list.toSpliced(queue.individualAddToQueueIndex, 0, skipped);
  return { ...queue, list, played: queue.played.slice(0, -1) };
}
