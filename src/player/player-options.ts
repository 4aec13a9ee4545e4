import type { Clock } from './clock.ts';
import type { Notice } from './notices.ts';
import type { Engine } from './playback.ts';
import type { PlayerEvent } from './player-events.ts';
import type { PreferenceStore } from './preferences.ts';
import type { QueueServer } from './queue-server.ts';
import type { Network } from './recovery.ts';
import type { TabChannel } from './tabs.ts';
import type { Track } from './track.ts';
import type { WarmUp } from './warm-up.ts';

/** Told when the listener asked for an audio that is locked; `again` repeats what was asked for. */
export type LockedListener = (track: Track, again: () => void) => void;

export type NoticeListener = (notice: Notice) => void;

export type PlayerOptions = {
  engine: Engine;
  clock: Clock;
  /** Whether this listener may hear an audio; asked anew each time. */
  mayHear: (track: Track) => boolean;
  /** Whether previous and next are there for this listener (spec §6); always when left out. */
  maySkip?: () => boolean;
  /** Whether the first audio is loaded without being asked for (spec §4: for subscribed users); never when left out. */
  autoLoads?: () => boolean;
  report: (event: PlayerEvent) => void;
  storage: PreferenceStore;
  /** Where the queue of a logged-in listener is kept in this browser; `storage` when left out. */
  queueStore?: PreferenceStore;
  /** Lives as long as the tab (session storage): the sleep timer outlives a reload, not the night. */
  sessionStore?: PreferenceStore;
  /** Where the queue of a logged-in listener is kept for all devices. */
  queueServer?: QueueServer;
  /** Audios like this one, for "keep playing". */
  findMore?: (track: Track) => Promise<readonly Track[]>;
  /** Loads the start of the next audio ahead. */
  warmUp?: WarmUp;
  network?: Network;
  /** A `BroadcastChannel` named `tabChannelName`. */
  channel?: TabChannel;
  /** Overrides what was remembered, as when the account says so. */
  discreet?: boolean;
  /** The stored second of an audio that was not loaded in this session. */
  resumeFrom?: (track: Track) => number | undefined;
};
