import type { Clock } from '../clock.ts';
import {
  clearLocalQueue,
  storeNewTracks,
  readLocalBase,
  readLocalPosition,
  readLocalQueue,
  saveLocalQueue,
  savePosition,
  type LocalPosition,
  type QueueTracks,
} from './local-queue.ts';
import type { Notice } from '../notices.ts';
import type { PreferenceStore } from '../stored.ts';
import type { Queue } from './queue.ts';
import type { Track } from '../track.ts';
import { type SyncEffect, type SyncEvent, type SyncState, reduce, signedOut } from './queue-sync-state.ts';
import { type Network, afterOrOnline, retryDelay } from '../network.ts';
import { type QueueServer, type RestoredQueue, withoutPreview } from './saved-queue.ts';

/** Spec §4: persisted at most every 1000 ms. */
const SAVE_EVERY_MS = 1000;

/** Queue, position and origin of the current list. */
export type CurrentQueue = {
  queue: Queue;
  /** Position in the head in seconds; `position` is the same as a fraction of its duration. */
  seconds: number;
  position: number;
  /** The listener started this list on this page: it wins over the saved queue. */
  isOwnList: boolean;
};

type QueueSyncParts = {
  clock: Clock;
  network: Network;
  store: PreferenceStore;
  tracks: QueueTracks;
  server: QueueServer | undefined;
  currentQueue: () => CurrentQueue;
  /** A saved queue replaces the current one; a playing audio continues in front of it. */
  adopt: (restored: Pick<RestoredQueue, 'queue' | 'position'>, localPosition?: LocalPosition) => void;
  /** Runs after `adopt`, when changes of the queue count as the listener's again. */
  onAdopted: () => void;
  notify: (notice: Notice) => void;
};

export type QueueSync = ReturnType<typeof createQueueSync>;

/**
 * Stores a logged-in listener's queue locally and sends it to the server: one request at a time, with later changes sent
 * together after it. Each save names its base version, so an older device adopts the newer queue. The rules are in
 * `queue-sync-state.ts`; time, requests and storage are here.
 */
export function createQueueSync({
  clock,
  network,
  store,
  tracks,
  server,
  currentQueue,
  adopt,
  onAdopted,
  notify,
}: QueueSyncParts) {
  const stores = { store, tracks };
  let state: SyncState = signedOut;
  let owner: string | null = null;
  let isStored = true;
  let isAdopting = false;
  let positionStoredAt = Number.NEGATIVE_INFINITY;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let lastRequest: Promise<void> = Promise.resolve();
  let stopTimer: (() => void) | null = null;
  let endRetry = () => {};
  // Increments when the listener changes, so that late answers for the previous one are ignored.
  let generation = 0;

  function dispatch(event: SyncEvent) {
    const [next, ...effects] = reduce(state, event);
    state = next;
    effects.forEach(run);
  }

  function run(effect: SyncEffect) {
    switch (effect.do) {
      case 'get':
        loadedAt = clock.now();
        return request(
          () => server?.get(),
          (remote) => {
            const isFromThisBrowser = owner !== null && readLocalBase(store, owner) === remote.version;
            dispatch({ type: 'loaded', remote, isFromThisBrowser });
          },
        );
      case 'put': {
        const { sent, saved, base, isLeaving } = effect;
        return request(
          () => server?.put(saved, base, isLeaving),
          (outcome) => dispatch({ type: 'saved', sent, outcome }),
        );
      }
      case 'adopt':
        isAdopting = true;
        adopt(effect.restored, effect.localPosition);
        isAdopting = false;
        dispatch({ type: 'adopted', queue: withoutPreview(currentQueue().queue) });
        storeNewTracks(stores, state.queue);
        return onAdopted();
      case 'schedule':
        return schedule();
      case 'retry':
        endRetry = afterOrOnline(clock, network, retryDelay(effect.failures), resume);
        return;
      case 'end-retry':
        return endRetry();
      case 'notify':
        return notify(effect.notice);
    }
  }

  function request<Answer>(call: () => Promise<Answer> | undefined, onAnswer: (answer: Answer) => void) {
    const requestGeneration = generation;
    const ifCurrent = (act: () => void) => () => requestGeneration === generation && act();
    lastRequest = (call() ?? Promise.reject(new Error('no server'))).then(
      (answer) => void ifCurrent(() => onAnswer(answer))(),
      () => void ifCurrent(() => dispatch({ type: 'failed' }))(),
    );
  }

  /** Stores and sends one second after the first change, however many follow. */
  function schedule() {
    isStored = false;
    stopTimer ??= clock.after(SAVE_EVERY_MS, () => {
      stopTimer = null;
      storeQueue();
      send(false);
    });
  }

  function storeQueue() {
    if (owner === null || isStored) return;
    isStored = true;
    const { queue, base, isSent, unanswered } = state;
    saveLocalQueue(stores, owner, { queue, base, isSent, unanswered });
  }

  function storePosition() {
    const { queue, seconds } = currentQueue();
    const [head] = queue.list;
    if (owner === null || !head) return;
    positionStoredAt = clock.now();
    savePosition(store, owner, { id: head.id, seconds });
  }

  function send(isLeaving: boolean) {
    if (server) dispatch({ type: 'save', position: currentQueue().position, isLeaving });
  }

  function resume() {
    if (server) dispatch({ type: 'resume', position: currentQueue().position });
  }

  return {
    /**
     * On log-in: restores the listener's stored queue, then asks the server.
     * @param user the listener's id
     * @param added by hand since the log-in
     */
    connect(user: string, added: readonly Track[] = []) {
      owner = user;
      const { queue, isOwnList } = currentQueue();
      const local = readLocalQueue(stores, user);
      const localPosition = readLocalPosition(store, user);
      dispatch({ type: 'connected', queue: withoutPreview(queue), added, local, localPosition, isOwnList });
      if (server) dispatch({ type: 'load' });
    },
    /** On log-out: removes the account's data from this browser. The caller empties the queue. */
    disconnect() {
      generation += 1;
      owner = null;
      endRetry();
      stopTimer?.();
      stopTimer = null;
      dispatch({ type: 'disconnected' });
      clearLocalQueue(stores);
    },
    /** The local queue has changed. @param isOwnList the listener started this list */
    changed(to: Queue, isOwnList: boolean) {
      if (isAdopting) return;
      dispatch({ type: 'changed', queue: withoutPreview(to), isOwnList });
      if (owner !== null) storeNewTracks(stores, state.queue);
    },
    positionChanged() {
      if (clock.now() - positionStoredAt >= SAVE_EVERY_MS) storePosition();
    },
    /** The page is visible again: another device may have changed the queue. */
    refresh() {
      if (clock.now() - loadedAt >= SAVE_EVERY_MS || state.phase === 'retrying') resume();
    },
    /** On page hide or unload: stores and sends without waiting. */
    flush() {
      storeQueue();
      storePosition();
      send(true);
    },
    /** Sends pending changes after the running request. @returns settles when both are answered */
    async settle(): Promise<void> {
      await lastRequest;
      send(true);
      await lastRequest;
    },
  };
}
