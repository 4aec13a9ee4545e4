import { useSyncExternalStore } from 'react';
import { browserClock } from '#player/clock.ts';
import { createListeners } from '#player/listeners.ts';
import type { Player } from '#player/player.ts';
import { createShakeDetector } from '#player/sleep/night.ts';
import { type NightSnapshot, type NightWatch, createNightWatch, nightAtFirst } from '#player/sleep/night-watch.ts';
import { localClock } from '#formats/local/local-clock.ts';
import { browserStore } from '#web/browser-store.ts';
import { isComposing } from '#web/ui/fields/is-composing.ts';

/** After a touch that prolonged, the click that follows it presses nothing. */
const clickMs = 700;

/** These move the focus, or come with another key. */
const silentKeys = ['Tab', 'Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock'];

const changes = createListeners();
let night: NightWatch | undefined;

/** The tab’s one night watch, with the signs of waking that the browser reports. */
export function openNight(player: Player): NightWatch {
  if (night) return night;
  night = createNightWatch({
    player,
    clock: browserClock,
    storage: browserStore,
    date: () => Date.now(),
    localTime: () => localClock(Date.now()),
  });
  watchPresses(night);
  watchShakes(night);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && night?.shown());
  // Absent without a secure connection.
  (navigator as Partial<Navigator>).mediaDevices?.addEventListener('devicechange', night.devicesChanged);
  night.subscribe(changes.emit);
  changes.emit();
  return night;
}

/** The night watch; undefined until the player’s late code is loaded. */
export function nightWatch(): NightWatch | undefined {
  return night;
}

/** Subscribes to one value of the night watch. @param select returns a primitive or a stable object */
export function useNight<Value>(select: (snapshot: NightSnapshot) => Value): Value {
  return useSyncExternalStore(
    changes.subscribe,
    () => select(night?.getSnapshot() ?? nightAtFirst),
    () => select(nightAtFirst),
  );
}

/** Every press is a sign of waking; in the last seconds it prolongs and does nothing else. */
function watchPresses(watch: NightWatch): void {
  let touchedAt = Number.NEGATIVE_INFINITY;
  const take = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const onPointer = (event: Event) => {
    if (!isLetStop(event) && watch.pressed()) touchedAt = browserClock.now();
  };
  const onClick = (event: MouseEvent) => {
    if (isLetStop(event)) return;
    const isOfTouch = browserClock.now() - touchedAt < clickMs;
    touchedAt = Number.NEGATIVE_INFINITY;
    if (isOfTouch) return take(event);
    // Screen readers and voice control press without a pointer.
    if (event.detail === 0 && watch.pressed()) take(event);
  };
  const onKey = (event: KeyboardEvent) => {
    if (silentKeys.includes(event.key) || isLetStop(event)) return;
    // The input method gets its key, too.
    if (isComposing(event)) watch.pressed();
    else if (event.key === 'Escape' && watch.getSnapshot().isEnding) {
      watch.letStop();
      take(event);
    } else if (watch.pressed()) take(event);
  };
  window.addEventListener('pointerdown', onPointer, true);
  window.addEventListener('click', onClick, true);
  window.addEventListener('keydown', onKey, true);
}

/** “Let it stop” is the one control that does not prolong. */
function isLetStop({ target }: Event): boolean {
  return target instanceof Element && target.closest('[data-let-stop]') !== null;
}

/** Listens to the sensor only in the last seconds. */
function watchShakes(watch: NightWatch): void {
  let stop: AbortController | undefined;
  watch.subscribe(() => {
    const { isEnding, settings } = watch.getSnapshot();
    const isWanted = isEnding && settings.prolongsByShake;
    if (isWanted === (stop !== undefined)) return;
    stop?.abort();
    stop = isWanted ? new AbortController() : undefined;
    if (!stop) return;
    const isShaken = createShakeDetector();
    window.addEventListener(
      'devicemotion',
      ({ accelerationIncludingGravity: force }) => {
        if (force === null) return;
        const sample = { x: force.x ?? 0, y: force.y ?? 0, z: force.z ?? 0 };
        if (isShaken(sample, browserClock.now())) watch.pressed(true);
      },
      stop,
    );
  });
}

/** A phone with a sensor; elsewhere nothing is offered. */
export function canShake(): boolean {
  return 'DeviceMotionEvent' in window && window.matchMedia('(pointer: coarse)').matches;
}

/** Within a press. iOS asks the listener, once per visit; others allow it. */
export async function askForShakes(): Promise<boolean> {
  const sensor = DeviceMotionEvent as { requestPermission?: () => Promise<string> };
  try {
    return sensor.requestPermission === undefined || (await sensor.requestPermission()) === 'granted';
  } catch {
    return false;
  }
}
