import type { SavedQueue } from './saved-queue.ts';
import type { Track } from './track.ts';

/** As `GET /user/queue` answers; version 0 is "nothing saved yet". `tracks` are the audios that the queue names. */
export type RemoteQueue = { version: number; queue: SavedQueue; tracks: readonly Track[]; dropped: number };

export type PutOutcome =
  | { ok: true; version: number }
  /** 412: another device saved since; this is what stands there now. */
  | { ok: false; reason: 'newer'; newest: RemoteQueue }
  /** 400, 401, 403, 413: asking again would change nothing. */
  | { ok: false; reason: 'refused' };

/** `/user/queue`. Both reject when the server cannot be reached or is in trouble (5xx, 429); then it is asked again. */
export type QueueServer = {
  get(): Promise<RemoteQueue>;
  /** @param isLeaving the page goes: the request has to outlive it (`keepalive`, where the body is under 64 KB) */
  put(queue: SavedQueue, ifMatch: number, isLeaving: boolean): Promise<PutOutcome>;
};
