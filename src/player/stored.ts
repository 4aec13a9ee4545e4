/** Storage of the player's data; both calls may do nothing, but must not throw. */
export type PreferenceStore = {
  get(key: string): string | null;
  set(key: string, value: string): void;
};

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The stored object; empty for a missing or unreadable one. */
export function readRecord(text: string | null | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text || '{}');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
