import type { Engine } from './media/engine.ts';
import { readRecord } from './stored.ts';
import type { PreferenceStore } from './stored.ts';

type Preferences = {
  /** 0 to 1. */
  readonly volume: number;
  readonly muted: boolean;
  /** 0.5 to 2. */
  readonly rate: number;
  readonly isDiscreet: boolean;
  /** Whether similar audios follow the end of the list. */
  readonly keepsPlaying: boolean;
};

export const defaultPreferences: Preferences = {
  volume: 1,
  muted: false,
  rate: 1,
  isDiscreet: false,
  keepsPlaying: false,
};

const KEY = 'sotto_player';

/** The stored settings; invalid values become defaults. */
export function readPreferences(store: PreferenceStore): Preferences {
  const { volume, muted, rate, isDiscreet, keepsPlaying } = readRecord(store.get(KEY));
  return {
    volume: isBetween(volume, 0, 1) ? volume : 1,
    muted: muted === true,
    rate: isBetween(rate, 0.5, 2) ? rate : 1,
    isDiscreet: isDiscreet === true,
    keepsPlaying: keepsPlaying === true,
  };
}

function isBetween(value: unknown, low: number, high: number): value is number {
  return typeof value === 'number' && value >= low && value <= high;
}

/** The listener's settings: applies them to the engine and stores them. `discreet` overrides the stored value. */
export function createSettings(engine: Engine, storage: PreferenceStore, discreet?: boolean) {
  const stored = readPreferences(storage);
  let preferences: Preferences = { ...stored, isDiscreet: discreet ?? stored.isDiscreet };
  engine.setVolume(preferences.volume);
  engine.setMuted(preferences.muted);
  engine.setRate(preferences.rate);

  function update(changed: Partial<Preferences>) {
    preferences = { ...preferences, ...changed };
    storage.set(KEY, JSON.stringify(preferences));
  }

  /** 0 to 1. A volume above 0 also ends the mute. */
  function setVolume(volume: number) {
    engine.setVolume(volume);
    if (volume > 0) engine.setMuted(false);
    update({ volume: engine.getSnapshot().volume, muted: engine.getSnapshot().muted });
  }

  return {
    isDiscreet: () => preferences.isDiscreet,
    keepsPlaying: () => preferences.keepsPlaying,
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
    setDiscreet: (isDiscreet: boolean) => update({ isDiscreet }),
    setKeepPlaying: (keepsPlaying: boolean) => update({ keepsPlaying }),
  };
}
