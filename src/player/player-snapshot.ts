import type { FailureCode } from './failure.ts';
import type { PlaybackStatus } from './playback.ts';
import { emptyQueue } from './queue.ts';
import type { Queue } from './queue.ts';
import type { Track } from './track.ts';

/** What rows and the player bar show. A new object only when something in it has changed; position is told apart. */
export type PlayerSnapshot = {
  readonly current: Track | null;
  /** `idle` as long as the current audio is not loaded. */
  readonly status: PlaybackStatus;
  /** Set exactly when `status` is `failed`. */
  readonly failure: FailureCode | null;
  readonly queue: Queue;
  /** The current audio is the preview. */
  readonly isPreview: boolean;
  readonly canNext: boolean;
  readonly canPrevious: boolean;
  readonly isDiscreet: boolean;
};

export const idlePlayerSnapshot: PlayerSnapshot = {
  current: null,
  status: 'idle',
  failure: null,
  queue: emptyQueue,
  isPreview: false,
  canNext: false,
  canPrevious: false,
  isDiscreet: false,
};
