import type { FailureCode } from './recovery/failure.ts';
import type { PlaybackStatus } from './playback.ts';
import { type Queue, emptyQueue } from './queue/queue.ts';
import type { Track } from './track.ts';

/** State of rows and player bar. A new object only when a field changes; the position is published separately. */
export type PlayerSnapshot = QueueView & {
  readonly current: Track | null;
  /** `idle` until the current audio is loaded. */
  readonly status: PlaybackStatus;
  /** Set exactly when `status` is `failed`. */
  readonly failure: FailureCode | null;
  readonly isPreview: boolean;
  readonly canNext: boolean;
  readonly canPrevious: boolean;
  readonly isDiscreet: boolean;
  /** Whether similar audios follow the end of the list. */
  readonly keepsPlaying: boolean;
};

/** The queue with derived values for lists; keeps its identity as long as the queue is the same. */
export type QueueView = {
  readonly queue: Queue;
  /** The items after the current audio, those added by hand first. */
  readonly upNext: readonly Track[];
  /** Ids of the whole queue, including the current audio: for the row actions Add and Remove. */
  readonly queuedIds: ReadonlySet<string>;
};

export function viewOf(queue: Queue): QueueView {
  return {
    queue,
    upNext: queue.list.slice(1),
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
