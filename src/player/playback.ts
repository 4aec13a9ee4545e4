import type { FailureCode } from './failure.ts';
import type { MediaElementLike } from './media-element.ts';

/**
 * `loading`: play was asked for, no sound yet. `waiting`: sound was there and stopped for want of data. `paused` is also
 * what is loaded without being asked to play.
 */
export type PlaybackStatus = 'idle' | 'loading' | 'paused' | 'playing' | 'waiting' | 'ended' | 'failed';

export type EngineSnapshot = {
  readonly status: PlaybackStatus;
  /** Set exactly when `status` is `failed`. */
  readonly failure: FailureCode | null;
  /** Seconds, once the file has told them. */
  readonly duration: number | null;
  /** 0 to 1. */
  readonly volume: number;
  readonly muted: boolean;
  readonly rate: number;
  /** False where only the device's keys set the volume (iOS). */
  readonly canSetVolume: boolean;
  /** The browser refused to start without a click. */
  readonly blocked: boolean;
  /** The connection was lost and is being tried again. */
  readonly reconnecting: boolean;
};

export type Engine = {
  /** Takes the element over; the answer gives it back. Fits `<audio ref={engine.attach}>` in React 19. */
  attach(media: MediaElementLike): () => void;
  /** `startAt` in seconds. */
  load(src: string, options?: { startAt?: number; autoplay?: boolean }): void;
  unload(): void;
  play(): void;
  pause(): void;
  seek(seconds: number): void;
  /** Tries a failed file again at the same second. */
  retry(): void;
  setVolume(volume: number): void;
  setMuted(muted: boolean): void;
  /** 0.5 to 2. */
  setRate(rate: number): void;
  /** Part of the volume that is heard, 0 to 1; the volume stays what the listener set. Nothing where it cannot be set. */
  setFade(part: number): void;
  subscribe(listener: () => void): () => void;
  getSnapshot(): EngineSnapshot;
  subscribePosition(listener: () => void): () => void;
  /** Seconds; the target while a seek is under way. */
  getPosition(): number;
  /** Seconds up to which the file is there, from the position on. */
  getBuffered(): number;
  /** Runs within the element's own event, so that what starts next needs no timer and no new click; the store tells after. */
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

/** Sound is wanted: it plays, or is about to. */
export function isStarted(status: PlaybackStatus): boolean {
  return status === 'playing' || status === 'loading' || status === 'waiting';
}
