import type { PreferenceStore } from './preferences.ts';
import type { Queue } from './queue.ts';
import { fromSaved, isRecord, toSaved } from './saved-queue.ts';
import type { SavedQueue } from './saved-queue.ts';
import type { Track } from './track.ts';

/** The locally stored queue with its audios, so that a reload does not wait for the server. */
export type LocalQueue = {
  queue: Queue;
  /** Server version that this queue is based on; null when unknown. */
  base: number | null;
  /** Whether the server has this queue. */
  isSent: boolean;
  /** Saves without an answer: the server may have stored any of them, or none. */
  unanswered: readonly SavedQueue[];
};

/** Position in the head; stored separately, since it changes every second and the queue may be long. */
export type LocalPosition = { id: string; seconds: number };

const QUEUE_KEY = 'sotto_queue';
const PLACE_KEY = 'sotto_queue_place';

/** @param owner id of the listener whose queue it is */
export function saveLocalQueue(store: PreferenceStore, owner: string, { queue, ...kept }: LocalQueue): void {
  const tracks = [...new Map([...queue.played, ...queue.list].map((track) => [track.id, track])).values()];
  store.set(QUEUE_KEY, JSON.stringify({ ...kept, owner, saved: toSaved(queue, 0), tracks }));
}

/** The stored queue of this listener; unreadable parts become defaults. */
export function readLocalQueue(store: PreferenceStore, owner: string): LocalQueue | undefined {
  const kept = parse(store.get(QUEUE_KEY));
  if (kept['owner'] !== owner) return undefined;
  const tracks = new Map<string, Track>();
  for (const track of Array.isArray(kept['tracks']) ? kept['tracks'] : [])
    if (isTrack(track)) tracks.set(track.id, track);
  const find = (id: string) => tracks.get(id);
  const { queue } = fromSaved(kept['saved'], find);
  const { base, unanswered } = kept;
  return {
    queue,
    base: typeof base === 'number' ? base : null,
    // An unreadable queue reads as empty and must not be sent to the server.
    isSent: kept['isSent'] !== false || !isRecord(kept['saved']),
    unanswered: (Array.isArray(unanswered) ? unanswered : []).map((sent) => toSaved(fromSaved(sent, find).queue, 0)),
  };
}

export function savePosition(store: PreferenceStore, owner: string, place: LocalPosition): void {
  store.set(PLACE_KEY, JSON.stringify({ ...place, owner }));
}

export function readLocalPosition(store: PreferenceStore, owner: string): LocalPosition | undefined {
  const { owner: kept, id, seconds } = parse(store.get(PLACE_KEY));
  const isPlace = kept === owner && typeof id === 'string' && typeof seconds === 'number' && seconds >= 0;
  return isPlace ? { id, seconds } : undefined;
}

export function clearKept(store: PreferenceStore): void {
  store.set(QUEUE_KEY, '');
  store.set(PLACE_KEY, '');
}

function isTrack(value: unknown): value is Track {
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

function parse(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text || '{}');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
