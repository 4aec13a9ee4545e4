import type { Engine } from './media/engine.ts';
import { type PreferenceStore, readRecord } from './stored.ts';

/** Settings of this device. */
type StoredSettings = {
  /** 0 to 1. */
  readonly volume: number;
  readonly muted: boolean;
  /** 0.5 to 2. */
  readonly rate: number;
  /** Whether similar audios follow the end of the list. */
  readonly keepsPlaying: boolean;
};

export const defaultSettings: StoredSettings = { volume: 1, muted: false, rate: 1, keepsPlaying: false };

const KEY = 'sotto_player';

/** The stored settings; invalid values become defaults. */
export function readSettings(store: PreferenceStore): StoredSettings {
  const { volume, muted, rate, keepsPlaying } = readRecord(store.get(KEY));
  return {
    volume: isBetween(volume, 0, 1) ? volume : 1,
    muted: muted === true,
    rate: isBetween(rate, 0.5, 2) ? rate : 1,
    keepsPlaying: keepsPlaying === true,
  };
}

function isBetween(value: unknown, low: number, high: number): value is number {
  return typeof value === 'number' && value >= low && value <= high;
}

/**
 * The listener's settings: applies them to the engine and stores them.
 * @param isDiscreet of the page, which reads it from the account or the cookie: it is not stored here
 */
export function createSettings(engine: Engine, storage: PreferenceStore, isDiscreet: boolean) {
  let settings = readSettings(storage);
  engine.setVolume(settings.volume);
  engine.setMuted(settings.muted);
  engine.setRate(settings.rate);

  function update(changed: Partial<StoredSettings>) {
    settings = { ...settings, ...changed };
    storage.set(KEY, JSON.stringify(settings));
  }

  /** 0 to 1. A volume above 0 also ends the mute. */
  function setVolume(volume: number) {
    engine.setVolume(volume);
    if (volume > 0) engine.setMuted(false);
    update({ volume: engine.getSnapshot().volume, muted: engine.getSnapshot().muted });
  }

  return {
    isDiscreet: () => isDiscreet,
    keepsPlaying: () => settings.keepsPlaying,
    /** The same in the player. */
    commands: {
      setVolume,
      toggleMute() {
        const { muted, volume, canSetVolume } = engine.getSnapshot();
        if (!muted && volume === 0 && canSetVolume) return setVolume(0.5);
        engine.setMuted(!muted);
        update({ muted: !muted });
      },
      /** 0.5 to 2. */
      setRate(rate: number) {
        engine.setRate(rate);
        update({ rate: engine.getSnapshot().rate });
      },
    },
    setDiscreet: (isOn: boolean) => (isDiscreet = isOn),
    setKeepPlaying: (keepsPlaying: boolean) => update({ keepsPlaying }),
  };
}
