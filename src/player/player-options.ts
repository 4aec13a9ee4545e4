import type { Clock } from './clock.ts';
import type { createFailures } from './recovery/failures.ts';
import type { Lazy } from './lazy.ts';
import type { Notice } from './notices.ts';
import type { Engine } from './media/engine.ts';
import type { PlayerEvent } from './reports/player-events.ts';
import type { PreferenceStore } from './stored.ts';
import type { QueueTracks } from './queue/local-queue.ts';
import type { addMissing, move } from './queue/queue-edits.ts';
import type { QueueServer } from './queue/saved-queue.ts';
import type { createQueueSync } from './queue/queue-sync.ts';
import type { Network } from './network.ts';
import type { createSleepTimer } from './sleep/sleep-timer.ts';
import type { TabChannel } from './tabs.ts';
import type { Track } from './track.ts';
import type { WarmUp } from './media/warm-up.ts';

/** Called when the listener requests a locked audio; `again` repeats the request. */
export type LockedListener = (track: Track, again: () => void) => void;

export type NoticeListener = (notice: Notice) => void;

export type PlayerParts = {
  createQueueSync: typeof createQueueSync;
  createSleepTimer: typeof createSleepTimer;
  createFailures: typeof createFailures;
  queueEdits: { addMissing: typeof addMissing; move: typeof move };
  /** Server storage of a logged-in listener's queue, shared by all devices. */
  queueServer?: QueueServer | undefined;
  queueTracks: QueueTracks;
};

export type PlayerOptions = {
  engine: Engine;
  clock: Clock;
  /** Needed only after the first press or a log-in. */
  parts: Lazy<PlayerParts>;
  /** Whether this listener may hear an audio; evaluated on every use. */
  mayHear: (track: Track) => boolean;
  /**
   * Whether an audio plays without a connection. Offline, such audios play first; the ones ahead of them keep their
   * places.
   */
  isOnDevice: (track: Track) => boolean;
  /** Whether the machine knows that it has no connection. */
  isOffline: () => boolean;
  /** The server refused an audio of a list: from now on, `mayHear` is true only for free ones. */
  accessEnded?: () => void;
  /** Whether previous and next are enabled for this listener (spec §6). */
  maySkip: () => boolean;
  /** Whether the first audio loads automatically (spec §4: for subscribed users). */
  autoLoads: () => boolean;
  report: (event: PlayerEvent) => void;
  storage: PreferenceStore;
  /** Session storage, which lives as long as the tab: the sleep timer survives a reload, but not the night. */
  sessionStore?: PreferenceStore;
  findMore?: (track: Track) => Promise<readonly Track[]>;
  warmUp?: WarmUp;
  network?: Network;
  /** A `BroadcastChannel` named `tabChannelName`. */
  channel?: TabChannel;
  /** Overrides the stored setting, for example with the account's. */
  discreet?: boolean;
  /** Stored position, in seconds, of an audio not loaded in this session. */
  resumeFrom: (track: Track) => number | undefined;
};
