import type { Engine } from './playback.ts';
import { readPreferences, writePreferences } from './preferences.ts';
import type { Preferences, PreferenceStore } from './preferences.ts';

/** The listener's settings: applies them to the engine and stores them. `discreet` overrides the stored value. */
export function createSettings(engine: Engine, storage: PreferenceStore, discreet?: boolean) {
  const stored = readPreferences(storage);
  let preferences: Preferences = { ...stored, isDiscreet: discreet ?? stored.isDiscreet };
  engine.setVolume(preferences.volume);
  engine.setMuted(preferences.muted);
  engine.setRate(preferences.rate);

  function update(changed: Partial<Preferences>) {
    preferences = { ...preferences, ...changed };
    writePreferences(storage, preferences);
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
    setDiscreet: (isDiscreet: boolean) => update({ isDiscreet }),
    setKeepPlaying: (keepsPlaying: boolean) => update({ keepsPlaying }),
  };
}
