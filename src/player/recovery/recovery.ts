import type { Clock } from '../clock.ts';
import { ask, classify, failureOf, isRefusal, withinLimit } from './failure.ts';
import type { Answer, FailureCode, FetchLike } from './failure.ts';
import { createRetry } from './retry.ts';
import { retryDelay } from '../network.ts';
import type { Network } from '../network.ts';
import type { MediaElementLike } from '../media/media-element.ts';
import type { PlaybackStatus } from '../playback.ts';
import { timedFetch } from '../timed-fetch.ts';
import { createStallWatch } from './stall-watch.ts';
import { createWholeFile } from '../media/whole-file.ts';

type RecoveryParts = {
  clock: Clock;
  network: Network;
  fetch: FetchLike | undefined;
  refreshAccess: (() => Promise<boolean>) | undefined;
  elsewhere: (() => string | false | null) | undefined;
  stored: (() => string | undefined) | undefined;
  onWholeFile: (() => void) | undefined;
  /** Changes the address of the file, which the next reload sets. */
  moveTo: (file: string) => void;
  file: () => string | null;
  /** Current position, in seconds. */
  position: () => number;
  /** Sets the element's file again at the same second. */
  reload: () => void;
  fail: (failure: FailureCode) => void;
  /** Nobody paused meanwhile. */
  wantsPlay: () => boolean;
  /** Tries a failed file again. */
  retry: () => void;
  onReconnecting: (isReconnecting: boolean) => void;
};

/** Playback this long after a reload counts as recovered. */
const MENDED_AFTER_SECONDS = 5;
/**
 * Looks without a byte before reloading: the file route answers, but the storage connection is dead. One more after each
 * reload, because a connection that takes long to begin would otherwise never get through.
 */
const DEAD_AFTER_LOOKS = 2;
/**
 * Looks at a file that should play and stays at the same second, before it is loaded again: the sound device or the
 * decoder hangs. The first look after a machine's sleep comes before the sound.
 */
const FROZEN_AFTER_LOOKS = 2;
/** Without a sound device, some browsers never get on. */
const MAX_THAWS = 3;
/** Machines without a connection can report one, so a failed file is asked for as well. */
const LOOKS_EVERY_MS = 60_000;
/** After a longer offline time, playback does not resume by itself, because a sudden sound would startle. */
const WAITS_FOR_NETWORK_MS = 30 * 60_000;

/** Diagnoses why a file does not load and recovers it. */
export function createRecovery(parts: RecoveryParts) {
  const {
    clock,
    network,
    fetch = timedFetch,
    refreshAccess,
    elsewhere,
    stored,
    onWholeFile,
    moveTo,
    file,
    position,
    reload,
    fail,
    wantsPlay,
    retry,
    onReconnecting,
  } = parts;
  const retries = createRetry(clock, network);
  const stallWatch = createStallWatch(clock, onStall);
  const freezeWatch = createStallWatch(clock, async () => thaw());
  const whole = createWholeFile({ file, moveTo, reload, failed: () => reconnect('network') });
  let failedAt = 0;
  // Access was already renewed for this failure; a second refusal is final.
  let wasRefreshed = false;
  // The file was already loaded again at once for this failure.
  let wasReloaded = false;
  // Looks at this wait since the last byte.
  let looks = 0;
  let hasReceived = false;
  let wasWatched = false;
  let lookedAt: number | undefined;
  let frozenLooks = 0;
  let thaws = 0;
  let stopWaiting: (() => void) | null = null;
  // The file route did not answer and has not answered since. Buffered data does not disprove it.
  let isLost = false;
  let isChecking = false;
  let stopChecking: (() => void) | null = null;
  let checks = 0;
  // Increments when a failure ends, so that late answers for it are ignored.
  let generation = 0;

  function clear() {
    generation += 1;
    whole.stop();
    retries.reset();
    stay();
    wasRefreshed = false;
    wasReloaded = false;
    looks = 0;
    thaws = 0;
  }

  /** Loads a file again that plays without getting on. */
  function thaw() {
    frozenLooks = position() === lookedAt ? frozenLooks + 1 : 0;
    lookedAt = position();
    if (frozenLooks < FROZEN_AFTER_LOOKS || thaws === MAX_THAWS) return;
    frozenLooks = 0;
    thaws += 1;
    failedAt = position();
    reload();
  }

  async function askRoute(src: string): Promise<Answer> {
    const answer = await ask(src, fetch, clock);
    isLost = answer === 'network' && file() !== null;
    if (!isLost) endChecks();
    return answer;
  }

  function endChecks() {
    stopChecking?.();
    stopChecking = null;
    checks = 0;
  }

  /** Requests the file route until it answers: with increasing delays, and when the machine comes online. */
  async function check() {
    const src = file();
    if (src === null || isChecking || stopChecking) return;
    isChecking = true;
    await askRoute(src);
    isChecking = false;
    if (!isLost) return mended();
    const again = () => {
      stopChecking?.();
      stopChecking = null;
      void check();
    };
    const stopTimer = clock.after(retryDelay(checks), again);
    checks += 1;
    const stopNetwork = network.subscribe(again);
    stopChecking = () => {
      stopTimer();
      stopNetwork();
    };
  }

  /** The element loads its file again; after a lost connection that alone proves nothing. */
  function resumed() {
    retries.cancel();
    if (isLost) void check();
    else onReconnecting(false);
  }

  /** The file route answered; the element may still wait for its next attempt. */
  function mended() {
    if (!retries.isScheduled()) onReconnecting(false);
  }

  /** Whether the file has another address, or the refusal came from an expired address or session that is now renewed. */
  async function isMended(answer: Answer): Promise<boolean> {
    const other = isRefusal(answer) || answer === 'subscription-required' ? elsewhere?.() : undefined;
    if (other && other !== file()) {
      moveTo(other);
      return true;
    }
    if (!refreshAccess || wasRefreshed || !isRefusal(answer)) return false;
    wasRefreshed = true;
    return withinLimit(refreshAccess(), clock);
  }

  function reconnect(reason: FailureCode) {
    looks = 0;
    hasReceived = false;
    const copy = reason === 'network' ? stored?.() : undefined;
    if (copy !== undefined && copy !== file()) {
      moveTo(copy);
      return reload();
    }
    if (reason === 'network' && retries.schedule(reload)) return onReconnecting(true);
    clear();
    if (reason === 'network' && wantsPlay()) waitForNetwork();
    fail(reason);
  }

  /** Attempts are used up, but the connection may come back, for example after a long tunnel. */
  function waitForNetwork() {
    const [since, src] = [clock.now(), file()];
    const isLate = () => clock.now() - since >= WAITS_FOR_NETWORK_MS;
    const stopNetwork = network.subscribe(() => {
      if (!isLate()) retry();
    });
    let stopTimer = () => {};
    function lookLater() {
      stopTimer = clock.after(LOOKS_EVERY_MS, () => void look());
    }
    async function look() {
      if (src === null || isLate()) return;
      const answer = await ask(src, fetch, clock);
      if (stopWaiting !== stop) return;
      if (answer === 'network') lookLater();
      else retry();
    }
    function stop() {
      stopTimer();
      stopNetwork();
    }
    stopWaiting = stop;
    lookLater();
  }

  /** From now on only a press plays a failed file. */
  function stay() {
    stopWaiting?.();
    stopWaiting = null;
  }

  async function onStall(isStillSo: () => boolean) {
    if (hasReceived) {
      // Slow, not dead: a reload would lose what has arrived.
      hasReceived = false;
      looks = 0;
      return;
    }
    const src = file();
    const answer = src === null ? 'reachable' : await askRoute(src);
    if (!isStillSo()) return;
    if (answer === 'reachable') {
      looks += 1;
      if (looks < DEAD_AFTER_LOOKS + retries.attempts) return;
    }
    const isWorthAnotherTry = await isMended(answer);
    if (!isStillSo()) return;
    failedAt = position();
    if (isWorthAnotherTry) reload();
    else reconnect(answer === 'reachable' ? 'network' : failureOf(answer));
  }

  return {
    clear,
    stay,
    resumed,
    /** The connection is lost, independent of the file. */
    isLost: () => isLost,
    /** Playback has ended: stops all checks. */
    leave() {
      isLost = false;
      endChecks();
    },
    isScheduled: retries.isScheduled,
    /** A long wait for data is diagnosed, and so is sound that stands still. @param isUsable the element is there, and whole */
    watch(status: PlaybackStatus, isUsable: boolean) {
      const isWaiting = isUsable && (status === 'waiting' || status === 'loading');
      const isWatched = isWaiting && !retries.isScheduled();
      // Bytes that came before the wait say nothing about it.
      if (isWatched && !wasWatched) hasReceived = false;
      wasWatched = isWatched;
      stallWatch.update(isWatched);
      freezeWatch.update(status === 'playing');
    },
    endWatch() {
      stallWatch.end();
      freezeWatch.end();
      lookedAt = undefined;
    },
    /** Bytes of the file arrive. */
    received() {
      hasReceived = true;
    },
    /** The element cannot seek: replaces its file by all of it. */
    loadWhole(element: Pick<MediaElementLike, 'removeAttribute' | 'load'>) {
      // The element would play from the beginning, which nobody asked for.
      element.removeAttribute('src');
      element.load();
      onWholeFile?.();
      whole.load();
    },
    /** The element has an error: asks the file route for the cause. */
    async diagnose(mediaErrorCode: number) {
      const src = file();
      const asked = generation;
      failedAt = position();
      retries.cancel();
      if (src === null) return;
      const answer = await askRoute(src);
      if (asked !== generation) return;
      const isWorthAnotherTry = await isMended(answer);
      if (asked !== generation) return;
      // Browsers keep using the storage's signed address, which expires; the file route gives a new one.
      const hasExpired = answer === 'reachable' && !wasReloaded;
      if (hasExpired) wasReloaded = true;
      if (isWorthAnotherTry || hasExpired) reload();
      else reconnect(classify(mediaErrorCode, answer, retries.attempts));
    },
    /** Playback continues; after `MENDED_AFTER_SECONDS` the failure is over. */
    heard() {
      if (
        (retries.attempts > 0 || wasRefreshed || wasReloaded || thaws > 0) &&
        position() > failedAt + MENDED_AFTER_SECONDS
      )
        clear();
    },
  };
}
