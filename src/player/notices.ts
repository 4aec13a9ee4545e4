export type AccessEnd = 'login-required' | 'subscription-required';

/** One-line messages to the listener, without a dialog; the interface has the texts. */
export type Notice =
  /** Another device saved a newer queue, which replaced this one. The current audio keeps playing. */
  | { kind: 'queue-on-other-device-newer' }
  /** Another device of the listener plays now; `device` is its name. Answered by `playHere`. */
  | { kind: 'playing-elsewhere'; device: string; secondsAgo: number }
  /** A page was opened offline, from this device's downloads. */
  | { kind: 'stored-page' }
  /** This network strips byte ranges, so the whole file is loaded before seeking. */
  | { kind: 'whole-file' }
  /** Another device has taken over, so this one paused. */
  | { kind: 'taken-over' }
  /** Number of audios of the saved queue that are no longer available and were skipped. */
  | { kind: 'dropped-from-queue'; count: number }
  /** The file of this audio is broken or missing. `continues`: the next one starts automatically. */
  | { kind: 'file-broken'; trackId: string; title: string; continues: boolean }
  /** The server refused an audio that started automatically or was playing. `continues`: a free one plays instead. */
  | { kind: 'access-ended'; reason: AccessEnd; continues: boolean }
  /** This audio was free when its list was loaded and is for subscribers now. `continues`: as for `file-broken`. */
  | { kind: 'now-locked'; title: string; continues: boolean }
  | { kind: 'queue-full'; limit: number }
  /** The sleep timer goes on until then (milliseconds since 1970). */
  | { kind: 'prolonged'; until: number; undo: () => void };
