import type { PlayerEvent } from '#player/reports/player-events.ts';

/** Saved position of each audio: from the account, overridden by what was heard on this page. */
export function createResumePositions() {
  let ofAccount = new Map<string, number>();
  let heardOfAccount: ReadonlySet<string> = new Set();
  // Reported since the account’s positions were loaded, so newer than those. Undefined: heard to the end.
  const heardHere = new Map<string, number | undefined>();

  /** Undefined when no position is known. */
  function find(audioId: string): number | undefined {
    return heardHere.has(audioId) ? heardHere.get(audioId) : ofAccount.get(audioId);
  }

  return {
    find,
    of: (audioId: string): number => find(audioId) ?? 0,
    /** Heard to the end and not started again since. */
    isHeard: (audioId: string): boolean =>
      heardHere.has(audioId)
        ? heardHere.get(audioId) === undefined
        : heardOfAccount.has(audioId) && !ofAccount.has(audioId),
    /**
     * Sets the account’s positions, by audio id. They include what was heard here, and another device may have played on.
     * @param completed ids of audios heard to the end
     */
    take(places: Record<string, number>, completed: readonly string[] = []): void {
      ofAccount = new Map(Object.entries(places));
      heardOfAccount = new Set(completed);
      // An entry also protects its position from an older one of a page's data.
      for (const audioId of heardHere.keys()) {
        if (ofAccount.has(audioId) || heardOfAccount.has(audioId)) heardHere.set(audioId, ofAccount.get(audioId));
        else heardHere.delete(audioId);
      }
    },
    /** Adds some of the account’s positions before the full history has loaded. */
    seed(some: Record<string, number>): void {
      for (const [audioId, seconds] of Object.entries(some)) ofAccount.set(audioId, seconds);
    },
    report(event: PlayerEvent): void {
      if (event.name === 'audio_progress') heardHere.set(event.trackId, event.position);
      else if (event.name === 'audio_completed') heardHere.set(event.trackId, undefined);
    },
    /** For an audio removed from the listener’s history; all of them without an id. */
    clear(audioId?: string): void {
      const isKept = (id: string) => audioId !== undefined && id !== audioId;
      heardOfAccount = new Set([...heardOfAccount].filter(isKept));
      for (const places of [ofAccount, heardHere]) for (const id of places.keys()) if (!isKept(id)) places.delete(id);
    },
  };
}
