import type { Engine } from './playback.ts';
import { readPreferences, writePreferences } from './preferences.ts';
import type { Preferences, PreferenceStore } from './preferences.ts';

/** The listener's settings: applies them to the engine and stores them. `discreet` overrides the stored value. */
export function createSettings(engine: Engine, storage: PreferenceStore, discreet?: boolean) {
  const remembered = readPreferences(storage);
  let preferences: Preferences = { ...remembered, isDiscreet: discreet ?? remembered.isDiscreet };
  engine.setVolume(preferences.volume);
  engine.setMuted(preferences.muted);
  engine.setRate(preferences.rate);

  function remember(changed: Partial<Preferences>) {
    preferences = { ...preferences, ...changed };
    writePreferences(storage, preferences);
  }

  /** 0 to 1. A volume above 0 also ends the mute. */
  function setVolume(volume: number) {
    engine.setVolume(volume);
    if (volume > 0) engine.setMuted(false);
    remember({ volume: engine.getSnapshot().volume, muted: engine.getSnapshot().muted });
  }

  return {
    isDiscreet: () => preferences.isDiscreet,
    keepsPlaying: () => preferences.keepsPlaying,
    setVolume,
    toggleMute() {
      const { muted, volume, canSetVolume } = engine.getSnapshot();
      if (!muted && volume === 0 && canSetVolume) return setVolume(0.5);
      engine.setMuted(!muted);
      remember({ muted: !muted });
    },
    /** 0.5 to 2. */
    setRate(rate: number) {
      engine.setRate(rate);
      remember({ rate: engine.getSnapshot().rate });
    },
    setDiscreet: (isDiscreet: boolean) => remember({ isDiscreet }),
    setKeepPlaying: (keepsPlaying: boolean) => remember({ keepsPlaying }),
  };
}
