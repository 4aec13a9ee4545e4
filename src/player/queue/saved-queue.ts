import { type Queue, emptyQueue, QUEUE_LIMIT, replace } from './queue.ts';
import { isRecord } from '../stored.ts';
import type { Track } from '../track.ts';

/** An item of a saved queue; the reader finds the rest of the audio in the catalogue. */
export type SavedItem = { id: string; source: string };

/** A queue as the server stores it (spec §3 "Queue/player state"); the head is index 0, `played` is oldest first. */
export type SavedQueue = {
  list: SavedItem[];
  played: SavedItem[];
  listType: string | null;
  index: number;
  individualAddToQueueIndex: number;
  isIndividualQueueUpdate: boolean;
  position: number;
};

/** Answer of `GET /user/queue`; version 0 means "nothing saved yet". `tracks` are the audios that the queue names. */
export type RemoteQueue = { version: number; queue: SavedQueue; tracks: readonly Track[]; dropped: number };

export type PutOutcome =
  | { ok: true; version: number }
  /** 412: another device saved since; `newest` is the current queue. */
  | { ok: false; reason: 'newer'; newest: RemoteQueue }
  /** 400, 401, 403, 413: a retry would change nothing. */
  | { ok: false; reason: 'refused' };

/** `/user/queue`. Both reject on network errors, 5xx and 429; the caller then retries. */
export type QueueServer = {
  get(): Promise<RemoteQueue>;
  /** @param isLeaving the page is closing: the request must outlive it (`keepalive`, for bodies under 64 KB) */
  put(queue: SavedQueue, ifMatch: number, isLeaving: boolean): Promise<PutOutcome>;
};

/** `missing`: number of saved audios that are no longer available and were skipped. */
export type RestoredQueue = { queue: Queue; position: number; missing: number };

/** @param position position in the head, 0 to 1 */
export function toSaved(queue: Queue, position: number): SavedQueue {
  const { list, played, listType, index, individualAddToQueueIndex, isIndividualQueueUpdate } = withoutPreview(queue);
  return {
    list: list.map(toItem),
    played: played.map(toItem),
    listType,
    index,
    individualAddToQueueIndex,
    isIndividualQueueUpdate,
    position: list.length === 0 ? 0 : Math.min(Math.max(position, 0), 1),
  };
}

/** The listener did not choose the preview, so a queue with only the preview counts as empty. */
export function withoutPreview(queue: Queue): Queue {
  const isPreviewAlone = queue.list.length === 1 && queue.list[0]?.source === 'preview' && queue.played.length === 0;
  return isPreviewAlone ? emptyQueue : queue;
}

/**
 * Reads a saved queue from untrusted data. Invalid data gives an empty queue; invalid items, and those unknown to
 * `findTrack`, are skipped.
 */
export function fromSaved(saved: unknown, findTrack: (id: string) => Track | undefined): RestoredQueue {
  if (!isRecord(saved) || !Array.isArray(saved['list'])) return { queue: emptyQueue, position: 0, missing: 0 };
  const items: unknown[] = saved['list'].slice(0, QUEUE_LIMIT);
  const tracks = items.map((item) => findItem(item, findTrack));
  const seen = new Set<string>();
  const isIncluded = tracks.map(
    (track) => track !== undefined && !seen.has(track.id) && seen.add(track.id) !== undefined,
  );
  const list = tracks.filter((track, at) => track !== undefined && isIncluded[at]) as Track[];

  const queued = count(saved['individualAddToQueueIndex'], items.length);
  const rotated = count(saved['index'], items.length + QUEUE_LIMIT);
  const lostQueued = isIncluded.slice(0, queued).filter((isKept) => !isKept).length;
  const lostRotated = isIncluded.slice(Math.max(queued, items.length - rotated)).filter((isKept) => !isKept).length;
  const savedPlayed: unknown[] = Array.isArray(saved['played']) ? saved['played'].slice(-QUEUE_LIMIT) : [];
  const position = isIncluded[0] && typeof saved['position'] === 'number' ? saved['position'] : 0;
  return {
    queue: replace(emptyQueue, {
      list,
      played: savedPlayed.map((item) => findItem(item, findTrack)).filter((track) => track !== undefined),
      listType: typeof saved['listType'] === 'string' ? saved['listType'] : null,
      index: rotated - lostRotated,
      individualAddToQueueIndex: queued - lostQueued,
    }),
    position: position >= 0 && position <= 1 ? position : 0,
    missing: items.length - list.length,
  };
}

/** The same queue, ignoring the position in the head. */
export function isSameSaved(a: SavedQueue, b: SavedQueue): boolean {
  return (
    a.listType === b.listType &&
    a.index === b.index &&
    a.individualAddToQueueIndex === b.individualAddToQueueIndex &&
    areSameItems(a.list, b.list) &&
    areSameItems(a.played, b.played)
  );
}

function toItem({ id, source }: Track): SavedItem {
  return { id, source };
}

function findItem(item: unknown, findTrack: (id: string) => Track | undefined): Track | undefined {
  if (!isRecord(item) || typeof item['id'] !== 'string' || typeof item['source'] !== 'string') return undefined;
  const track = findTrack(item['id']);
  return track && { ...track, source: item['source'] };
}

function areSameItems(a: readonly SavedItem[], b: readonly SavedItem[]): boolean {
  return a.length === b.length && a.every((item, at) => item.id === b[at]?.id && item.source === b[at].source);
}

function count(value: unknown, max: number): number {
  return typeof value === 'number' && Number.isInteger(value) ? Math.min(Math.max(value, 0), max) : 0;
}
