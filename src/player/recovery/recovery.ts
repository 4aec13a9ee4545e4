import type { Clock } from '../clock.ts';
import {
  askFileRoute,
  classify,
  failureOf,
  isRefusal,
  withinLimit,
  type Answer,
  type FailureCode,
  type FetchLike,
} from './failure.ts';
import { createRetry } from './retry.ts';
import { type Network, afterOrOnline, retryDelay } from '../network.ts';
import type { MediaElementLike } from '../media/media-element.ts';
import type { PlaybackStatus } from '../playback.ts';
import { timedFetch } from '../timed-fetch.ts';
import { createStallWatch } from './stall-watch.ts';
import { createWholeFile } from '../media/whole-file.ts';

/** The site's part in the recovery of its files. */
export type RecoveryOptions = {
  fetch?: FetchLike;
  /**
   * Renews the session cookie that the file route checks, after it refused a file. Resolves to true when a new request
   * is worthwhile. A rejection, or more than ten seconds, counts as false.
   */
  refreshAccess?: () => Promise<boolean>;
  /** Another URL of the loaded file, tried when the current one is refused: the site's, for a downloaded copy. */
  fallbackUrl?: () => string | false | null;
  /** URL of the downloaded copy of the loaded file, tried when the connection is lost. */
  storedUrl?: () => string | undefined;
  /** The network strips byte ranges, so the browser cannot seek and the file is loaded whole. */
  onWholeFile?: () => void;
};

type RecoveryParts = RecoveryOptions & {
  clock: Clock;
  network: Network;
  /** Changes the URL that the next reload sets. */
  setUrl: (file: string) => void;
  file: () => string | null;
  position: () => number;
  /** Sets the element's file again at the same second. */
  reload: () => void;
  fail: (failure: FailureCode) => void;
  /** False once the listener has paused. */
  wantsPlay: () => boolean;
  /** Tries a failed file again. */
  retry: () => void;
  onReconnecting: (isReconnecting: boolean) => void;
};

/** Playback this long after a reload counts as recovered. */
const RECOVERED_AFTER_SECONDS = 5;
/**
 * Stall checks without a byte received before the file is reloaded: the file route answers, but the connection to the
 * storage is dead. One more after each reload, so that a slow connection gets through in the end.
 */
const MAX_STALL_CHECKS = 2;
/**
 * Checks at the same second while playing before the file is reloaded: the sound device or the decoder hangs. More than
 * one, because the first check after a machine's sleep runs before sound is back.
 */
const MAX_FROZEN_CHECKS = 2;
/** Without a sound device, some browsers never advance. */
const MAX_FREEZE_RELOADS = 3;
/** Interval of requests for a failed file: `online` events alone are unreliable. */
const CHECK_EVERY_MS = 60_000;
/** After a longer outage, playback does not resume by itself: sudden sound would startle. */
const RESUME_WITHIN_MS = 30 * 60_000;

export function createRecovery(parts: RecoveryParts) {
  const {
    clock,
    network,
    fetch = timedFetch,
    refreshAccess,
    fallbackUrl,
    storedUrl,
    onWholeFile,
    setUrl,
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
  const freezeWatch = createStallWatch(clock, async () => reloadIfFrozen());
  const wholeFile = createWholeFile({ file, setUrl, reload, failed: () => reconnect('network') });
  let failedAt = 0;
  // Access was already renewed for this failure; a second refusal is final.
  let hasRefreshedAccess = false;
  // The file was already loaded again at once for this failure.
  let hasReloaded = false;
  // Checks of this stall since the last byte.
  let stallChecks = 0;
  let hasReceived = false;
  let wasWatched = false;
  let checkedPosition: number | undefined;
  let frozenChecks = 0;
  let freezeReloads = 0;
  let stopWaiting: (() => void) | null = null;
  // The last request to the file route failed. Playback from the buffer does not reset it.
  let isLost = false;
  let isChecking = false;
  let stopChecking: (() => void) | null = null;
  let routeChecks = 0;
  // Increments when a failure ends, so that late answers for it are ignored.
  let generation = 0;

  function clear() {
    generation += 1;
    wholeFile.stop();
    retries.reset();
    stopAutoRetry();
    hasRefreshedAccess = false;
    hasReloaded = false;
    stallChecks = 0;
    freezeReloads = 0;
  }

  /** Reloads a file that should play but does not advance. */
  function reloadIfFrozen() {
    frozenChecks = position() === checkedPosition ? frozenChecks + 1 : 0;
    checkedPosition = position();
    if (frozenChecks < MAX_FROZEN_CHECKS || freezeReloads === MAX_FREEZE_RELOADS) return;
    frozenChecks = 0;
    freezeReloads += 1;
    failedAt = position();
    reload();
  }

  async function askRoute(src: string): Promise<Answer> {
    const answer = await askFileRoute(src, fetch, clock);
    isLost = answer === 'network' && file() !== null;
    if (!isLost) endChecks();
    return answer;
  }

  function endChecks() {
    stopChecking?.();
    stopChecking = null;
    routeChecks = 0;
  }

  /** Requests the file route until it answers: with growing delays, and when the machine comes online. */
  async function checkRoute() {
    const src = file();
    if (src === null || isChecking || stopChecking) return;
    isChecking = true;
    await askRoute(src);
    isChecking = false;
    if (!isLost) return routeAnswered();
    stopChecking = afterOrOnline(clock, network, retryDelay(routeChecks), () => {
      stopChecking = null;
      void checkRoute();
    });
    routeChecks += 1;
  }

  /** The element loads again. From its cache, maybe: after a lost connection the file route is asked too. */
  function playbackResumed() {
    retries.cancel();
    if (isLost) void checkRoute();
    else onReconnecting(false);
  }

  /** The file route answered; the element may still wait for its next retry. */
  function routeAnswered() {
    if (!retries.isScheduled()) onReconnecting(false);
  }

  /** After a refusal: switches to the fallback URL, or renews the session once. @returns whether a reload may succeed */
  async function restoreAccess(answer: Answer): Promise<boolean> {
    const other = isRefusal(answer) || answer === 'subscription-required' ? fallbackUrl?.() : undefined;
    if (other && other !== file()) {
      setUrl(other);
      return true;
    }
    if (!refreshAccess || hasRefreshedAccess || !isRefusal(answer)) return false;
    hasRefreshedAccess = true;
    return withinLimit(refreshAccess(), clock);
  }

  function reconnect(reason: FailureCode) {
    stallChecks = 0;
    hasReceived = false;
    const copy = reason === 'network' ? storedUrl?.() : undefined;
    if (copy !== undefined && copy !== file()) {
      setUrl(copy);
      return reload();
    }
    if (reason === 'network' && retries.schedule(reload)) return onReconnecting(true);
    clear();
    if (reason === 'network' && wantsPlay()) waitForNetwork();
    fail(reason);
  }

  /** No attempts are left, but the connection may come back, for example after a long tunnel. */
  function waitForNetwork() {
    const [since, src] = [clock.now(), file()];
    const isTooLate = () => clock.now() - since >= RESUME_WITHIN_MS;
    const stopNetwork = network.subscribe(() => {
      if (!isTooLate()) retry();
    });
    let stopTimer = () => {};
    function scheduleCheck() {
      stopTimer = clock.after(CHECK_EVERY_MS, () => void checkNow());
    }
    async function checkNow() {
      if (src === null || isTooLate()) return;
      const answer = await askFileRoute(src, fetch, clock);
      if (stopWaiting !== stop) return;
      if (answer === 'network') scheduleCheck();
      else retry();
    }
    function stop() {
      stopTimer();
      stopNetwork();
    }
    stopWaiting = stop;
    scheduleCheck();
  }

  /** From now on, a failed file plays only after a press. */
  function stopAutoRetry() {
    stopWaiting?.();
    stopWaiting = null;
  }

  async function onStall(isStillWaiting: () => boolean) {
    if (hasReceived) {
      // Slow, not dead: a reload would discard the buffer.
      hasReceived = false;
      stallChecks = 0;
      return;
    }
    const src = file();
    const answer = src === null ? 'reachable' : await askRoute(src);
    if (!isStillWaiting()) return;
    if (answer === 'reachable') {
      stallChecks += 1;
      if (stallChecks < MAX_STALL_CHECKS + retries.attempts) return;
    }
    const isRestored = await restoreAccess(answer);
    if (!isStillWaiting()) return;
    failedAt = position();
    if (isRestored) reload();
    else reconnect(answer === 'reachable' ? 'network' : failureOf(answer));
  }

  return {
    clear,
    stopAutoRetry,
    playbackResumed,
    isLost: () => isLost,
    /** Playback has ended: stops all checks. */
    stop() {
      isLost = false;
      endChecks();
    },
    /** Watches for stalls (no data) and freezes (playing, but not advancing). @param isUsable false without a working element */
    watch(status: PlaybackStatus, isUsable: boolean) {
      const isWaiting = isUsable && (status === 'waiting' || status === 'loading');
      const isWatched = isWaiting && !retries.isScheduled();
      // Only bytes received during the stall count.
      if (isWatched && !wasWatched) hasReceived = false;
      wasWatched = isWatched;
      stallWatch.update(isWatched);
      freezeWatch.update(status === 'playing');
    },
    endWatch() {
      stallWatch.end();
      freezeWatch.end();
      checkedPosition = undefined;
    },
    /** Bytes of the file arrive. */
    dataReceived() {
      hasReceived = true;
    },
    /** The element cannot seek: loads the whole file instead. */
    loadWhole(element: Pick<MediaElementLike, 'removeAttribute' | 'load'>) {
      // Otherwise the element would play from the beginning.
      element.removeAttribute('src');
      element.load();
      onWholeFile?.();
      wholeFile.load();
    },
    /** On an element error: asks the file route for the cause. */
    async diagnose(mediaErrorCode: number) {
      const src = file();
      const askedGeneration = generation;
      failedAt = position();
      retries.cancel();
      if (src === null) return;
      const answer = await askRoute(src);
      if (askedGeneration !== generation) return;
      const isRestored = await restoreAccess(answer);
      if (askedGeneration !== generation) return;
      // Browsers reuse the storage's signed URL, which expires; a reload gets a new one from the file route.
      const hasExpired = answer === 'reachable' && !hasReloaded;
      if (hasExpired) hasReloaded = true;
      if (isRestored || hasExpired) reload();
      else reconnect(classify(mediaErrorCode, answer, retries.attempts));
    },
    /** Playback continues; after `RECOVERED_AFTER_SECONDS` the failure is over. */
    progressed() {
      if (
        (retries.attempts > 0 || hasRefreshedAccess || hasReloaded || freezeReloads > 0) &&
        position() > failedAt + RECOVERED_AFTER_SECONDS
      )
        clear();
    },
  };
}
