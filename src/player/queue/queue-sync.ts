import type { Clock } from '../clock.ts';
import {
  clearKept,
  hideTitles,
  keepNewTracks,
  readLocalBase,
  readLocalPosition,
  readLocalQueue,
  saveLocalQueue,
  savePosition,
} from './local-queue.ts';
import type { LocalPosition } from './local-queue.ts';
import type { Notice } from '../notices.ts';
import type { PreferenceStore } from '../preferences.ts';
import type { Queue } from './queue.ts';
import type { Track } from '../track.ts';
import type { QueueServer } from './queue-server.ts';
import type { QueueTracks } from './queue-tracks.ts';
import { reduce, signedOut } from './queue-sync-state.ts';
import type { SyncEffect, SyncEvent, SyncState } from './queue-sync-state.ts';
import type { Network } from '../network.ts';
import { retryDelay } from '../network.ts';
import { chosenPart } from './saved-queue.ts';
import type { RestoredQueue } from './saved-queue.ts';

/** Spec §4: persisted at most every 1000 ms. */
const SAVE_EVERY_MS = 1000;

/** Queue, position and origin of the current list. */
export type Standing = {
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
  standing: () => Standing;
  /** A saved queue replaces the current one; a playing audio continues in front of it. */
  take: (restored: Pick<RestoredQueue, 'queue' | 'position'>, place?: LocalPosition) => void;
  /** Runs after `take`, when a change of the queue counts as the listener's again. */
  onTaken: () => void;
  notify: (notice: Notice) => void;
};

export type QueueSync = ReturnType<typeof createQueueSync>;

/**
 * Stores a logged-in listener's queue locally and sends it to the server. One request at a time; changes meanwhile are
 * sent together after it. Each save names its base version, so the older device takes the newer queue. The rules are in
 * `queue-sync-state.ts`; here are time, requests and storage.
 */
export function createQueueSync({
  clock,
  network,
  store,
  tracks,
  server,
  standing,
  take,
  onTaken,
  notify,
}: QueueSyncParts) {
  const stores = { store, tracks };
  let state: SyncState = signedOut;
  let owner: string | null = null;
  let isStored = true;
  let isTaking = false;
  let placeStoredAt = Number.NEGATIVE_INFINITY;
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
            const isOfThisBrowser = owner !== null && readLocalBase(store, owner) === remote.version;
            dispatch({ type: 'loaded', remote, isOfThisBrowser });
          },
        );
      case 'put': {
        const { sent, saved, base, isLeaving } = effect;
        return request(
          () => server?.put(saved, base, isLeaving),
          (outcome) => dispatch({ type: 'saved', sent, outcome }),
        );
      }
      case 'take':
        isTaking = true;
        take(effect.restored, effect.place);
        isTaking = false;
        dispatch({ type: 'taken', queue: chosenPart(standing().queue) });
        keepNewTracks(stores, state.queue);
        return onTaken();
      case 'schedule':
        return schedule();
      case 'retry':
        return retryLater(effect.failures);
      case 'end-retry':
        return endRetry();
      case 'notify':
        return notify(effect.notice);
    }
  }

  function request<Answer>(ask: () => Promise<Answer> | undefined, onAnswer: (answer: Answer) => void) {
    const asked = generation;
    const settle = (act: () => void) => () => asked === generation && act();
    lastRequest = (ask() ?? Promise.reject(new Error('no server'))).then(
      (answer) => void settle(() => onAnswer(answer))(),
      () => void settle(() => dispatch({ type: 'failed' }))(),
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

  function storePlace() {
    const { queue, seconds } = standing();
    const [head] = queue.list;
    if (owner === null || !head) return;
    placeStoredAt = clock.now();
    savePosition(store, owner, { id: head.id, seconds });
  }

  function send(isLeaving: boolean) {
    if (server) dispatch({ type: 'save', position: standing().position, isLeaving });
  }

  function resume() {
    if (server) dispatch({ type: 'resume', position: standing().position });
  }

  function retryLater(failures: number) {
    const stopDelay = clock.after(retryDelay(failures), resume);
    const stopNetwork = network.subscribe(resume);
    endRetry = () => {
      stopDelay();
      stopNetwork();
    };
  }

  function end() {
    generation += 1;
    owner = null;
    endRetry();
    stopTimer?.();
    stopTimer = null;
    dispatch({ type: 'disconnected' });
  }

  return {
    /**
     * On log-in: restores the listener's stored queue, then asks the server.
     * @param user the listener's id
     * @param added by hand since the log-in
     */
    connect(user: string, added: readonly Track[] = []) {
      owner = user;
      const { queue, isOwnList } = standing();
      hideTitles(stores);
      const local = readLocalQueue(stores, user);
      const place = readLocalPosition(store, user);
      dispatch({ type: 'connected', queue: chosenPart(queue), added, local, place, isOwnList });
      if (server) dispatch({ type: 'load' });
    },
    /** On log-out: removes the account's data from this browser. The caller empties the queue. */
    disconnect() {
      end();
      clearKept(stores);
    },
    /** The local queue has changed. @param isOwnList the listener started this list */
    changed(to: Queue, isOwnList: boolean) {
      if (isTaking) return;
      dispatch({ type: 'changed', queue: chosenPart(to), isOwnList });
      if (owner !== null) keepNewTracks(stores, state.queue);
    },
    /** The head's position has changed. */
    moved() {
      if (clock.now() - placeStoredAt >= SAVE_EVERY_MS) storePlace();
    },
    /** The page is visible again: another device may have changed the queue. */
    refresh() {
      if (clock.now() - loadedAt >= SAVE_EVERY_MS || state.phase === 'retrying') resume();
    },
    /** On page hide or unload: stores and sends without waiting. */
    flush() {
      storeQueue();
      storePlace();
      send(true);
    },
    /** Sends pending changes after the running request. @returns settles when both are answered */
    async settle(): Promise<void> {
      await lastRequest;
      send(true);
      await lastRequest;
    },
    dispose: end,
  };
}
