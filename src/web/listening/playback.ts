import type { Player } from '#player/player.ts';
import type { PlayerSnapshot } from '#player/player-snapshot.ts';
import type { PlaybackStatus } from '#player/playback.ts';
import { fractionOf, isInProgress as inProgress } from '#player/reports/progress.ts';

/** Playback state of one audio, as its play button and row show it. */
export type PlaybackState = 'idle' | 'loading' | 'playing' | 'paused';

const states: Record<PlaybackStatus, PlaybackState> = {
  idle: 'idle',
  loading: 'loading',
  waiting: 'loading',
  playing: 'playing',
  paused: 'paused',
  failed: 'paused',
  ended: 'idle',
};

/**
 * Whether the player holds this audio. A preview that has not been played does not count: the listener did not choose
 * it.
 */
export function isCurrent(snapshot: PlayerSnapshot, audioId: string): boolean {
  return snapshot.current?.id === audioId && !(snapshot.isPreview && isStill(snapshot));
}

/** The queue is empty: the player shows the unplayed preview (spec §4, “Queue”), or nothing. */
export function isOnlyPreview(snapshot: PlayerSnapshot): boolean {
  const { current, isPreview, upNext } = snapshot;
  return current === null || (isPreview && upNext.length === 0 && isStill(snapshot));
}

function isStill({ status }: PlayerSnapshot): boolean {
  return !isActive(states[status]);
}

export function stateOf(snapshot: PlayerSnapshot, audioId: string): PlaybackState {
  return snapshot.current?.id === audioId ? states[snapshot.status] : 'idle';
}

/** Playing or about to play: pressing the button again pauses. */
export function isActive(state: PlaybackState): boolean {
  return state === 'playing' || state === 'loading';
}

/**
 * Spec §4: in progress when partly heard or playing; never at its end.
 * @param place saved second, used when the player holds another audio
 */
export function isInProgress(player: Player, audioId: string, place: number): boolean {
  const snapshot = player.getSnapshot();
  if (snapshot.current?.id !== audioId) return inProgress(place, false);
  const isPlaying = isActive(stateOf(snapshot, audioId));
  return snapshot.status !== 'ended' && inProgress(player.getPosition(), isPlaying);
}

/**
 * Heard part of an audio, 0 to 1, in steps of half a percent to limit re-renders.
 * @param place as for `isInProgress`
 */
export function progressOf(player: Player, audio: { id: string; numberDuration: number }, place: number): number {
  const { current, status } = player.getSnapshot();
  if (current?.id !== audio.id) return inSteps(fractionOf(place, audio.numberDuration));
  return status === 'ended' ? 0 : inSteps(fractionOf(player.getPosition(), player.getDuration()));
}

function inSteps(fraction: number): number {
  return Math.round(fraction * 200) / 200;
}
