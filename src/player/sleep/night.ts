/** Rules of the sleep timer: what a sign of waking does, and where the next start goes. Times are milliseconds. */

/** The sound fades in these last seconds, and anything pressed prolongs it. */
export const LAST_SECONDS = 30;
/** Added by “10 more minutes”, and without looking. */
export const MORE_MINUTES = 10;
/** The next start goes back to the last sign of waking, less these seconds. */
export const BACK_SECONDS = 30;
/** A press of the headphone button this soon after the end still prolongs. */
export const JUST_STOPPED_MS = 60_000;
/** The listener counts as awake for this long after a sign, and this far. */
const AWAKE_SECONDS = 60;
/** A start or pause this soon after a press is the listener’s. */
const PRESS_MS = 3000;
/** Headphones that connect or are lost send presses of their own. */
const DEVICES_MS = 3000;
/** A place to go back to is offered for this long. */
const OFFER_MS = 3 * 86_400_000;

/** A second of an audio. */
export type Place = { readonly audioId: string; readonly seconds: number };

/** `at`: milliseconds since 1970. */
type PlaceAt = Place & { readonly at: number };

/** The last sign of waking, and where the sound stopped after it. */
export type Night = {
  readonly sign: PlaceAt | null;
  readonly stopped: PlaceAt | null;
  /** A timer was running when this was stored: a page that ended meanwhile stopped the sound. */
  readonly isTimed: boolean;
};

export const noNight: Night = { sign: null, stopped: null, isTimed: false };

/** Fraction of the volume. Squared: a linear fade sounds like a sudden drop at its end. */
export function audibleFraction(remainingMs: number): number {
  const left = Math.max(0, remainingMs) / 1000 / LAST_SECONDS;
  return left < 1 ? left * left : 1;
}

export function isInLastSeconds(remainingMs: number): boolean {
  return remainingMs <= LAST_SECONDS * 1000;
}

/** The listener is awake. After the sound has stopped, signs change nothing: they may come in the morning. */
export function afterSign(night: Night, place: PlaceAt): Night {
  return night.stopped ? night : { ...night, sign: place };
}

/** The timer, or an interruption under it, has ended the sound. Somebody awake has nothing to go back to. */
export function afterStop(night: Night, place: PlaceAt): Night {
  const { sign } = night;
  if (!sign || place.at - sign.at <= AWAKE_SECONDS * 1000) return noNight;
  const hasMoved = place.audioId !== sign.audioId || place.seconds - sign.seconds > AWAKE_SECONDS;
  return hasMoved ? { sign, stopped: place, isTimed: false } : noNight;
}

/** Offer of the next start; undefined when the listener was awake at the end, or long ago. */
export function offerOf(
  { sign, stopped }: Night,
  now: number,
): { from: Place; stopped: Place; sign: Place } | undefined {
  if (!sign || !stopped || now - stopped.at > OFFER_MS) return undefined;
  const from = { audioId: sign.audioId, seconds: Math.max(0, sign.seconds - BACK_SECONDS) };
  return { from, stopped, sign };
}

/** The page ended under a running timer, such as with an empty battery, and was opened again later. */
export function wasLeft(night: Night, now: number): boolean {
  return night.isTimed && night.sign !== null && night.stopped === null && now - night.sign.at > MORE_MINUTES * 60_000;
}

/** The keys of headphones and of the lock screen. */
export type RemoteKey = 'play' | 'pause' | 'next' | 'previous' | 'seek';

export type RemoteAnswer =
  /** The key does what it says. */
  | 'obey'
  /** The same, but nobody pressed it. */
  | 'obey-unseen'
  | 'prolong'
  /** Goes on where it stopped, with a new timer. */
  | 'resume'
  | 'ignore';

export type RemoteState = {
  isOn: boolean;
  isPlaying: boolean;
  /** In the last seconds of a timer of minutes. */
  isEnding: boolean;
  /** A timer is running, or has ended the sound. */
  isNight: boolean;
  /** Since the timer ended the sound; undefined after the next start. */
  msSinceStop: number | undefined;
  /** Since headphones or speakers came or went. */
  msSinceDevices: number;
};

/** Effect of a key without a screen at night. */
export function answerTo(key: RemoteKey, state: RemoteState): RemoteAnswer {
  const { isOn, isPlaying, isEnding, isNight, msSinceStop, msSinceDevices } = state;
  const areNewDevices = msSinceDevices < DEVICES_MS;
  if (areNewDevices && key === 'pause') return 'obey-unseen';
  if (areNewDevices && key === 'play' && isNight) return 'ignore';
  if (!isOn) return 'obey';
  if (isEnding && isPlaying) return 'prolong';
  const hasJustStopped = msSinceStop !== undefined && msSinceStop <= JUST_STOPPED_MS;
  return key === 'play' && !isPlaying && hasJustStopped ? 'resume' : 'obey';
}

/** Headphones were lost just after their key, so it was not a press. */
export function isFromDevices(msSinceKey: number): boolean {
  return msSinceKey < DEVICES_MS;
}

/** The player goes back to the last sign only then: until the end is a while ago, a press goes on where it stopped. */
export function mayGoBack(msSinceStop: number): boolean {
  return msSinceStop > JUST_STOPPED_MS;
}

export function isPress(msSincePress: number): boolean {
  return msSincePress < PRESS_MS;
}

/** Hours in which the timer starts by itself, as fields for times hold them; they may go over midnight. */
export type Hours = { readonly from: string; readonly to: string };

/** @param clock `23:41`, in the listener's zone. Equal hours are the whole day. */
export function isWithinHours({ from, to }: Hours, clock: string): boolean {
  return from < to ? clock >= from && clock < to : clock >= from || clock < to;
}

/** Acceleration, gravity included, of a phone that is shaken and not only turned over, in m/s². */
const SHAKEN = 18;
/** Two strokes within this time are a shake; one is a bump. */
const STROKES_MS = 800;
/** Apart at least, because one stroke has many samples. */
const STROKE_MS = 120;

/** Notices a shake. @returns takes samples of the acceleration in m/s², gravity included; true at the second stroke */
export function createShakeDetector(): (sample: { x: number; y: number; z: number }, now: number) => boolean {
  let strokeAt = Number.NEGATIVE_INFINITY;
  return ({ x, y, z }, now) => {
    if (Math.hypot(x, y, z) < SHAKEN || now - strokeAt < STROKE_MS) return false;
    const isSecond = now - strokeAt <= STROKES_MS;
    strokeAt = isSecond ? Number.NEGATIVE_INFINITY : now;
    return isSecond;
  };
}
