import type { FailureCode } from './recovery/failure.ts';

/**
 * `loading`: play was requested, no sound yet. `waiting`: playback stopped for lack of data. An audio loaded without
 * autoplay is also `paused`.
 */
export type PlaybackStatus = 'idle' | 'loading' | 'paused' | 'playing' | 'waiting' | 'ended' | 'failed';

export type EngineSnapshot = {
  readonly status: PlaybackStatus;
  /** Set exactly when `status` is `failed`. */
  readonly failure: FailureCode | null;
  /** Seconds, once the metadata is loaded. */
  readonly duration: number | null;
  /** 0 to 1. */
  readonly volume: number;
  readonly muted: boolean;
  readonly rate: number;
  /** False where only the device's keys set the volume (iOS). */
  readonly canSetVolume: boolean;
  /** The browser refused to start without a click. */
  readonly blocked: boolean;
  /** The connection was lost and is being retried. */
  readonly reconnecting: boolean;
};

export const idleEngineSnapshot: EngineSnapshot = {
  status: 'idle',
  failure: null,
  duration: null,
  volume: 1,
  muted: false,
  rate: 1,
  canSetVolume: true,
  blocked: false,
  reconnecting: false,
};

/** Playback is wanted: it plays, or is about to. */
export function isStarted(status: PlaybackStatus): boolean {
  return status === 'playing' || status === 'loading' || status === 'waiting';
}
