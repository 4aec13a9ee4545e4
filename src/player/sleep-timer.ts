import type { Clock } from './clock.ts';
import { createListeners, sameFields } from './listeners.ts';
import { isStarted } from './playback.ts';
import type { Engine } from './playback.ts';
import type { PreferenceStore } from './preferences.ts';
import { isRecord } from './saved-queue.ts';

export type SleepSetting =
  | { kind: 'minutes'; minutes: number }
  /** "Stop after this one". */
  | { kind: 'end-of-audio' }
  /** After so many audios have come to their end, the current one counted. */
  | { kind: 'after'; count: number };

export type SleepSnapshot = {
  readonly setting: SleepSetting | null;
  /** Seconds until it is quiet; null when that depends on audios that are not loaded yet. */
  readonly remainingSeconds: number | null;
  /** Audios that still come to their end; null for a timer of minutes. */
  readonly remainingAudios: number | null;
};

type SleepTimerParts = {
  engine: Engine;
  clock: Clock;
  /** Lives as long as the tab (session storage), so that a reload keeps the timer, and the next evening does not. */
  storage?: PreferenceStore;
};

const FADE_SECONDS = 30;
const LONGEST_MINUTES = 24 * 60;
const MOST_AUDIOS = 99;
const KEY = 'sotto_sleep';

const off: SleepSnapshot = { setting: null, remainingSeconds: null, remainingAudios: null };

/**
 * Minutes are those of the clock while sound goes on, whatever the speed and wherever it is sought; in a pause they stay.
 * Time is looked at whenever the element speaks, since a sleeping tab's timers starve; a timer is only the second string,
 * for when the element is silent because it waits for data.
 */
export function createSleepTimer({ engine, clock, storage }: SleepTimerParts) {
  const changes = createListeners();
  let setting: SleepSetting | null = null;
  let remainingMs = 0;
  let remainingAudios = 0;
  let lastLook = 0;
  let wasGoing = false;
  let stopSecondString: (() => void) | null = null;
  let snapshot = off;

  function publish() {
    const now = snapshotNow();
    if (sameFields(snapshot, now)) return;
    snapshot = now;
    changes.emit();
  }

  function snapshotNow(): SleepSnapshot {
    if (!setting) return off;
    if (setting.kind === 'minutes')
      return { setting, remainingSeconds: Math.ceil(remainingMs / 1000), remainingAudios: null };
    const { duration, rate } = engine.getSnapshot();
    const left = duration === null ? null : Math.max(0, Math.ceil((duration - engine.getPosition()) / rate));
    return { setting, remainingSeconds: remainingAudios === 1 ? left : null, remainingAudios };
  }

  function look() {
    const now = clock.now();
    const passed = now - lastLook;
    lastLook = now;
    const goesOn = isStarted(engine.getSnapshot().status);
    if (setting?.kind === 'minutes' && wasGoing) remainingMs -= passed;
    wasGoing = goesOn;
    if (!setting) return;
    // Also in a pause: at night nobody wants the time that is over to begin with a last sound.
    if (setting.kind === 'minutes' && remainingMs <= 0) return goesOn ? sleep() : cancel();
    if (setting.kind === 'minutes') fade();
    if (goesOn) watch();
    else stopWatching();
    publish();
  }

  function fade() {
    const left = remainingMs / 1000 / FADE_SECONDS;
    // Squared, since the ear hears the last steps of a straight line as a fall.
    engine.setFade(left < 1 ? left * left : 1);
  }

  function watch() {
    stopSecondString ??= clock.after(1000, () => {
      stopSecondString = null;
      look();
    });
  }

  function stopWatching() {
    stopSecondString?.();
    stopSecondString = null;
  }

  function sleep() {
    engine.pause();
    cancel();
  }

  function cancel() {
    setting = null;
    stopWatching();
    engine.setFade(1);
    remember();
    publish();
  }

  function begin(wanted: SleepSetting) {
    setting = wanted;
    lastLook = clock.now();
    engine.setFade(1);
    remember();
    look();
  }

  function remember() {
    const left = setting?.kind === 'minutes' ? remainingMs : remainingAudios;
    storage?.set(KEY, setting ? JSON.stringify({ setting, left }) : '');
  }

  function restore() {
    const kept = parse(storage?.get(KEY) ?? '');
    const wanted = kept && settingOf(kept['setting']);
    const left = kept?.['left'];
    if (!wanted || typeof left !== 'number' || !(left > 0)) return;
    if (wanted.kind === 'minutes') remainingMs = Math.min(left, wanted.minutes * 60_000);
    else remainingAudios = Math.min(Math.ceil(left), audiosOf(wanted));
    begin(wanted);
  }

  restore();
  const stop = [engine.subscribePosition(look), engine.subscribe(look)];

  return {
    subscribe: changes.subscribe,
    /** Changes once a second at most. */
    getSnapshot: () => snapshot,
    /** Takes the place of the timer before; none ends it. Minutes from 1 to 1440, audios from 1 to 99; anything else is let pass. */
    set(wanted: SleepSetting | undefined) {
      if (wanted === undefined) return cancel();
      const setTo = settingOf(wanted);
      if (!setTo) return;
      if (setTo.kind === 'minutes') remainingMs = setTo.minutes * 60_000;
      else remainingAudios = audiosOf(setTo);
      begin(setTo);
    },
    /** The current audio came to its end. @returns true when nothing may follow */
    audioEnded(): boolean {
      look();
      if (!setting || setting.kind === 'minutes') return false;
      remainingAudios -= 1;
      if (remainingAudios <= 0) {
        cancel();
        return true;
      }
      remember();
      publish();
      return false;
    },
    /** Before the page is left: keeps what is left of it. */
    remember,
    dispose() {
      stopWatching();
      stop.forEach((end) => end());
    },
  };
}

/** The same when it is one that can be set. */
function settingOf(value: unknown): SleepSetting | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, minutes, count } = value;
  if (kind === 'minutes') return isWithin(minutes, LONGEST_MINUTES) ? { kind, minutes } : undefined;
  if (kind === 'end-of-audio') return { kind };
  if (kind === 'after') return isWithin(count, MOST_AUDIOS) && Number.isInteger(count) ? { kind, count } : undefined;
  return undefined;
}

function audiosOf(setting: Exclude<SleepSetting, { kind: 'minutes' }>): number {
  return setting.kind === 'after' ? setting.count : 1;
}

function isWithin(value: unknown, most: number): value is number {
  return typeof value === 'number' && value >= 1 && value <= most;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
