export type AccessEnd = 'login-required' | 'subscription-required';

/** One-line messages to the listener, without a dialog; the interface has the texts. */
export type Notice =
  /** Another device saved a newer queue, which replaced this one. The current audio keeps playing. */
  | { kind: 'queue-on-other-device-newer' }
  /** Another device of the listener plays now; `device` is its name. Answered by `playHere`. */
  | { kind: 'playing-elsewhere'; device: string; secondsAgo: number }
  /** A page was opened offline, from this device's downloads. */
  | { kind: 'stored-page' }
  /** This network does not let the browser jump within a file, so it is loaded whole first. */
  | { kind: 'whole-file' }
  /** Another device has taken over, so this one paused. */
  | { kind: 'taken-over' }
  /** Number of audios of the saved queue that are no longer available and were skipped. */
  | { kind: 'dropped-from-queue'; count: number }
  /** The file of this audio is broken or missing. `goesOn`: the next one starts automatically. */
  | { kind: 'file-broken'; trackId: string; title: string; goesOn: boolean }
  /** The server refused an audio that followed by itself or had sounded. `goesOn`: a free one starts in its place. */
  | { kind: 'access-ended'; reason: AccessEnd; goesOn: boolean }
  /** This audio, free when its list was loaded, is for subscribers now. `goesOn`: the next one starts automatically. */
  | { kind: 'now-locked'; title: string; goesOn: boolean }
  /** The queue has reached its limit. */
  | { kind: 'queue-full'; limit: number };
