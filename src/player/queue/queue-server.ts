import type { SavedQueue } from './saved-queue.ts';
import type { Track } from '../track.ts';

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
