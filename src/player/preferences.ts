/** Storage for the player's settings; both calls may do nothing, but must not throw. */
export type PreferenceStore = {
  get(key: string): string | null;
  set(key: string, value: string): void;
};

export type Preferences = {
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
  const stored = parse(store.get(KEY));
  const { volume, muted, rate, isDiscreet, keepsPlaying } = stored;
  return {
    volume: isBetween(volume, 0, 1) ? volume : defaultPreferences.volume,
    muted: typeof muted === 'boolean' ? muted : defaultPreferences.muted,
    rate: isBetween(rate, 0.5, 2) ? rate : defaultPreferences.rate,
    isDiscreet: typeof isDiscreet === 'boolean' ? isDiscreet : defaultPreferences.isDiscreet,
    keepsPlaying: typeof keepsPlaying === 'boolean' ? keepsPlaying : defaultPreferences.keepsPlaying,
  };
}

export function writePreferences(store: PreferenceStore, preferences: Preferences): void {
  store.set(KEY, JSON.stringify(preferences));
}

function parse(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function isBetween(value: unknown, low: number, high: number): value is number {
  return typeof value === 'number' && value >= low && value <= high;
}
