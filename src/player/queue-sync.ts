import type { Clock } from './clock.ts';
import { forgetKept, keepPlace, keepQueue, readKeptPlace, readKeptQueue } from './kept-queue.ts';
import type { KeptPlace } from './kept-queue.ts';
import type { Notice } from './notices.ts';
import type { PreferenceStore } from './preferences.ts';
import { add, emptyQueue } from './queue.ts';
import type { Queue } from './queue.ts';
import type { PutOutcome, QueueServer, RemoteQueue } from './queue-server.ts';
import type { Network } from './recovery.ts';
import { retryDelay } from './recovery.ts';
import { chosenPart, fromSaved, isSameSaved, toSaved } from './saved-queue.ts';
import type { RestoredQueue, SavedQueue } from './saved-queue.ts';
import type { Track } from './track.ts';

/** Spec §4: persisted at most every 1000 ms. */
const SAVE_EVERY_MS = 1000;
const MOST_UNANSWERED = 3;

/** What stands in the player. */
export type Standing = {
  queue: Queue;
  /** Of the head; `position` is the same as a fraction of its duration. */
  seconds: number;
  position: number;
  /** The listener started this list on this page: it wins over what was saved before. */
  isOwnList: boolean;
};

type QueueSyncParts = {
  clock: Clock;
  network: Network;
  store: PreferenceStore;
  server: QueueServer | undefined;
  standing: () => Standing;
  /** A saved queue takes the place of what stands; what plays, plays on in front of it. */
  take: (restored: Pick<RestoredQueue, 'queue' | 'position'>, place?: KeptPlace) => void;
  tell: (notice: Notice) => void;
};

/**
 * Decides when the queue of a logged-in listener is kept here and sent to the server. One request at a time; what changes
 * meanwhile goes out together after it. Each save says which version it follows on, so that two devices never overwrite
 * each other without a word: the older one takes the newer one's queue.
 */
export function createQueueSync({ clock, network, store, server, standing, take, tell }: QueueSyncParts) {
  let owner: string | null = null;
  let queue = emptyQueue;
  let base: number | null = null;
  let isSent = true;
  // Sent without an answer: the server may have them or not.
  let unanswered: readonly SavedQueue[] = [];
  let isKept = true;
  // Added by hand before the server's queue was known: they go into that one too.
  let added: readonly Track[] = [];
  let placeKeptAt = Number.NEGATIVE_INFINITY;
  // The server's version is known; before that nothing is sent.
  let isLoaded = false;
  let isAsking = false;
  let answered: Promise<void> = Promise.resolve();
  let isTaking = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let attempts = 0;
  let stopTimer: (() => void) | null = null;
  let stopRetry: (() => void) | null = null;
  // Grows with each change of listener, so that a late answer for the one before is known as such.
  let generation = 0;

  function write() {
    if (owner === null || isKept) return;
    isKept = true;
    keepQueue(store, owner, { queue, base, isSent, unanswered });
  }

  function writePlace() {
    const { queue: now, seconds } = standing();
    const [head] = now.list;
    if (owner === null || !head) return;
    placeKeptAt = clock.now();
    keepPlace(store, owner, { id: head.id, seconds });
  }

  /** A second after the first change, however many follow. */
  function schedule() {
    stopTimer ??= clock.after(SAVE_EVERY_MS, () => {
      stopTimer = null;
      write();
      send(false);
    });
  }

  function note(changed: { queue?: Queue; base?: number; isSent?: boolean; unanswered?: readonly SavedQueue[] }) {
    ({ queue, base, isSent, unanswered } = { queue, base, isSent, unanswered, ...changed });
    isKept = false;
    schedule();
  }

  function handOver(restored: RestoredQueue, place?: KeptPlace) {
    isTaking = true;
    take(restored, place);
    isTaking = false;
    queue = chosenPart(standing().queue);
  }

  function takeRemote(remote: RemoteQueue, isNews: boolean) {
    const tracks = new Map(remote.tracks.map((track) => [track.id, track]));
    const restored = fromSaved(remote.queue, (id) => tracks.get(id));
    const missing = remote.dropped + restored.missing;
    handOver({ ...restored, queue: added.reduce(add, restored.queue) });
    // What is left out here is to be left out there as well, or each page would be told of it again.
    note({ base: remote.version, isSent: missing === 0 && added.length === 0, unanswered: [] });
    added = [];
    if (missing > 0) tell({ kind: 'dropped-from-queue', count: missing });
    if (isNews) tell({ kind: 'queue-on-other-device-newer' });
  }

  /** Whether the server holds what stands here, or what was sent from here without an answer. */
  function isOurs(remote: RemoteQueue): boolean {
    if (remote.dropped > 0) return false;
    return [toSaved(queue, 0), ...unanswered].some((ours) => isSameSaved(remote.queue, ours));
  }

  /** Another tab saved it: no other device did anything. */
  function isOfThisBrowser({ version }: RemoteQueue): boolean {
    return owner !== null && readKeptQueue(store, owner)?.base === version;
  }

  function keepOurs(remote: RemoteQueue) {
    note({ base: remote.version, isSent: isSameSaved(remote.queue, toSaved(queue, 0)), unanswered: [] });
  }

  function onLoaded(remote: RemoteQueue) {
    const isFirst = !isLoaded;
    isLoaded = true;
    if (isFirst && standing().isOwnList) return keepOurs(remote);
    if (remote.version === base && remote.dropped === 0) return;
    const isNothingThere = remote.version === 0 || (base === null && remote.queue.list.length === 0);
    if (isOurs(remote) || isNothingThere) return keepOurs(remote);
    const isNews = base !== null && remote.version !== base && !(isFirst && isSent);
    takeRemote(remote, isNews && !(isSent && isOfThisBrowser(remote)));
  }

  function onPut(sent: Queue, outcome: PutOutcome) {
    if (outcome.ok) return note({ base: outcome.version, isSent: queue === sent, unanswered: [] });
    if (outcome.reason === 'refused') return note({ isSent: queue === sent, unanswered: [] });
    if (isOurs(outcome.newest)) return keepOurs(outcome.newest);
    takeRemote(outcome.newest, true);
  }

  function send(isLeaving: boolean) {
    if (!server || owner === null || !isLoaded || isSent || isAsking || stopRetry) return;
    const sent = queue;
    const saved = toSaved(sent, standing().position);
    unanswered = [...unanswered, saved].slice(-MOST_UNANSWERED);
    answered = ask(server.put(saved, base ?? 0, isLeaving), (outcome) => onPut(sent, outcome));
  }

  function load() {
    if (!server || owner === null || isAsking || stopRetry) return;
    askedAt = clock.now();
    answered = ask(server.get(), onLoaded);
  }

  /** One at a time; `onAnswer` runs only when the answer still matters. */
  async function ask<A>(request: Promise<A>, onAnswer: (answer: A) => void) {
    const asked = generation;
    isAsking = true;
    const answer = await request.then(
      (value) => ({ value }),
      () => undefined,
    );
    if (asked !== generation) return;
    isAsking = false;
    if (answer === undefined) return retryLater();
    attempts = 0;
    onAnswer(answer.value);
    if (!isSent) schedule();
  }

  function endRetry() {
    stopRetry?.();
    stopRetry = null;
  }

  function again() {
    endRetry();
    if (isLoaded && !isSent) send(false);
    else load();
  }

  function retryLater() {
    const stopDelay = clock.after(retryDelay(attempts), again);
    attempts += 1;
    const stopNetwork = network.subscribe(again);
    stopRetry = () => {
      stopDelay();
      stopNetwork();
    };
  }

  function end() {
    generation += 1;
    owner = null;
    isLoaded = false;
    isAsking = false;
    attempts = 0;
    added = [];
    endRetry();
    stopTimer?.();
    stopTimer = null;
  }

  return {
    /** A listener is logged in: what was kept for them comes back, then the server is asked. @param user their id */
    connect(user: string) {
      end();
      owner = user;
      const kept = readKeptQueue(store, user);
      queue = chosenPart(standing().queue);
      base = kept?.base ?? null;
      unanswered = kept?.unanswered ?? [];
      isSent = queue.list.length === 0;
      if (kept && !standing().isOwnList) {
        if (kept.queue.list.length > 0)
          handOver({ queue: kept.queue, position: 0, missing: 0 }, readKeptPlace(store, user));
        isSent = kept.isSent;
      }
      load();
    },
    /** Logged out: nothing of the account is left in this browser. The caller empties the queue. */
    disconnect() {
      end();
      forgetKept(store);
    },
    /** The queue here has changed. */
    changed(to: Queue) {
      const chosen = chosenPart(to);
      if (owner === null || isTaking || chosen === queue) return;
      if (!isLoaded) added = addedBetween(queue, chosen, added);
      note({ queue: chosen, isSent: isSent && isSameSaved(toSaved(chosen, 0), toSaved(queue, 0)) });
    },
    /** The head's place has changed. */
    moved() {
      if (owner !== null && clock.now() - placeKeptAt >= SAVE_EVERY_MS) writePlace();
    },
    /** The page is seen again: another device may have changed the queue. What is not sent yet goes first. */
    refresh() {
      if (clock.now() - askedAt >= SAVE_EVERY_MS || stopRetry) again();
    },
    /** The page is hidden or left: keeps and sends without waiting. */
    flush() {
      write();
      writePlace();
      send(true);
    },
    /** What waits is sent once what is under way has its answer. @returns settled when that was answered too */
    async settle(): Promise<void> {
      await answered;
      send(true);
      await answered;
    },
    dispose: end,
  };
}

function addedBetween(before: Queue, after: Queue, earlier: readonly Track[]): readonly Track[] {
  const stood = new Set(before.list.map((track) => track.id));
  const stands = new Set(after.list.map((track) => track.id));
  const now = after.list.filter((track) => track.source === 'queue' && !stood.has(track.id));
  return [...earlier.filter((track) => stands.has(track.id)), ...now];
}
