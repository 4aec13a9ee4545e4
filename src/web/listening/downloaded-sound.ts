import type { Chapter } from '#domain/catalogue/chapter-rules.ts';
import type { Transcript } from '#domain/catalogue/editing/transcripts.ts';
import type { PlayerEvent } from '#player/reports/player-events.ts';
import type { Track } from '#player/track.ts';

/**
 * In local storage while the browser has downloads: the ids of their audios. Without the site's prefix, so that it
 * survives a log-out.
 */
export const downloadsMark = 'kept';

type DownloadedSound = {
  /** @param file address of the site's sound route @returns the address to play from */
  addressOf(file: string): string;
  isOnDevice(track: Pick<Track, 'audioFileUrl'>): boolean;
  report(event: PlayerEvent): void;
  beforeLogOut(): Promise<void>;
  /** @param language wanted; without a translation into it, what is spoken */
  transcriptOf(audioId: string, language: string): Transcript | undefined;
  /** Undefined: not stored. */
  chaptersOf(audioId: string): Chapter[] | undefined;
  /** @param imageUrl path of the site's image route @returns local address of the same picture */
  coverOf(imageUrl: string): string | undefined;
};

/** The player's access to downloads; empty until `tab-downloads.ts` fills it in. */
export const downloadedSound: Partial<DownloadedSound> = {};
