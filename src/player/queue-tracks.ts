import type { Track } from './track.ts';

/**
 * The audios that the stored queue names. They are stored apart from it, since their titles must not be readable in the
 * browser's files; the queue itself holds ids only.
 */
export type QueueTracks = {
  /** Undefined for an audio that was not stored, or cannot be read any more. */
  find(id: string): Track | undefined;
  /** Replaces all that is stored; none removes it. */
  keep(tracks: readonly Track[]): void;
};
