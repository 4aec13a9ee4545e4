import type { PlayerEvent } from '#player/player-events.ts';

/** Set in this browser's storage while it keeps audios. Without the site's prefix, so that it outlives a log-out. */
export const keptMark = 'kept';

/** What the player needs of the audios on this device; `tab-downloads.ts` fills it in once there are any. */
export const keptSound = {
  /** @param file address of the site's sound route @returns the address to play from */
  addressOf: (file: string): string => file,
  report: (_event: PlayerEvent): void => {},
  /** Before a log-out. */
  leave: async (): Promise<void> => {},
  transcriptOf: (_audioId: string): unknown => undefined,
};
