import type { Clock } from '../clock.ts';
import { createListeners, sameFields } from '../listeners.ts';
import { isStarted } from '../playback.ts';
import type { Engine } from '../media/engine.ts';
import { type PreferenceStore, isRecord, readRecord } from '../stored.ts';
import { type SleepSetting, type SleepSnapshot, SLEEP_KEY, sleepOff } from './sleep-state.ts';
import { audibleFraction, isInLastSeconds, LAST_SECONDS } from './night.ts';

export type SleepTimerParts = {
  engine: Engine;
  clock: Clock;
  /** Session storage, which lives as long as the tab: a reload keeps the timer, a new evening does not. */
  storage?: PreferenceStore | undefined;
  /**
   * Whether the listener has just pressed something. Other pauses are interruptions, such as a call: the time goes on
   * meanwhile, and sound that starts again by itself after the timer’s end is paused.
   */
  isPressed?: () => boolean;
  /** The time is over, or the last audio has ended. @param lateMs the time was over this long ago */
  onExpired?: (lateMs: number) => void;
};

const MAX_MINUTES = 24 * 60;
const MAX_AUDIOS = 99;

export type SleepTimer = ReturnType<typeof createSleepTimer>;

/**
 * Minutes count clock time during playback, at any speed and across seeks; a pause stops them. Checked on every event of
 * the element, because hidden tabs throttle timers; a timer covers stalls, when the element is silent.
 */
export function createSleepTimer({ engine, clock, storage, isPressed = () => true, onExpired }: SleepTimerParts) {
  const changes = createListeners();
  let setting: SleepSetting | null = null;
  let remainingMs = 0;
  let remainingAudios = 0;
  let updatedAt = 0;
  let wasPlaying = false;
  // The sound was paused, but not by the listener.
  let isInterrupted = false;
  // The time is over, and nothing has started since.
  let hasExpired = false;
  let stopTick: (() => void) | null = null;
  let snapshot = sleepOff;

  function publish() {
    const now = snapshotNow();
    if (sameFields(snapshot, now)) return;
    snapshot = now;
    changes.emit();
  }

  function snapshotNow(): SleepSnapshot {
    if (!setting) return sleepOff;
    if (setting.kind === 'minutes')
      return { setting, remainingSeconds: Math.ceil(remainingMs / 1000), remainingAudios: null };
    const { duration, rate } = engine.getSnapshot();
    const left = duration === null ? null : Math.max(0, Math.ceil((duration - engine.getPosition()) / rate));
    return { setting, remainingSeconds: remainingAudios === 1 ? left : null, remainingAudios };
  }

  function update() {
    const now = clock.now();
    // The clock of the device may be set back.
    const passed = Math.max(0, now - updatedAt);
    updatedAt = now;
    const { status } = engine.getSnapshot();
    const isPlaying = isStarted(status);
    if (isPlaying && hasExpired && isInterrupted && !isPressed()) return engine.pause();
    if (setting?.kind === 'minutes' && (wasPlaying || isInterrupted || setting.renews)) remainingMs -= passed;
    if (isPlaying) isInterrupted = false;
    else if (wasPlaying) isInterrupted = status !== 'ended' && !isPressed();
    wasPlaying = isPlaying;
    if (isPlaying) hasExpired = false;
    if (!setting) return;
    // Checked in a pause too, so that an expired timer does not let another sound start.
    if (setting.kind === 'minutes' && remainingMs <= 0) return expire(isPlaying, -remainingMs);
    if (setting.kind === 'minutes') fade();
    if (isPlaying) startTick();
    else stopTicking();
    publish();
  }

  const fade = () => engine.setFade(audibleFraction(remainingMs));

  function startTick() {
    stopTick ??= clock.after(1000, () => {
      stopTick = null;
      update();
    });
  }

  function stopTicking() {
    stopTick?.();
    stopTick = null;
  }

  function expire(isPlaying: boolean, lateMs: number) {
    // Before the pause, whose event comes back to `update`.
    setting = null;
    hasExpired = true;
    if (isPlaying) engine.pause();
    isInterrupted = true;
    onExpired?.(lateMs);
    cancel();
  }

  /** Lets the timer run for these milliseconds from now. */
  function restart(milliseconds: number) {
    remainingMs = milliseconds;
    start(setting?.kind === 'minutes' && setting.renews ? setting : minutesOf(milliseconds));
  }

  function cancel() {
    setting = null;
    stopTicking();
    engine.setFade(1);
    save();
    publish();
  }

  function start(next: SleepSetting) {
    setting = next;
    updatedAt = clock.now();
    engine.setFade(1);
    save();
    update();
  }

  function save() {
    const left = setting?.kind === 'minutes' ? remainingMs : remainingAudios;
    storage?.set(SLEEP_KEY, setting ? JSON.stringify({ setting, left }) : '');
  }

  function restore() {
    const { setting: stored, left } = readRecord(storage?.get(SLEEP_KEY));
    const next = settingOf(stored);
    if (!next || typeof left !== 'number' || !(left > 0)) return;
    if (next.kind === 'minutes') remainingMs = Math.min(left, next.minutes * 60_000);
    else remainingAudios = Math.min(Math.ceil(left), audiosOf(next));
    start(next);
  }

  restore();
  engine.subscribePosition(update);
  engine.subscribe(update);

  return {
    subscribe: changes.subscribe,
    /** Changes at most once a second. */
    getSnapshot: () => snapshot,
    /**
     * Replaces the previous timer; undefined cancels it. Accepts 1 to 1440 minutes or 1 to 99 audios; ignores anything
     * else.
     */
    set(next: SleepSetting | undefined) {
      if (next === undefined) return cancel();
      const valid = settingOf(next);
      if (!valid) return;
      if (valid.kind === 'minutes') remainingMs = valid.minutes * 60_000;
      else remainingAudios = audiosOf(valid);
      start(valid);
    },
    /** Notices that the time is over, although the element has been silent. */
    update,
    /** The last pause was an interruption, although it looked like a press. */
    interrupted() {
      isInterrupted = !wasPlaying;
    },
    /** The listener is awake: a timer that renews begins again. */
    renew() {
      if (setting?.kind === 'minutes' && setting.renews) restart(setting.minutes * 60_000);
    },
    /** Adds minutes to the time left; in the last seconds they replace it. A timer of audios becomes one of minutes. */
    prolong(minutes: number) {
      const left = setting?.kind === 'minutes' && !isInLastSeconds(remainingMs) ? remainingMs : 0;
      restart(Math.min(left + minutes * 60_000, MAX_MINUTES * 60_000));
    },
    /** Takes a prolonging back: the fade goes on. */
    shorten() {
      if (setting?.kind === 'minutes') restart(Math.min(remainingMs, LAST_SECONDS * 1000));
    },
    /** The current audio has ended. @returns true when nothing may follow */
    audioEnded(): boolean {
      update();
      // Also true when the event just before the end stopped it: an ended audio cannot be paused.
      if (!setting || setting.kind === 'minutes') return hasExpired;
      remainingAudios -= 1;
      if (remainingAudios <= 0) {
        expire(false, 0);
        return true;
      }
      save();
      publish();
      return false;
    },
    save,
  };
}

/** The setting when it is valid, otherwise undefined. */
function settingOf(value: unknown): SleepSetting | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, minutes, renews, count } = value;
  if (kind === 'minutes')
    return isWithin(minutes, MAX_MINUTES) ? { kind, minutes, ...(renews === true && { renews }) } : undefined;
  if (kind === 'end-of-audio') return { kind };
  if (kind === 'after') return isWithin(count, MAX_AUDIOS) && Number.isInteger(count) ? { kind, count } : undefined;
  return undefined;
}

function minutesOf(milliseconds: number): SleepSetting {
  return { kind: 'minutes', minutes: Math.ceil(milliseconds / 60_000) };
}

function audiosOf(setting: Exclude<SleepSetting, { kind: 'minutes' }>): number {
  return setting.kind === 'after' ? setting.count : 1;
}

function isWithin(value: unknown, max: number): value is number {
  return typeof value === 'number' && value >= 1 && value <= max;
}
