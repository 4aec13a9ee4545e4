import type { PlayerEvent } from '#player/player-events.ts';

/** The kept second of each audio: what the account has, and what was heard on this page since. */
export function createPlaces() {
  let ofAccount = new Map<string, number>();
  // What is heard here is newer than what the account had when it was asked; undefined: heard to its end.
  const heardHere = new Map<string, number | undefined>();

  /** Undefined where nothing is known. */
  function find(audioId: string): number | undefined {
    return heardHere.has(audioId) ? heardHere.get(audioId) : ofAccount.get(audioId);
  }

  return {
    find,
    of: (audioId: string): number => find(audioId) ?? 0,
    /** What the account has by now, by audio id. */
    take(places: Record<string, number>): void {
      ofAccount = new Map(Object.entries(places));
    },
    /** Some of what the account has, ahead of the rest. */
    seed(some: Record<string, number>): void {
      for (const [audioId, seconds] of Object.entries(some)) ofAccount.set(audioId, seconds);
    },
    report(event: PlayerEvent): void {
      if (event.name === 'audio_progress') heardHere.set(event.trackId, event.position);
      else if (event.name === 'audio_completed') heardHere.set(event.trackId, undefined);
    },
    /** Taken out of the listener's history. */
    forget(audioId: string): void {
      ofAccount.delete(audioId);
      heardHere.delete(audioId);
    },
    forgetAll(): void {
      ofAccount.clear();
      heardHere.clear();
    },
  };
}
