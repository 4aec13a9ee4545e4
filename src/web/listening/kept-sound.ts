import type { PlayerEvent } from '#player/player-events.ts';

/** Set in this browser's storage while it keeps audios. Without the site's prefix, so that it outlives a log-out. */
export const keptMark = 'kept';

type KeptSound = {
  /** @param file address of the site's sound route @returns the address to play from */
  addressOf(file: string): string;
  report(event: PlayerEvent): void;
  /** Before a log-out. */
  leave(): Promise<void>;
  transcriptOf(audioId: string): unknown;
  /** @param imageUrl path of the site's image route @returns address of the same picture on this device */
  coverOf(imageUrl: string): string | undefined;
};

/** Access of the player to the audios on this device; empty until `tab-downloads.ts` fills it in. */
export const keptSound: Partial<KeptSound> = {};
