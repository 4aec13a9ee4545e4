import type { LocalPosition, LocalQueue } from './local-queue.ts';
import type { Notice } from '../notices.ts';
import { type Queue, add, emptyQueue } from './queue.ts';
import {
  type PutOutcome,
  type RemoteQueue,
  type RestoredQueue,
  type SavedQueue,
  fromSaved,
  isSameSaved,
  toSaved,
} from './saved-queue.ts';
import type { Track } from '../track.ts';

const MAX_UNANSWERED = 3;

export type SyncState = {
  /**
   * - signed-out: visitors have no saved queue - ready: no request is running - requesting: one request is running, and
   * only one at a time - retrying: the last request failed; the next one waits for a timer or for the network
   */
  phase: 'signed-out' | 'ready' | 'requesting' | 'retrying';
  /** The server's version is known; nothing is sent before. */
  isLoaded: boolean;
  queue: Queue;
  /** Server version that the queue is based on; null when unknown. */
  base: number | null;
  isSent: boolean;
  /** The listener started this list on this page, and it is not saved yet: it wins over another device's queue. */
  isOwnList: boolean;
  /** Unanswered saves: the server may have stored them. */
  unanswered: readonly SavedQueue[];
  /** Added by hand before the server's queue arrived: they are added to that one too. */
  added: readonly Track[];
  failures: number;
};

export const signedOut: SyncState = {
  phase: 'signed-out',
  isLoaded: false,
  queue: emptyQueue,
  base: null,
  isSent: true,
  isOwnList: false,
  unanswered: [],
  added: [],
  failures: 0,
};

export type SyncEvent =
  /** A log-in. `localPosition` is the position in the head of `local`. @property added by hand since, and in `queue` already */
  | {
      type: 'connected';
      queue: Queue;
      added?: readonly Track[];
      local?: LocalQueue | undefined;
      localPosition?: LocalPosition | undefined;
      isOwnList: boolean;
    }
  | { type: 'disconnected' }
  /** The listener changed the queue. @property isOwnList by starting this list */
  | { type: 'changed'; queue: Queue; isOwnList: boolean }
  /** The player has adopted a restored queue; `queue` is the result. */
  | { type: 'adopted'; queue: Queue }
  /** @property position of the head, 0 to 1 */
  | { type: 'save'; position: number; isLeaving: boolean }
  | { type: 'load' }
  /** The delay after a failure has ended, or the page is visible again: unsent changes go first. */
  | { type: 'resume'; position: number }
  | { type: 'loaded'; remote: RemoteQueue; isFromThisBrowser: boolean }
  | { type: 'saved'; sent: Queue; outcome: PutOutcome }
  | { type: 'failed' };

export type SyncEffect =
  | { do: 'get' }
  | { do: 'put'; sent: Queue; saved: SavedQueue; base: number; isLeaving: boolean }
  /** Give the player this queue; answered by `adopted`. */
  | { do: 'adopt'; restored: RestoredQueue; localPosition?: LocalPosition | undefined }
  /** Store the queue locally and send it, a second from now. */
  | { do: 'schedule' }
  | { do: 'retry'; failures: number }
  | { do: 'end-retry' }
  | { do: 'notify'; notice: Notice };

type Step = [SyncState, ...SyncEffect[]];

/** The rules for syncing a queue with the server's. Pure: times, requests and storage are effects. */
export function reduce(state: SyncState, event: SyncEvent): Step {
  if (event.type === 'connected') return connect(event);
  if (event.type === 'disconnected') return [signedOut];
  if (state.phase === 'signed-out') return [state];
  switch (event.type) {
    case 'changed':
      return change(state, event);
    case 'adopted':
      return [{ ...state, queue: event.queue }];
    case 'save':
      return save(state, event);
    case 'load':
      return state.phase === 'ready' ? [{ ...state, phase: 'requesting' }, { do: 'get' }] : [state];
    case 'resume':
      return resume(state, event.position);
    case 'loaded':
      return afterAnswer(onLoaded({ ...state, phase: 'ready', failures: 0 }, event));
    case 'saved':
      return afterAnswer(onSaved({ ...state, phase: 'ready', failures: 0 }, event.sent, event.outcome));
    case 'failed':
      return [
        { ...state, phase: 'retrying', failures: state.failures + 1 },
        { do: 'retry', failures: state.failures },
      ];
  }
}

function connect({
  queue,
  added = [],
  local,
  localPosition,
  isOwnList,
}: Extract<SyncEvent, { type: 'connected' }>): Step {
  const state: SyncState = {
    ...signedOut,
    phase: 'ready',
    queue,
    added,
    base: local?.base ?? null,
    unanswered: local?.unanswered ?? [],
    isSent: queue.list.length === 0,
    isOwnList: isOwnList && queue.list.length > 0,
  };
  if (local === undefined || isOwnList) return [state];
  const restored = { ...state, isSent: local.isSent };
  if (local.queue.list.length === 0) return [restored];
  return [restored, { do: 'adopt', restored: { queue: local.queue, position: 0, missing: 0 }, localPosition }];
}

function change(state: SyncState, { queue, ...event }: Extract<SyncEvent, { type: 'changed' }>): Step {
  if (queue === state.queue) return [state];
  // The preview counts as an empty queue, which replaces nothing.
  const isOwnList = event.isOwnList && queue.list.length > 0;
  const added = state.isLoaded ? state.added : addedBetween(state.queue, queue, state.added);
  // A started list is sent even when it was saved before: another device may have saved another queue since.
  const isSent = !isOwnList && state.isSent && isSameSaved(toSaved(queue, 0), toSaved(state.queue, 0));
  return [{ ...state, queue, added, isSent, isOwnList: isOwnList || state.isOwnList }, { do: 'schedule' }];
}

function save(state: SyncState, { position, isLeaving }: { position: number; isLeaving: boolean }): Step {
  const { phase, isLoaded, isSent, queue, base } = state;
  if (phase !== 'ready' || !isLoaded || isSent) return [state];
  const saved = toSaved(queue, position);
  const unanswered = [...state.unanswered, saved].slice(-MAX_UNANSWERED);
  return [
    { ...state, phase: 'requesting', unanswered },
    { do: 'put', sent: queue, saved, base: base ?? 0, isLeaving },
  ];
}

function resume(state: SyncState, position: number): Step {
  const ready: SyncState = state.phase === 'retrying' ? { ...state, phase: 'ready' } : state;
  const [next, ...effects] =
    state.isLoaded && !state.isSent ? save(ready, { position, isLeaving: false }) : reduce(ready, { type: 'load' });
  return [next, { do: 'end-retry' }, ...effects];
}

/** Schedules a save for changes made during the request. */
function afterAnswer([state, ...effects]: Step): Step {
  return state.isSent ? [state, ...effects] : [state, ...effects, { do: 'schedule' }];
}

function onLoaded(before: SyncState, { remote, isFromThisBrowser }: Extract<SyncEvent, { type: 'loaded' }>): Step {
  const isFirst = !before.isLoaded;
  const state = { ...before, isLoaded: true };
  const { base, isSent } = state;
  // Unsent changes are saved first; the next answer says again what was dropped.
  if (remote.version === base && (remote.dropped === 0 || !isSent)) return [state];
  if (state.isOwnList) return keepLocal(state, remote);
  const isRemoteEmpty = remote.version === 0 || (base === null && remote.queue.list.length === 0);
  if (isOwnQueue(state, remote) || isRemoteEmpty) return keepLocal(state, remote);
  const isNews = base !== null && remote.version !== base && !(isFirst && isSent);
  return adoptRemote(state, remote, isNews && !(isSent && isFromThisBrowser));
}

function onSaved(state: SyncState, sent: Queue, outcome: PutOutcome): Step {
  const isSent = state.queue === sent;
  const done: SyncState = { ...state, isSent, isOwnList: state.isOwnList && !isSent, unanswered: [] };
  if (outcome.ok) return [{ ...done, base: outcome.version }, { do: 'schedule' }];
  if (outcome.reason === 'refused') return [done, { do: 'schedule' }];
  if (state.isOwnList || isOwnQueue(state, outcome.newest)) return keepLocal(state, outcome.newest);
  return adoptRemote(state, outcome.newest, true);
}

/** The server holds this queue, or an unanswered one sent from here. */
function isOwnQueue({ queue, unanswered }: SyncState, remote: RemoteQueue): boolean {
  if (remote.dropped > 0) return false;
  return [toSaved(queue, 0), ...unanswered].some((ours) => isSameSaved(remote.queue, ours));
}

function keepLocal(state: SyncState, remote: RemoteQueue): Step {
  const isSent = isSameSaved(remote.queue, toSaved(state.queue, 0));
  const isOwnList = state.isOwnList && !isSent;
  return [{ ...state, base: remote.version, isSent, isOwnList, unanswered: [] }, { do: 'schedule' }];
}

function adoptRemote(state: SyncState, remote: RemoteQueue, isNews: boolean): Step {
  const { added } = state;
  const tracks = new Map(remote.tracks.map((track) => [track.id, track]));
  const restored = fromSaved(remote.queue, (id) => tracks.get(id));
  const missing = remote.dropped + restored.missing;
  const notices: Notice[] = [];
  if (missing > 0) notices.push({ kind: 'dropped-from-queue', count: missing });
  if (isNews) notices.push({ kind: 'queue-on-other-device-newer' });
  return [
    // Save the queue without the missing audios, or each page would show the notice again.
    { ...state, base: remote.version, isSent: missing === 0 && added.length === 0, unanswered: [], added: [] },
    { do: 'adopt', restored: { ...restored, queue: added.reduce(add, restored.queue) } },
    { do: 'schedule' },
    ...notices.map((notice) => ({ do: 'notify', notice }) as const),
  ];
}

function addedBetween(before: Queue, after: Queue, earlier: readonly Track[]): readonly Track[] {
  const present = new Set(after.list.map((track) => track.id));
  const existing = new Set([...before.list, ...earlier].map((track) => track.id));
  const now = after.list.filter((track) => track.source === 'queue' && !existing.has(track.id));
  return [...earlier.filter((track) => present.has(track.id)), ...now];
}
