import type { Track } from '../track.ts';

/**
 * The audios in the stored queue. Stored separately and encrypted, because the browser's files must not reveal their
 * titles; the queue itself holds ids only.
 */
export type QueueTracks = {
  /** Undefined for an audio that was not stored or is unreadable. */
  find(id: string): Track | undefined;
  /** Replaces everything stored; an empty list removes it. */
  save(tracks: readonly Track[]): void;
};
