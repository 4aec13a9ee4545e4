import type { FailureCode } from './recovery/failure.ts';
import type { MediaElementLike } from './media/media-element.ts';

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

export type Engine = {
  /** Attaches the element; the returned function detaches it. Fits `<audio ref={engine.attach}>` in React 19. */
  attach(media: MediaElementLike): () => void;
  /** `startAt` in seconds. */
  load(src: string, options?: { startAt?: number; autoplay?: boolean }): void;
  unload(): void;
  /** Tries a failed file again at the same second. */
  play(): void;
  pause(): void;
  seek(seconds: number): void;
  setVolume(volume: number): void;
  setMuted(muted: boolean): void;
  /** 0.5 to 2. */
  setRate(rate: number): void;
  /**
   * Audible fraction of the volume, 0 to 1; the published volume does not change. No effect where the volume cannot be
   * set.
   */
  setFade(part: number): void;
  subscribe(listener: () => void): () => void;
  getSnapshot(): EngineSnapshot;
  subscribePosition(listener: () => void): () => void;
  /** Seconds; the target while a seek is running. */
  getPosition(): number;
  /** End of the buffered range around the position, in seconds. */
  getBuffered(): number;
  /**
   * Runs within the element's own event, so that the next audio needs no timer and no new click. The store publishes
   * after.
   */
  onEnded(listener: () => void): () => void;
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
