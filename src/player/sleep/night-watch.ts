import type { Clock } from '../clock.ts';
import { callEach, createListeners, sameFields } from '../listeners.ts';
import { isStarted } from '../playback.ts';
import type { Player } from '../player.ts';
import * as queues from '../queue/queue.ts';
import type { Queue } from '../queue/queue.ts';
import { type PreferenceStore, isRecord, readRecord } from '../stored.ts';
import {
  type Hours,
  type Night,
  type Place,
  type RemoteKey,
  afterSign,
  afterStop,
  answerTo,
  BACK_SECONDS,
  isFromDevices,
  isPress,
  isWithinHours,
  JUST_STOPPED_MS,
  LAST_SECONDS,
  mayGoBack,
  MORE_MINUTES,
  noNight,
  offerOf,
  wasLeft,
} from './night.ts';
import type { SleepSetting, SleepSnapshot } from './sleep-state.ts';
import { type SleepTimer, type SleepTimerParts, createSleepTimer } from './sleep-timer.ts';

export type NightSettings = Hours & {
  /** Headphones and the lock screen prolong. */
  readonly prolongsByKey: boolean;
  readonly prolongsByShake: boolean;
  /** Starts the timer within the hours. */
  readonly isAutomatic: boolean;
};

/** A new object only when a field changes. */
export type NightSnapshot = {
  readonly settings: NightSettings;
  /** The last seconds of a timer of minutes, which the listener has not let go. */
  readonly isEnding: boolean;
  /** Undefined while something plays. */
  readonly offer: Offer | undefined;
};

/** The place to go back to, its sign of waking, and where the sound stopped. Titles where the two audios differ. */
export type Offer = { from: Place; sign: Place; stopped: Place; titles: { sign: string; stopped: string } | undefined };

type NightWatchParts = {
  player: Player;
  clock: Clock;
  storage: PreferenceStore;
  /** Milliseconds since 1970. */
  date: () => number;
  /** `23:41` in the listener's zone. */
  localTime: () => string;
};

export type NightWatch = ReturnType<typeof createNightWatch>;

const NIGHT_KEY = 'sotto_night';
const SETTINGS_KEY = 'sotto_night_settings';
const CHECK_MS = 15_000;
/** A media element rounds the places that it seeks to. */
const NEAR_SECONDS = 1;
/** The timer of one night, once turned off, does not start by itself again. */
const OFF_MS = 12 * 3_600_000;

export const nightAtFirst: NightSnapshot = {
  settings: { prolongsByKey: true, prolongsByShake: false, isAutomatic: false, from: '22:30', to: '06:00' },
  isEnding: false,
  offer: undefined,
};

/**
 * Watches for signs that the listener is awake: they prolong the sleep timer in its last seconds, and after it has
 * ended, the next start goes back to the last one. The rules are in `night.ts`.
 */
export function createNightWatch({ player, clock, storage, date, localTime }: NightWatchParts) {
  const changes = createListeners();
  let settings = readNightSettings(storage);
  let night = readNight(storage);
  let timer: SleepTimer | undefined;
  let lastSetting: SleepSetting | null = null;
  let pressedAt = Number.NEGATIVE_INFINITY;
  let devicesAt = Number.NEGATIVE_INFINITY;
  // The last pause by a key, and what takes it back when headphones were lost.
  let key: { at: number; undo: () => void } | undefined;
  // When the timer ended the sound (date); undefined after the next start.
  let stoppedAt: number | undefined;
  let isLetGo = false;
  // The player stays at the last sign until the first press, although a saved queue may arrive.
  let mayChoose = false;
  let isGoingBack = false;
  let wasPlaying = false;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let snapshot = nightAtFirst;

  const isPlaying = () => isStarted(player.getSnapshot().status);
  const isInLast = ({ setting, remainingSeconds }: SleepSnapshot) =>
    setting?.kind === 'minutes' && remainingSeconds !== null && remainingSeconds <= LAST_SECONDS;
  const isEnding = () => isPlaying() && isInLast(player.sleepTimer.getSnapshot());

  function publish() {
    const offer = isPlaying() ? undefined : currentOffer();
    const isSame = snapshot.offer && offer && JSON.stringify(snapshot.offer) === JSON.stringify(offer);
    const now = { settings, isEnding: isEnding() && !isLetGo, offer: isSame ? snapshot.offer : offer };
    if (sameFields(snapshot, now)) return;
    snapshot = now;
    changes.emit();
  }

  function store(changed: Night) {
    night = { ...changed, isTimed: player.sleepTimer.getSnapshot().setting !== null && changed.stopped === null };
    const text = night.isTimed || night.stopped ? JSON.stringify(night) : '';
    if ((storage.get(NIGHT_KEY) ?? '') !== text) storage.set(NIGHT_KEY, text);
    publish();
  }

  function placeNow() {
    const { current, isPreview } = player.getSnapshot();
    return current && !isPreview ? { audioId: current.id, seconds: player.getPosition(), at: date() } : undefined;
  }

  function noteSign() {
    pressedAt = clock.now();
    const place = placeNow();
    if (place) store(afterSign(night, place));
  }

  /** The listener is awake. */
  function sign() {
    timer?.update();
    goBack();
    // Not before the place is known to be one: the timer may have ended the sound a moment ago.
    mayChoose = night.stopped === null || mayGoBack(date() - night.stopped.at);
    noteSign();
    if (!isLetGo) timer?.renew();
  }

  /** The queue with this audio as its head; undefined when it is in neither the queue nor the history. */
  function queueWith(audioId: string): Queue | undefined {
    const now = player.getSnapshot().queue;
    let queue = now;
    for (let steps = now.played.length; steps > 0 && queue.list[0]?.id !== audioId; steps -= 1)
      queue = queues.previous(queue);
    return queue.list[0]?.id === audioId ? queue : undefined;
  }

  function currentOffer(): Offer | undefined {
    const offer = offerOf(night, date());
    if (!offer) return undefined;
    const { list, played } = player.getSnapshot().queue;
    const titleOf = ({ audioId }: Place) => [...list, ...played].find(({ id }) => id === audioId)?.title;
    const [sign_, stopped] = [titleOf(offer.sign), titleOf(offer.stopped)];
    if (sign_ === undefined || stopped === undefined) return undefined;
    const isOne = offer.sign.audioId === offer.stopped.audioId;
    return { ...offer, titles: isOne ? undefined : { sign: sign_, stopped } };
  }

  /** Puts the player at the last sign of waking, so that any Play starts there, also on other devices. */
  function goBack(isWanted = false) {
    noteLeft();
    const offer = offerOf(night, date());
    if (!offer || isPlaying()) return;
    if (!isWanted && (mayChoose || !mayGoBack(date() - (night.stopped?.at ?? 0)))) return;
    const queue = queueWith(offer.from.audioId);
    const isThere =
      queue === player.getSnapshot().queue && Math.abs(player.getPosition() - offer.from.seconds) < NEAR_SECONDS;
    if (!queue || isThere || isGoingBack) return;
    isGoingBack = true;
    player.returnTo(queue, offer.from.seconds);
    isGoingBack = false;
  }

  /** The page ended at night, such as with an empty battery. */
  function noteLeft() {
    const place = placeNow();
    if (!place || isPlaying() || !wasLeft(night, place.at)) return;
    const at = (night.sign?.at ?? 0) + MORE_MINUTES * 60_000;
    const left = afterStop(night, { ...place, at });
    // The stored place may still be loading.
    if (left.stopped) store(left);
  }

  /** @param lateMs the time was over this long ago, during an interruption */
  function onExpired(lateMs: number) {
    stoppedAt = date() - lateMs;
    const place = placeNow();
    mayChoose = false;
    store(place ? afterStop(night, { ...place, at: stoppedAt }) : noNight);
    clock.after(JUST_STOPPED_MS + 1000, goBack);
  }

  function timerChanged() {
    const { setting } = player.sleepTimer.getSnapshot();
    if (lastSetting !== setting && (lastSetting === null || setting === null)) {
      // Not at its end, so by the listener.
      if (setting === null && lastSetting?.kind === 'minutes' && lastSetting.renews && stoppedAt === undefined)
        storeSettings({ offAt: date() });
      lastSetting = setting;
      store(night);
    }
    lastSetting = setting;
    if (!isEnding()) isLetGo = false;
    publish();
  }

  function playerChanged() {
    const plays = isPlaying();
    if (plays && !wasPlaying && isPress(clock.now() - pressedAt)) {
      stoppedAt = undefined;
      store({ ...noNight, sign: placeNow() ?? null });
    }
    if (!plays) goBack();
    startByItself(plays !== wasPlaying);
    wasPlaying = plays;
    publish();
  }

  function startByItself(isNow: boolean) {
    const isDue = stoppedAt === undefined && (isNow || clock.now() - checkedAt >= CHECK_MS);
    if (!settings.isAutomatic || !isDue || !isPlaying() || player.sleepTimer.getSnapshot().setting) return;
    checkedAt = clock.now();
    const { offAt } = readRecord(storage.get(SETTINGS_KEY));
    if (typeof offAt === 'number' && date() - offAt < OFF_MS) return;
    if (isWithinHours(settings, localTime()))
      player.setSleepTimer({ kind: 'minutes', minutes: MORE_MINUTES, renews: true });
  }

  function storeSettings(changed: Partial<NightSettings> & { offAt?: number }) {
    const { offAt, ...own } = changed;
    settings = { ...settings, ...own };
    storage.set(SETTINGS_KEY, JSON.stringify({ ...settings, offAt }));
    publish();
  }

  /** @param isUnseen the listener does not see it on the page */
  function prolong(isUnseen: boolean) {
    noteSign();
    timer?.prolong(MORE_MINUTES);
    const { remainingSeconds } = player.sleepTimer.getSnapshot();
    if (isUnseen && remainingSeconds !== null)
      player.notify({ kind: 'prolonged', until: date() + remainingSeconds * 1000, undo });
  }

  /** Takes a prolonging back. */
  function undo() {
    isLetGo = true;
    timer?.shorten();
    publish();
  }

  /** Goes on where the timer has just stopped. */
  function resume() {
    pressedAt = clock.now();
    player.seekToSeconds(Math.max(0, player.getPosition() - BACK_SECONDS));
    player.play();
    // It may have started by itself.
    if (!player.sleepTimer.getSnapshot().setting) player.setSleepTimer({ kind: 'minutes', minutes: MORE_MINUTES });
  }

  const stop = [
    player.subscribe(playerChanged),
    player.sleepTimer.subscribe(timerChanged),
    player.subscribePosition(() => (isPlaying() ? startByItself(false) : goBack())),
  ];
  playerChanged();
  goBack();

  return {
    subscribe: changes.subscribe,
    getSnapshot: () => snapshot,
    disconnect: () => callEach(stop),
    createSleepTimer(parts: SleepTimerParts): SleepTimer {
      timer = createSleepTimer({
        ...parts,
        // A device that sleeps stops the monotonic clock.
        clock: { ...clock, now: date },
        isPressed: () => isPress(clock.now() - pressedAt),
        onExpired,
      });
      return timer;
    },
    changeSettings(changed: Partial<NightSettings>) {
      storeSettings(changed);
      startByItself(true);
    },
    /** “10 more minutes”, which the listener sees. */
    prolong: () => prolong(false),
    /** A touch, a key or a shake. @returns whether it prolonged, and so does nothing else */
    pressed(isShake = false): boolean {
      timer?.update();
      const prolongs = isEnding() && !isLetGo;
      if (prolongs) prolong(true);
      else if (!isShake) sign();
      return prolongs;
    },
    /** The page is seen again. */
    shown() {
      timer?.update();
      goBack();
      if (isPlaying() && !isEnding()) sign();
    },
    /** The listener wants the sound to end. */
    letStop() {
      isLetGo = true;
      noteSign();
      publish();
    },
    /** Headphones or speakers came or went. */
    devicesChanged() {
      devicesAt = clock.now();
      if (key && isFromDevices(devicesAt - key.at)) key.undo();
      key = undefined;
    },
    /** A key of headphones or of the lock screen. @returns whether it was answered, and so does nothing else */
    remoteKey(name: RemoteKey): boolean {
      timer?.update();
      const answer = answerTo(name, {
        isOn: settings.prolongsByKey,
        isPlaying: isPlaying(),
        isEnding: isEnding(),
        isNight: stoppedAt !== undefined || player.sleepTimer.getSnapshot().setting !== null,
        msSinceStop: stoppedAt === undefined ? undefined : date() - stoppedAt,
        msSinceDevices: clock.now() - devicesAt,
      });
      const before = { night, pressedAt };
      if (answer === 'prolong') prolong(true);
      else if (answer === 'resume') resume();
      else if (answer === 'obey') sign();
      if (name === 'pause' && answer !== 'ignore')
        key = {
          at: clock.now(),
          undo() {
            pressedAt = before.pressedAt;
            if (answer === 'prolong') {
              timer?.shorten();
              player.pause();
            }
            timer?.interrupted();
            store(before.night);
          },
        };
      return answer === 'prolong' || answer === 'resume' || answer === 'ignore';
    },
    /** Another listener uses this browser. */
    forget() {
      stoppedAt = undefined;
      store(noNight);
    },
    /** A start of the row: at the last sign of waking, or where it stopped. */
    startFrom(place: 'sign' | 'stopped') {
      pressedAt = clock.now();
      const { stopped } = night;
      if (place === 'sign') goBack(true);
      else if (stopped) {
        store(noNight);
        if (player.getSnapshot().current?.id !== stopped.audioId) player.playFromQueue(stopped.audioId);
        if (player.getSnapshot().current?.id === stopped.audioId) player.seekToSeconds(stopped.seconds);
      }
      player.play();
    },
  };
}

/** The player for the keys of headphones and of the lock screen, which do something else at night. */
export function answeredAtNight(player: Player, { remoteKey }: NightWatch): Player {
  const unless = (key: RemoteKey, act: () => void) => void (remoteKey(key) || act());
  return {
    ...player,
    play: () => unless('play', player.play),
    pause: () => unless('pause', player.pause),
    next: () => unless('next', player.next),
    previous: () => unless('previous', player.previous),
    seekTo: (fraction) => unless('seek', () => player.seekTo(fraction)),
    seekBy: (seconds) => unless('seek', () => player.seekBy(seconds)),
  };
}

function readNightSettings(storage: PreferenceStore): NightSettings {
  const stored = readRecord(storage.get(SETTINGS_KEY));
  const first = nightAtFirst.settings;
  const isOn = (name: 'prolongsByKey' | 'prolongsByShake' | 'isAutomatic') =>
    typeof stored[name] === 'boolean' ? stored[name] : first[name];
  const clockOf = (name: 'from' | 'to') => {
    const value = stored[name];
    return typeof value === 'string' && /^\d\d:\d\d$/.test(value) ? value : first[name];
  };
  return {
    prolongsByKey: isOn('prolongsByKey'),
    prolongsByShake: isOn('prolongsByShake'),
    isAutomatic: isOn('isAutomatic'),
    from: clockOf('from'),
    to: clockOf('to'),
  };
}

function readNight(storage: PreferenceStore): Night {
  const { sign, stopped, isTimed } = readRecord(storage.get(NIGHT_KEY));
  return { sign: placeOf(sign), stopped: placeOf(stopped), isTimed: isTimed === true };
}

function placeOf(value: unknown): Night['sign'] {
  if (!isRecord(value)) return null;
  const { audioId, seconds, at } = value;
  return typeof audioId === 'string' && typeof seconds === 'number' && typeof at === 'number'
    ? { audioId, seconds, at }
    : null;
}
