import { type PreferenceStore, isRecord, readRecord } from '../stored.ts';
import type { Queue } from './queue.ts';
import { type SavedQueue, fromSaved, toSaved } from './saved-queue.ts';
import type { Track } from '../track.ts';

/**
 * The audios in the stored queue. Stored separately and encrypted, because the browser's files must not reveal their
 * titles; the queue itself holds ids only.
 */
export type QueueTracks = {
  /** Undefined for an audio that was not stored or is unreadable. */
  find(id: string): Track | undefined;
  /** Replaces everything stored; an empty list removes it. */
  save(tracks: readonly Track[]): void;
};

/** The locally stored queue, so that a reload does not wait for the server. */
export type LocalQueue = {
  queue: Queue;
  /** Server version that this queue is based on; null when unknown. */
  base: number | null;
  /** Whether the server has this queue. */
  isSent: boolean;
  /** Unanswered saves: the server may have stored any of them, or none. */
  unanswered: readonly SavedQueue[];
};

/** Position in the head; stored separately, since it changes every second and the queue may be long. */
export type LocalPosition = { id: string; seconds: number };

const QUEUE_KEY = 'sotto_queue';
const POSITION_KEY = 'sotto_queue_place';

/** Storage of the queue, and of the audios that it names. */
export type QueueStores = { store: PreferenceStore; tracks: QueueTracks };

/** @param owner id of the listener whose queue it is */
export function saveLocalQueue({ store, tracks }: QueueStores, owner: string, { queue, ...stored }: LocalQueue): void {
  store.set(QUEUE_KEY, JSON.stringify({ ...stored, owner, saved: toSaved(queue, 0) }));
  tracks.save(tracksOf(queue));
}

/** Stores new audios before the queue itself, because encrypting them may outlast a closing page. */
export function storeNewTracks({ tracks }: Pick<QueueStores, 'tracks'>, queue: Queue): void {
  const all = tracksOf(queue);
  if (all.some(({ id }) => tracks.find(id) === undefined)) tracks.save(all);
}

/** The stored queue of this listener; unreadable parts become defaults. */
export function readLocalQueue({ store, tracks }: QueueStores, owner: string): LocalQueue | undefined {
  const stored = readRecord(store.get(QUEUE_KEY));
  if (stored['owner'] !== owner) return undefined;
  const { queue, missing } = fromSaved(stored['saved'], tracks.find);
  const { base, unanswered } = stored;
  return {
    queue,
    // With missing audios it has no version, so that the site's queue replaces it.
    base: typeof base === 'number' && missing === 0 ? base : null,
    // An unreadable queue reads as empty or short and must not be sent to the server.
    isSent: stored['isSent'] !== false || !isRecord(stored['saved']) || missing > 0,
    unanswered: (Array.isArray(unanswered) ? unanswered : []).map((sent) =>
      toSaved(fromSaved(sent, tracks.find).queue, 0),
    ),
  };
}

/**
 * Version of the site's queue that this browser stored last, perhaps in another tab, with audios that this tab lacks.
 */
export function readLocalBase(store: PreferenceStore, owner: string): unknown {
  const stored = readRecord(store.get(QUEUE_KEY));
  return stored['owner'] === owner ? stored['base'] : undefined;
}

export function savePosition(store: PreferenceStore, owner: string, position: LocalPosition): void {
  store.set(POSITION_KEY, JSON.stringify({ ...position, owner }));
}

export function readLocalPosition(store: PreferenceStore, owner: string): LocalPosition | undefined {
  const { owner: stored, id, seconds } = readRecord(store.get(POSITION_KEY));
  const isValid = stored === owner && typeof id === 'string' && typeof seconds === 'number' && seconds >= 0;
  return isValid ? { id, seconds } : undefined;
}

export function clearLocalQueue({ store, tracks }: QueueStores): void {
  store.set(QUEUE_KEY, '');
  store.set(POSITION_KEY, '');
  tracks.save([]);
}

function tracksOf({ played, list }: Queue): Track[] {
  return [...new Map([...played, ...list].map((track) => [track.id, track])).values()];
}

export function isTrack(value: unknown): value is Track {
  if (!isRecord(value) || !isRecord(value['voice'])) return false;
  const { voice, imageUrl, color, isFree, numberDuration } = value;
  const texts = [value['id'], value['slug'], value['title'], value['audioFileUrl'], value['source']];
  return (
    [...texts, voice['id'], voice['name'], voice['slug']].every((text) => typeof text === 'string') &&
    [imageUrl, color].every((text) => text === null || typeof text === 'string') &&
    typeof isFree === 'boolean' &&
    typeof numberDuration === 'number'
  );
}
