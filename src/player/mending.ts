import type { Clock } from './clock.ts';
import { ask, classify, failureOf, isRefusal, withinLimit } from './failure.ts';
import type { Answer, FailureCode, FetchLike } from './failure.ts';
import { createRecovery } from './recovery.ts';
import type { Network } from './recovery.ts';
import { createStallWatch } from './stall-watch.ts';

type MendingParts = {
  clock: Clock;
  network: Network;
  fetch: FetchLike;
  refreshAccess: (() => Promise<boolean>) | undefined;
  file: () => string | null;
  /** Seconds: where it stands, and up to where the file is there. */
  position: () => number;
  buffered: () => number;
  /** Gives the element its file again, at the same second. */
  reload: () => void;
  fail: (failure: FailureCode) => void;
  /** Tries a failed file again. */
  retry: () => void;
  onReconnecting: (isReconnecting: boolean) => void;
};

/** Heard for so long after a reload, the connection counts as mended. */
const MENDED_AFTER_SECONDS = 5;
/** A file route that answers while so many looks in a row found no new data: the connection to the storage is dead. */
const DEAD_AFTER_LOOKS = 3;
/** Who lost the connection longer ago is not surprised by a sound when it comes back. */
const WAITS_FOR_NETWORK_MS = 30 * 60_000;

/** Finds out why a file does not come, and sees to it that it comes again. */
export function createMending(parts: MendingParts) {
  const { clock, network, fetch, refreshAccess, file, position, buffered, reload, fail, retry, onReconnecting } = parts;
  const recovery = createRecovery(clock, network);
  const stallWatch = createStallWatch(clock, onStall);
  let failedAt = 0;
  // Access was renewed for this trouble; a second refusal is final.
  let wasRefreshed = false;
  let looks = { without: 0, buffered: 0 };
  let stopWaiting: (() => void) | null = null;
  // Grows with each end of a trouble, so that an answer that comes late is known to be about another one.
  let generation = 0;

  function forget() {
    generation += 1;
    recovery.reset();
    stopWaiting?.();
    stopWaiting = null;
    wasRefreshed = false;
    looks = { without: 0, buffered: 0 };
  }

  function mended() {
    recovery.cancel();
    onReconnecting(false);
  }

  /** Whether a refusal may have been one of an address or a session that had expired, and no longer is. */
  async function isRenewed(answer: Answer): Promise<boolean> {
    if (!refreshAccess || wasRefreshed || !isRefusal(answer)) return false;
    wasRefreshed = true;
    return withinLimit(refreshAccess(), clock);
  }

  function reconnect(reason: FailureCode) {
    if (reason === 'network' && recovery.schedule(reload)) return onReconnecting(true);
    forget();
    if (reason === 'network') waitForNetwork();
    fail(reason);
  }

  /** Given up, but the machine may come back online, as after a long tunnel. */
  function waitForNetwork() {
    const since = clock.now();
    stopWaiting = network.subscribe(() => {
      if (clock.now() - since < WAITS_FOR_NETWORK_MS) retry();
    });
  }

  async function onStall(isStillSo: () => boolean) {
    const src = file();
    const answer = src === null ? 'reachable' : await ask(src, fetch, clock);
    if (!isStillSo()) return;
    if (answer === 'reachable') {
      looks = { without: buffered() > looks.buffered ? 1 : looks.without + 1, buffered: buffered() };
      if (looks.without < DEAD_AFTER_LOOKS) return;
    }
    const isWorthAnotherTry = await isRenewed(answer);
    if (!isStillSo()) return;
    failedAt = position();
    if (isWorthAnotherTry) reload();
    else reconnect(answer === 'reachable' ? 'network' : failureOf(answer));
  }

  return {
    forget,
    mended,
    isScheduled: recovery.isScheduled,
    /** Waiting that lasts is looked into. */
    watch: (isWaiting: boolean) => stallWatch.update(isWaiting && !recovery.isScheduled()),
    endWatch: stallWatch.end,
    /** The element has an error: asks the file route why. */
    async diagnose(mediaErrorCode: number) {
      const src = file();
      const asked = generation;
      failedAt = position();
      recovery.cancel();
      if (src === null) return;
      const answer = await ask(src, fetch, clock);
      if (asked !== generation) return;
      const isWorthAnotherTry = await isRenewed(answer);
      if (asked !== generation) return;
      if (isWorthAnotherTry) reload();
      else reconnect(classify(mediaErrorCode, answer, recovery.attempts));
    },
    /** Sound goes on: after a while the trouble is over. */
    heard() {
      if ((recovery.attempts > 0 || wasRefreshed) && position() > failedAt + MENDED_AFTER_SECONDS) forget();
    },
  };
}
