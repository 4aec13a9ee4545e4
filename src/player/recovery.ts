import type { Clock } from './clock.ts';
import { ask, classify, failureOf, isRefusal, withinLimit } from './failure.ts';
import type { Answer, FailureCode, FetchLike } from './failure.ts';
import { createRetry } from './retry.ts';
import { retryDelay } from './network.ts';
import type { Network } from './network.ts';
import { createStallWatch } from './stall-watch.ts';

type RecoveryParts = {
  clock: Clock;
  network: Network;
  fetch: FetchLike;
  refreshAccess: (() => Promise<boolean>) | undefined;
  elsewhere: (() => string | false | null) | undefined;
  /** Changes the address of the file, which the next reload sets. */
  moveTo: (file: string) => void;
  file: () => string | null;
  /** Current position and end of the buffered range, in seconds. */
  position: () => number;
  buffered: () => number;
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
/** Checks without buffer progress before reloading: the file route answers, but the storage connection is dead. */
const DEAD_AFTER_LOOKS = 3;
/** Machines without a connection can report one, so a failed file is asked for as well. */
const LOOKS_EVERY_MS = 60_000;
/** After a longer offline time, playback does not resume by itself, because a sudden sound would startle. */
const WAITS_FOR_NETWORK_MS = 30 * 60_000;

/** Diagnoses why a file does not load and recovers it. */
export function createRecovery(parts: RecoveryParts) {
  const {
    clock,
    network,
    fetch,
    refreshAccess,
    elsewhere,
    moveTo,
    file,
    position,
    buffered,
    reload,
    fail,
    wantsPlay,
    retry,
    onReconnecting,
  } = parts;
  const retries = createRetry(clock, network);
  const stallWatch = createStallWatch(clock, onStall);
  let failedAt = 0;
  // Access was already renewed for this failure; a second refusal is final.
  let wasRefreshed = false;
  // The file was already loaded again at once for this failure.
  let wasReloaded = false;
  let looks = { without: 0, buffered: 0 };
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
    retries.reset();
    stay();
    wasRefreshed = false;
    wasReloaded = false;
    looks = { without: 0, buffered: 0 };
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
    const src = file();
    const answer = src === null ? 'reachable' : await askRoute(src);
    if (!isStillSo()) return;
    if (answer === 'reachable') {
      looks = { without: buffered() > looks.buffered ? 1 : looks.without + 1, buffered: buffered() };
      if (looks.without < DEAD_AFTER_LOOKS) return;
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
    /** Reports whether the element waits for data; a long wait is diagnosed. */
    watch: (isWaiting: boolean) => stallWatch.update(isWaiting && !retries.isScheduled()),
    endWatch: stallWatch.end,
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
      if ((retries.attempts > 0 || wasRefreshed || wasReloaded) && position() > failedAt + MENDED_AFTER_SECONDS)
        clear();
    },
  };
}
