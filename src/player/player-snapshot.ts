import type { FailureCode } from './failure.ts';
import type { PlaybackStatus } from './playback.ts';
import { emptyQueue } from './queue.ts';
import type { Queue } from './queue.ts';
import type { Track } from './track.ts';

/** What rows and the player bar show. A new object only when something in it has changed; position is told apart. */
export type PlayerSnapshot = QueueView & {
  readonly current: Track | null;
  /** `idle` as long as the current audio is not loaded. */
  readonly status: PlaybackStatus;
  /** Set exactly when `status` is `failed`. */
  readonly failure: FailureCode | null;
  /** The current audio is the preview. */
  readonly isPreview: boolean;
  readonly canNext: boolean;
  readonly canPrevious: boolean;
  readonly isDiscreet: boolean;
  /** At the end of the list it goes on with audios like the last one. */
  readonly keepsPlaying: boolean;
};

/** The queue with what lists ask of it; the same objects as long as the queue is the same. */
export type QueueView = {
  readonly queue: Queue;
  /** What comes after the current audio, those added by hand first. */
  readonly upNext: readonly Track[];
  /** So many at the beginning of `upNext` were added by hand. */
  readonly queuedCount: number;
  /** Ids of all that is in the queue, the current one too: for the row actions Add and Remove. */
  readonly queuedIds: ReadonlySet<string>;
};

export function viewOf(queue: Queue): QueueView {
  return {
    queue,
    upNext: queue.list.slice(1),
    queuedCount: Math.max(0, queue.individualAddToQueueIndex - 1),
    queuedIds: new Set(queue.list.map((track) => track.id)),
  };
}

export const idlePlayerSnapshot: PlayerSnapshot = {
  ...viewOf(emptyQueue),
  current: null,
  status: 'idle',
  failure: null,
  isPreview: false,
  canNext: false,
  canPrevious: false,
  isDiscreet: false,
  keepsPlaying: false,
};
