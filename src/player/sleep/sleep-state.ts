export type SleepSetting =
  /** `renews`: begins again with each sign that the listener is awake; so a timer that started by itself. */
  | { kind: 'minutes'; minutes: number; renews?: true }
  /** "Stop after this one". */
  | { kind: 'end-of-audio' }
  /** Stops after this many audios have ended, including the current one. */
  | { kind: 'after'; count: number };

export type SleepSnapshot = {
  readonly setting: SleepSetting | null;
  /** Seconds until it stops; null when that depends on audios that are not loaded yet. */
  readonly remainingSeconds: number | null;
  /** Number of audios still to end; null for a timer of minutes. */
  readonly remainingAudios: number | null;
};

export const sleepOff: SleepSnapshot = { setting: null, remainingSeconds: null, remainingAudios: null };

/** Storage key of a running timer. */
export const SLEEP_KEY = 'sotto_sleep';
